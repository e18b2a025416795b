/** A line of elements of which only those of a window are in the document, in their order. */

/** `make()` gives a new element, and `fill(element, place)` lets one stand for a place; those that leave are used again. */
export class Strip {
  constructor(parent, make, fill) {
    Object.assign(this, { parent, make, fill, items: [], from: 0 });
  }

  /** The element of a place; none where that is out of the window. */
  at(place) {
    return this.items[place - this.from];
  }

  /** Move the window to the places from `from` up to `to`; `anew` fills also those that stay. */
  slide(from, to, anew = false) {
    const { items } = this;
    if (anew || to <= this.from || from >= this.from + items.length) return this.#jump(from, to);
    const spare = items.splice(0, Math.max(0, from - this.from));
    this.from += spare.length;
    spare.push(...items.splice(Math.max(0, to - this.from)));
    const take = (place) => {
      const element = spare.pop() ?? this.make();
      this.fill(element, place);
      return element;
    };
    while (this.from > from) {
      this.from -= 1;
      const first = items[0];
      items.unshift(take(this.from));
      this.parent.insertBefore(items[0], first);
    }
    while (items.length < to - from) {
      items.push(take(from + items.length));
      this.parent.append(items.at(-1));
    }
    for (const element of spare) element.remove();
  }

  /** Where nothing of the old window is of use, elements stay where they are in the document: moving them costs more. */
  #jump(from, to) {
    const { items } = this;
    this.from = from;
    for (const element of items.splice(to - from)) element.remove();
    items.forEach((element, index) => this.fill(element, from + index));
    while (items.length < to - from) {
      const element = this.make();
      this.fill(element, from + items.length);
      items.push(element);
      this.parent.append(element);
    }
  }
}
