/** One of the two boxes of names: what is in it, whom it stands for, and who is picked where a name has several. */

import { get, latest, post } from "./api.js";
import { copy, put, whenQuiet } from "./dom.js";
import { personSuggested } from "./found.js";
import { isIdentifier, isPicked, readNames, replaceName, unpicked, writePick } from "./names.js";
import { published, says } from "./people.js";
import { suggest } from "./suggest.js";
import { fill, joined, list, number } from "./words.js";
import { choose } from "./who.js";

const PAUSE = 400; // Milliseconds without a key after which names are looked up.
const SHOWN = 8; // Names that are listed at once; those that need a look come first.
const AT_ONCE = 500; // Names that are looked up in one request.
const MARKS = { one: "✓", several: "≈", disambiguation: "≈", none: "✗" };

/** A box; `similar()` tells how names are looked for, `changed()` is called whenever what is in it has changed. */
export class Side {
  #known = new Map(); // What was found, by how it was looked for and entry.
  #all = false;
  #cleared = ""; // What was in it before it was emptied.
  #ask = latest((entries, similar, signal) => post("authors/resolve", { entries, exact_base_match: !similar }, { signal }));

  constructor(root, { similar, changed }) {
    this.root = root;
    this.field = root.querySelector("textarea");
    this.similar = similar;
    this.changed = changed;
    this.entries = [];
    const look = whenQuiet(PAUSE, () => this.#look());
    this.field.addEventListener("input", () => (this.#read(), look()));
    root.querySelector(".clear").addEventListener("click", () => {
      const { value } = this.field;
      this.set(value ? "" : this.#cleared);
      this.#cleared = value;
      this.#read();
      this.field.focus();
    });
    root.querySelector(".all").addEventListener("click", () => ((this.#all = !this.#all), this.#show()));
    suggest(this.field, root.querySelector("[role=listbox]"), {
      typed: () => this.#line().text,
      find: async (q, signal) => (await get("authors", { q, limit: 8 }, signal)).items,
      show: (person) => personSuggested(person, this.#line().text),
      take: (person) => this.#replaceLine(this.#line(), writePick(person), "\n"),
    });
  }

  /** Put text into the box, as if it were typed. */
  set(text) {
    this.field.value = text;
    this.#read();
    return this.#look();
  }

  /** Look everybody up anew: names are looked for in another way now. */
  refresh() {
    this.#show();
    return this.#look();
  }

  /** What was found out of an entry so far, undefined where nothing was. */
  found(entry) {
    return this.#known.get(`${this.similar()} ${entry.sent}`);
  }

  #read() {
    this.entries = readNames(this.field.value);
    const clear = this.root.querySelector(".clear");
    clear.hidden = !this.field.value && !this.#cleared;
    clear.textContent = this.field.value ? gettext("Empty it") : gettext("Bring it back");
    this.#show();
    this.changed();
  }

  async #look() {
    const similar = this.similar();
    const wanted = this.entries.filter((entry) => !this.found(entry)).map((entry) => entry.sent);
    try {
      for (let at = 0; at < wanted.length; at += AT_ONCE) {
        const some = wanted.slice(at, at + AT_ONCE);
        const { resolution } = await this.#ask(some, similar);
        // In the order sent; the service may have written an entry a little differently.
        resolution.forEach((one, index) => this.#known.set(`${similar} ${some[index]}`, one));
        this.#show();
      }
      this.#tell("");
    } catch (error) {
      if (error.name !== "AbortError") this.#tell(error.message);
    }
  }

  #tell(trouble) {
    const place = this.root.querySelector(".side-error");
    place.textContent = trouble;
    place.hidden = !trouble;
  }

  #show() {
    const states = this.entries.map((entry) => [entry, this.found(entry)]);
    const count = (status) => states.filter(([, one]) => one?.status === status).length;
    const [several, apart, none] = ["several", "disambiguation", "none"].map(count);
    const n = this.entries.length;
    const repeats = this.entries.reduce((sum, entry) => sum + entry.times - 1, 0);
    const parts = [
      n && fill(ngettext("%(n)s name", "%(n)s names", n), { n: number(n) }),
      several && fill(gettext("%(n)s with several people"), { n: number(several) }),
      apart && fill(gettext("%(n)s not told apart"), { n: number(apart) }),
      none && fill(gettext("%(n)s not found"), { n: number(none) }),
      repeats && fill(ngettext("%(n)s repeat left out", "%(n)s repeats left out", repeats), { n: number(repeats) }),
    ];
    this.root.querySelector(".tally").textContent = parts.filter(Boolean).join(" · ");
    const doubtful = states.filter(([, one]) => one && one.status !== "one");
    const ordered = [...doubtful, ...states.filter((one) => !doubtful.includes(one))];
    const shown = this.#all ? ordered : ordered.slice(0, SHOWN);
    const items = this.root.querySelector(".entries");
    const held = [...items.children].find((item) => item.contains(document.activeElement))?.dataset.sent;
    items.replaceChildren(...shown.map(([entry, one]) => this.#item(entry, one)));
    if (held) [...items.children].find((item) => item.dataset.sent === held)?.querySelector("button").focus({ preventScroll: true });
    const button = this.root.querySelector(".all");
    button.hidden = n <= SHOWN;
    button.textContent = this.#all ? gettext("Show fewer") : fill(gettext("Show all %(n)s"), { n: number(n) });
  }

  #item(entry, one) {
    const known = () => joined([says(one, entry.shown), one.status === "one" && published(one.authors[0].publications)]);
    const item = put(copy("entry"), { shown: entry.shown, says: one ? known() : gettext("looking …") });
    item.dataset.sent = entry.sent;
    item.dataset.status = one?.status ?? "waiting";
    item.querySelector(".mark").textContent = MARKS[one?.status] ?? "…";
    const button = item.querySelector(".choose");
    const isPick = isPicked(entry);
    const isSettled = one?.status === "one" || (one?.total === 0 && isIdentifier(entry.sent));
    button.hidden = !one || (isSettled && !isPick);
    button.textContent = isPick ? gettext("Change") : one?.total ? gettext("Who is it?") : gettext("Anybody similar?");
    button.setAttribute("aria-label", `${entry.shown}: ${button.textContent}`);
    button.addEventListener("click", () => (isPick ? this.#replace(entry, unpicked(entry)) : this.choose(entry.sent)));
    const similar = one?.similar ?? [];
    if (similar.length) item.append(" ", fill(gettext("(similar: %(names)s)"), { names: list(similar.map((person) => person.name)) }));
    return item;
  }

  /** Give as many of those whom an entry may stand for as the service lists. */
  async #everybody(entry) {
    const { resolution } = await post("authors/resolve", { entries: [entry.sent], exact_base_match: !this.similar(), limit_per_entry: 1000 });
    return resolution[0].authors;
  }

  #replace(entry, name) {
    this.set(replaceName(this.field.value, entry, name));
    // The button that led here may be gone.
    if (document.activeElement === document.body) this.field.focus({ preventScroll: true });
  }

  /** Let somebody say who an entry is, given as it is sent; false where it is not here, or not looked up. */
  choose(sent) {
    const entry = this.entries.find((one) => one.sent === sent);
    const found = entry && this.found(entry);
    if (!found) return false;
    choose(entry, found, {
      all: () => this.#everybody(entry),
      pick: (person) => this.#replace(entry, writePick(person)),
    });
    return true;
  }

  #line() {
    const { value, selectionStart: cursor } = this.field;
    const from = value.lastIndexOf("\n", cursor - 1) + 1;
    const to = value.indexOf("\n", cursor) < 0 ? value.length : value.indexOf("\n", cursor);
    // In the middle of a line nobody types a new name.
    return { from, to, text: cursor === to ? value.slice(from, to).trim() : "" };
  }

  #replaceLine({ from, to }, text, end) {
    const { value } = this.field;
    const after = value.slice(to);
    this.field.value = value.slice(0, from) + text + (after || end);
    const cursor = from + text.length + 1;
    this.field.setSelectionRange(cursor, cursor);
    this.#read();
    this.#look();
  }
}
