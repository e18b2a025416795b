/**
 * The matrix as a table of which only the part in sight is in the document, with a margin: a thousand by a thousand
 * cells would take a browser minutes. Rows and columns have fixed sizes and places, and cells that are scrolled out of
 * sight are used again for those that come into it. Screen readers are told the place of each cell in the whole.
 */

import { copy } from "./dom.js";
import { NONE, POSSIBLE, SAME, TOGETHER, UNKNOWN } from "./result.js";
import { Strip } from "./strip.js";
import { fill, number } from "./words.js";

const MARGIN = 4; // Rows and columns drawn beyond those in sight, so that a turn of a wheel shows no gap.
const STEP = 2; // By as many the window moves, so that it does not at each frame.
const HEATS = [1, 2, 4, 8]; // Publications from which on a cell is as warm as that.
// More are cut off at the edge of the paper, and take a browser seconds.
const MOST_PRINTED = { columns: 40, cells: 5000 };
const CLASSES = { [TOGETHER]: "coauthors", [POSSIBLE]: "possible", [NONE]: "none", [UNKNOWN]: "unknown", [SAME]: "same" };

/** What stands in a cell; never a colour alone. */
export function sign(count, verdict) {
  if (verdict === TOGETHER) return String(count);
  if (verdict === POSSIBLE) return `${count}?`;
  return { [NONE]: "0", [UNKNOWN]: "?", [SAME]: "=" }[verdict];
}

/** What a cell says, in words. */
export function meaning(count, verdict) {
  if (verdict === TOGETHER || verdict === POSSIBLE) {
    const phrase = verdict === TOGETHER
      ? ngettext("%(n)s publication together", "%(n)s publications together", count)
      : ngettext("%(n)s publication together, but it is not sure whose", "%(n)s publications together, but it is not sure whose", count);
    return fill(phrase, { n: number(count) });
  }
  return { [NONE]: gettext("no publication together"), [UNKNOWN]: gettext("cannot tell"), [SAME]: gettext("the same person") }[verdict];
}

/** The table; `open(row, column)` is called with the places of a pair in the result, and `note` says on paper that there is none. */
export class Matrix {
  constructor(frame, table, note, open) {
    Object.assign(this, { frame, table, open });
    this.active = [0, 0]; // Place in sight of the cell that keys go to.
    this.lines = new WeakMap(); // The place and the cells of a row.
    this.heads = new Strip(table.tHead.rows[0], () => copy("matrix-head"), (th, column) => this.#fillHead(th, column));
    this.rows = new Strip(table.tBodies[0], () => this.#makeRow(), (tr, row) => this.#fillRow(tr, row));
    let waiting = false;
    frame.addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => ((waiting = false), this.draw()));
    }, { passive: true });
    // In the next frame: a frame that fits its content has another size then, of which browsers complain within the same one.
    new ResizeObserver(() => requestAnimationFrame(() => (this.#measure(), this.draw()))).observe(frame);
    table.addEventListener("keydown", (event) => this.#key(event));
    table.addEventListener("click", (event) => {
      const cell = event.target.closest("tbody td:not(.space)");
      if (!cell) return;
      this.active = [cell.parentElement.ariaRowIndex - 2, cell.ariaColIndex - 2];
      this.#focus();
      this.#open();
    });
    addEventListener("beforeprint", () => {
      if (!this.result) return;
      const { rows: { length: rows }, columns: { length: columns } } = this.order;
      const all = columns <= MOST_PRINTED.columns && rows * columns <= MOST_PRINTED.cells;
      frame.classList.toggle("no-print", !all); // The list of pairs is printed in any case.
      note.hidden = all;
      this.printed = all;
      this.draw();
    });
    addEventListener("afterprint", () => {
      this.printed = false;
      this.draw();
    });
  }

  /** Show a result in that order: places of rows and columns. */
  show(result, rows, columns) {
    Object.assign(this, { result, order: { rows, columns } });
    this.active = [0, 0];
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    this.table.setAttribute("aria-colcount", columns.length + 1);
    this.frame.scrollTo(0, 0);
    this.frame.style.setProperty("--rows", rows.length);
    this.frame.style.setProperty("--columns", columns.length);
    this.#measure();
    this.stale = true;
    this.draw();
  }

  /** Look up how large cells are: style sheets say so, and letters may become larger later. */
  #measure() {
    const style = getComputedStyle(this.frame);
    const size = (name) => parseFloat(style.getPropertyValue(name)) * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.cell = { width: size("--cell-width"), height: size("--cell-height"), head: size("--head-width"), top: size("--head-height") };
  }

  /** Draw what is in sight, on paper all of it; where what is drawn is of another result or order, anew. */
  draw() {
    if (!this.result || !this.frame.checkVisibility()) return;
    const { frame, cell, order: { rows, columns } } = this;
    const part = (from, size, length) => {
      if (this.printed) return [0, length];
      const first = Math.floor(from / STEP) * STEP - MARGIN;
      return [Math.max(0, first), Math.min(length, first + Math.ceil(size / STEP) * STEP + STEP + 2 * MARGIN)];
    };
    const [top, bottom] = part(Math.floor(frame.scrollTop / cell.height), (frame.clientHeight - cell.top) / cell.height, rows.length);
    const [left, right] = part(Math.floor(frame.scrollLeft / cell.width), (frame.clientWidth - cell.head) / cell.width, columns.length);
    const wanted = [top, bottom, left, right].join();
    if (wanted === this.drawn && !this.stale) return;
    this.drawn = wanted;
    const inSight = (place, from, to) => from <= place && place < to;
    if (!inSight(this.active[0], top, bottom) || !inSight(this.active[1], left, right)) {
      // The Tab key has to lead to some cell.
      this.active = [Math.min(Math.ceil(frame.scrollTop / cell.height), bottom - 1), Math.min(Math.ceil(frame.scrollLeft / cell.width), right - 1)];
    }
    const focused = this.table.contains(document.activeElement);
    const before = `calc(${left} * var(--cell-width))`;
    this.table.tHead.querySelector(".space").style.width = before;
    this.heads.slide(left, right, this.stale);
    this.rows.slide(top, bottom, this.stale);
    this.stale = false; // Not before: a frame that cannot be seen is drawn later.
    for (const tr of this.rows.items) {
      const line = this.lines.get(tr);
      line.space.style.width = before;
      line.cells.slide(left, right, line.anew);
      line.anew = false;
    }
    this.#mark();
    if (focused) this.marked?.focus({ preventScroll: true });
  }

  #fillHead(th, column) {
    const { label } = this.result.right[this.order.columns[column]];
    th.firstChild.textContent = th.title = label;
    th.ariaColIndex = column + 2;
  }

  #makeRow() {
    const tr = copy("matrix-row");
    const line = { row: 0, anew: true, space: tr.lastElementChild };
    line.cells = new Strip(tr, () => copy("matrix-cell"), (td, column) => this.#fillCell(td, line.row, column));
    this.lines.set(tr, line);
    return tr;
  }

  #fillRow(tr, row) {
    const { label } = this.result.left[this.order.rows[row]];
    const head = tr.firstElementChild;
    head.firstChild.textContent = head.title = label;
    tr.ariaRowIndex = row + 2;
    tr.style.top = `calc(${row} * var(--cell-height))`;
    Object.assign(this.lines.get(tr), { row, anew: true });
  }

