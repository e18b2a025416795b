/** The publications of a person: a long list, drawn in portions, of which words pick some. */

import { wordsOf } from "./matching.js";
import { whenQuiet } from "./dom.js";
import { paper, typeOf } from "./papers.js";
import { fill, number } from "./words.js";

const AT_ONCE = 100;
const PAUSE = 100; // Milliseconds without a key after which publications are picked anew.

/** The section of the publications, with a field, a line that says how many are shown, the list, and "Show more". */
export class Works {
  constructor(root) {
    this.field = root.querySelector("input");
    this.tally = root.querySelector("[role=status]");
    this.list = root.querySelector("ul");
    this.button = root.querySelector("button");
    this.field.addEventListener("input", whenQuiet(PAUSE, () => this.#pick()));
    this.button.addEventListener("click", () => this.#more());
  }

  /** Show publications as the service gives them, newest first; nothing is picked by words yet. */
  show(items) {
    this.all = items.map((item) => ({ item, words: new Set(wordsOf(`${item.title} ${item.venue ?? ""} ${item.year ?? ""} ${typeOf(item)}`)) }));
    this.field.value = "";
    this.#pick();
  }

  #pick() {
    const wanted = wordsOf(this.field.value);
    const last = wanted.pop() ?? "";
    const begins = (words) => [...words].some((word) => word.startsWith(last));
    this.picked = this.all.filter(({ words }) => wanted.every((word) => words.has(word)) && (!last || begins(words)));
    this.list.replaceChildren();
    this.#add();
  }

  #add() {
    const from = this.list.children.length;
    this.list.append(...this.picked.slice(from, from + AT_ONCE).map(({ item }) => paper(item)));
    const [shown, picked, all] = [this.list.children.length, this.picked.length, this.all.length];
    this.button.hidden = shown === picked;
    const phrase = picked === all
      ? ngettext("%(shown)s of %(all)s shown", "%(shown)s of %(all)s shown, newest first", all)
      : gettext("%(picked)s of %(all)s have these words; %(shown)s shown");
    this.tally.textContent = picked ? fill(phrase, { shown: number(shown), picked: number(picked), all: number(all) }) : gettext("None has these words.");
  }

  #more() {
    const from = this.list.children.length;
    this.#add();
    this.list.children[from].querySelector("a").focus(); // Who reads on by keyboard goes on here.
  }
}
