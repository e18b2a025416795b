/**
 * The matrix as a table of which only the part in sight is in the document, with a margin: a thousand by a thousand
 * cells would take a browser minutes. Rows and columns have fixed sizes, and what is not there is made up for by an
 * empty row and an empty column before and behind. Screen readers are told the place of each cell in the whole.
 */

import { make } from "./dom.js";
import { NONE, POSSIBLE, SAME, TOGETHER, UNKNOWN } from "./result.js";
import { fill, number } from "./words.js";

const MARGIN = 6; // Rows and columns drawn beyond those in sight, so that a turn of a wheel shows no gap.
const HEATS = [1, 2, 4, 8]; // Publications from which on a cell is as warm as that.
const MOST_PRINTED = 5000; // Cells; more take a browser seconds, and are too small to read on paper.
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

/** The table; `open(row, column)` is called with the places of a pair in the result. */
export class Matrix {
  constructor(frame, table, open) {
    Object.assign(this, { frame, table, open });
    this.active = [0, 0]; // Place in sight of the cell that keys go to.
    let waiting = false;
    frame.addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => ((waiting = false), this.draw()));
    }, { passive: true });
    new ResizeObserver(() => this.draw()).observe(frame);
    table.addEventListener("keydown", (event) => this.#key(event));
    table.addEventListener("click", (event) => {
      const cell = event.target.closest("td[data-row]");
      if (!cell) return;
      this.active = [Number(cell.dataset.row), Number(cell.dataset.column)];
      this.#focus();
      this.#open();
    });
    addEventListener("beforeprint", () => {
      const all = this.result && this.rows.length * this.columns.length <= MOST_PRINTED;
      frame.classList.toggle("no-print", !all); // The list of pairs is printed in any case.
      if (all) this.draw({ all });
    });
    addEventListener("afterprint", () => this.draw());
  }

  /** Show a result in that order: places of rows and columns. */
  show(result, rows, columns) {
    Object.assign(this, { result, rows, columns, drawn: "" });
    this.active = [0, 0];
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    this.table.setAttribute("aria-colcount", columns.length + 1);
    this.frame.scrollTo(0, 0);
    this.#measure();
    this.table.style.width = `${this.cell.head + columns.length * this.cell.width}px`;
    this.draw();
  }

  #measure() {
    const style = getComputedStyle(this.frame);
    const size = (name) => parseFloat(style.getPropertyValue(name)) * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.cell = { width: size("--cell-width"), height: size("--cell-height"), head: size("--head-width"), top: size("--head-height") };
  }

  /** Draw what is in sight, or all of it; nothing where that is drawn already. */
  draw({ all = false } = {}) {
    if (!this.result || !this.frame.checkVisibility()) return;
    const { frame, cell, rows, columns } = this;
    const part = (from, size, length) => {
      if (all) return [0, length];
      // In steps of the margin, so that most movements need no drawing at all.
      const first = Math.floor(from / MARGIN) * MARGIN - MARGIN;
      return [Math.max(0, first), Math.min(length, first + Math.ceil(size / MARGIN) * MARGIN + 3 * MARGIN)];
    };
    const [top, bottom] = part(Math.floor(frame.scrollTop / cell.height), frame.clientHeight / cell.height, rows.length);
    const [left, right] = part(Math.floor(frame.scrollLeft / cell.width), frame.clientWidth / cell.width, columns.length);
    const wanted = [top, bottom, left, right].join();
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    const inSight = (place, from, to) => from <= place && place < to;
    if (!inSight(this.active[0], top, bottom) || !inSight(this.active[1], left, right)) {
      // The Tab key has to lead to some cell.
      this.active = [Math.min(Math.ceil(frame.scrollTop / cell.height), bottom - 1), Math.min(Math.ceil(frame.scrollLeft / cell.width), right - 1)];
    }
    const head = make("tr", { "aria-rowindex": 1 }, make("td", { className: "corner" }), ...this.#space("td", left));
    for (let column = left; column < right; column += 1) {
      const label = this.result.right[columns[column]].label;
      head.append(make("th", { scope: "col", "aria-colindex": column + 2, title: label }, make("span", { textContent: label })));
    }
    head.append(...this.#space("td", columns.length - right));
    this.table.tHead.replaceChildren(head);
    const body = new DocumentFragment();
    if (top) body.append(this.#gap(top));
    for (let row = top; row < bottom; row += 1) body.append(this.#row(row, left, right));
    if (bottom < rows.length) body.append(this.#gap(rows.length - bottom));
    const focused = this.table.contains(document.activeElement);
    this.table.tBodies[0].replaceChildren(body);
    if (focused) this.#cellAt(...this.active)?.focus({ preventScroll: true });
  }

  #space(tag, columns) {
    if (!columns) return [];
    const space = make(tag, { className: "space", "aria-hidden": "true" });
    space.style.width = `${columns * this.cell.width}px`;
    return [space];
  }

  #gap(rows) {
    const gap = make("tr", { "aria-hidden": "true" }, make("td", { className: "space" }));
    gap.style.height = `${rows * this.cell.height}px`;
    return gap;
  }

  #row(row, left, right) {
    const { result, columns } = this;
    const one = result.left[this.rows[row]];
    const line = make("tr", { "aria-rowindex": row + 2 });
    line.append(make("th", { scope: "row", "aria-colindex": 1, title: one.label }, make("span", { textContent: one.label })), ...this.#space("td", left));
    for (let column = left; column < right; column += 1) {
      const at = result.at(this.rows[row], columns[column]);
      const [count, verdict] = [result.counts[at], result.verdicts[at]];
      const td = document.createElement("td");
      td.textContent = sign(count, verdict);
      td.className = verdict === TOGETHER ? `coauthors heat-${HEATS.findLastIndex((from) => count >= from)}` : CLASSES[verdict];
      td.dataset.row = row;
      td.dataset.column = column;
      td.setAttribute("aria-colindex", column + 2);
      td.tabIndex = row === this.active[0] && column === this.active[1] ? 0 : -1;
      line.append(td);
    }
    line.append(...this.#space("td", columns.length - right));
    return line;
  }

  #cellAt(row, column) {
    return this.table.querySelector(`td[data-row="${row}"][data-column="${column}"]`);
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
    this.table.querySelector("td[tabindex='0']")?.setAttribute("tabindex", "-1");
    const target = this.#cellAt(row, column);
    target.tabIndex = 0;
    target.focus({ preventScroll: true });
    target.title = meaning(...this.#told());
  }

  #told() {
    const at = this.result.at(this.rows[this.active[0]], this.columns[this.active[1]]);
    return [this.result.counts[at], this.result.verdicts[at]];
  }

  #open() {
    this.open(this.rows[this.active[0]], this.columns[this.active[1]]);
  }

  /** Go to the cell that keys go to. */
  focus() {
    if (this.rows?.length && this.columns.length) this.#focus();
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
      this.active = [within(moves[event.key][0], this.rows.length), within(moves[event.key][1], this.columns.length)];
      this.#focus();
    } else return;
    event.preventDefault();
  }
}
