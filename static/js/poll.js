/** Asks the same question again and again: not while nobody looks, and with growing pauses while nobody answers. */

const SHORTEST = 1_000; // Milliseconds between two tries while the connection is lost; doubled each time …
const LONGEST = 10_000; // … up to this.
const PATIENCE = 5_000; // After so long without an answer the connection counts as lost: a server that hangs closes none.

/**
 * A question asked again and again, one at a time, from `start` on.
 *
 * `ask(signal)` asks it; `told(answer)` gets what was answered and says after how many milliseconds to ask again;
 * `lost(error, since)` is called at each failure with the `Date` of the first, `found()` when answers come again.
 */
export class Poller {
  #timer;
  #controller;
  #since = null;
  #failures = 0;

  constructor({ ask, told, lost, found, patience = PATIENCE }) {
    Object.assign(this, { ask, told, lost, found, patience });
  }

  /** Ask now, and on and on. */
  start() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.now()));
    addEventListener("online", () => this.now());
    this.now();
  }

  /** Ask at once; a question that is on its way is given up, because something has changed since. */
  async now() {
    this.rest();
    if (document.hidden) return;
    const controller = (this.#controller = new AbortController());
    let answer;
    try {
      answer = await this.ask(AbortSignal.any([controller.signal, AbortSignal.timeout(this.patience)]));
    } catch (error) {
      if (!controller.signal.aborted) this.#failed(error);
      return;
    }
    if (controller.signal.aborted) return;
    if (this.#since !== null) {
      this.#since = null;
      this.#failures = 0;
      this.found();
    }
    const pause = this.told(answer);
    // What was told may have made somebody ask anew.
    if (this.#controller === controller) this.#again(pause);
  }

  /** Ask no more until `now`; a question that is on its way is given up. */
  rest() {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    this.#controller = undefined;
  }

  #failed(error) {
    this.#since ??= new Date();
    this.#again(Math.min(LONGEST, SHORTEST * 2 ** this.#failures));
    this.#failures += 1;
    this.lost(error, this.#since);
  }

  #again(pause) {
    this.#timer = setTimeout(() => this.now(), pause);
  }
}