  #fillCell(td, row, column) {
    const { result, order } = this;
    const at = result.at(order.rows[row], order.columns[column]);
    const [count, verdict] = [result.counts[at], result.verdicts[at]];
    td.textContent = sign(count, verdict);
    td.className = verdict === TOGETHER ? `coauthors heat-${HEATS.findLastIndex((from) => count >= from)}` : CLASSES[verdict];
    td.ariaColIndex = column + 2;
  }

  /** Let the Tab key lead to the active cell, and to no other. */
  #mark() {
    if (this.marked) {
      this.marked.tabIndex = -1;
      this.marked.removeAttribute("title");
    }
    const [row, column] = this.active;
    this.marked = this.lines.get(this.rows.at(row))?.cells.at(column);
    if (!this.marked) return;
    this.marked.tabIndex = 0;
    this.marked.title = meaning(...this.#told());
  }

  /** Go to the active cell, which may have to be brought into sight first. */
  #focus() {
    const { frame, cell, active: [row, column] } = this;
    const x = column * cell.width;
    const y = row * cell.height;
    const [room, height] = [frame.clientWidth - cell.head - cell.width, frame.clientHeight - cell.top - cell.height];
    frame.scrollTo({
      left: Math.min(Math.max(frame.scrollLeft, x - room), x),
      top: Math.min(Math.max(frame.scrollTop, y - height), y),
      behavior: "instant",
    });
    this.draw();
    this.#mark();
    this.marked.focus({ preventScroll: true });
  }

  #told() {
    const at = this.result.at(this.order.rows[this.active[0]], this.order.columns[this.active[1]]);
    return [this.result.counts[at], this.result.verdicts[at]];
  }

  #open() {
    this.open(this.order.rows[this.active[0]], this.order.columns[this.active[1]]);
  }

  /** Go to the cell that keys go to. */
  focus() {
    if (this.order?.rows.length && this.order.columns.length) this.#focus();
  }

  #key(event) {
    const [row, column] = this.active;
    const page = Math.max(1, Math.floor((this.frame.clientHeight - this.cell.top) / this.cell.height) - 1);
    const moves = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      PageUp: [row - page, column], PageDown: [row + page, column],
      Home: [event.ctrlKey ? 0 : row, 0], End: [event.ctrlKey ? Infinity : row, Infinity],
    };
    if (event.key === "Enter" || event.key === " ") this.#open();
    else if (event.key in moves && !event.altKey && !event.metaKey) {
      const within = (value, length) => Math.min(Math.max(value, 0), length - 1);
      this.active = [within(moves[event.key][0], this.order.rows.length), within(moves[event.key][1], this.order.columns.length)];
      this.#focus();
    } else return;
    event.preventDefault();
  }
}
