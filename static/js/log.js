/** The log of a build: grows by what is new, and follows its end unless the reader has scrolled up. */

import { byId, make } from "./dom.js";
import { fill, number } from "./words.js";

const MOST = 5_000; // Lines kept here; the service itself keeps the last few hundred of a build.
const NEAR = 8; // Pixels from the end that still are the end: browsers round.

const place = byId("log");
const toEnd = byId("to-end");

/** The log as far as it is here: of which build, and up to which line, to ask for what follows. */
export class Log {
  run = null;
  after = 0;
  #following = true;

  constructor() {
    place.addEventListener("scroll", () => this.#look());
    toEnd.addEventListener("click", () => {
      this.#follow();
      place.focus();
    });
    this.#show();
  }

  /** Take the lines of an answer of `state`; false where they do not follow on what is here and all must be asked for. */
  take({ run, logs, logs_after: after }) {
    const first = after - logs.length; // The lines before those.
    if (run !== this.run) {
      const asked = this.after;
      this.#empty(run);
      if (asked > 0 && first > 0) return false; // What was asked for were lines after one of another build.
    }
    if (after < this.after) return true; // Of a process of the service that is a moment behind.
    const missed = first - this.after;
    if (missed > 0) this.#add([fill(ngettext("(%(n)s line is not kept)", "(%(n)s lines are not kept)", missed), { n: number(missed) })], "quiet");
    this.#add(logs.slice(Math.max(0, -missed)));
    this.after = after;
    this.#show();
    return true;
  }

  #empty(run) {
    this.run = run;
    this.after = 0;
    place.replaceChildren();
    this.#following = true;
    this.#show();
  }

  #add(lines, className = "") {
    place.append(...lines.map((textContent) => make("div", { textContent, className })));
    while (place.childElementCount > MOST) place.firstElementChild.remove();
    if (lines.length && this.#following) this.#follow();
  }

  #follow() {
    place.scrollTop = place.scrollHeight;
    this.#look();
  }

  #look() {
    this.#following = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR;
    toEnd.hidden = this.#following;
  }

  #show() {
    byId("log-empty").hidden = place.childElementCount > 0;
  }
}

/** The lines that are here, for who reads them too: the names of the phases are among them. */
export const lines = () => [...place.children].map((line) => line.textContent);
