/** The answer below the question: summary, views, what can be taken along. */

import { toClipboard } from "./clipboard.js";
import { byId, copy, put, save } from "./dom.js";
import * as take from "./take.js";
import { Matrix, meaning } from "./matrix.js";
import { drawNetwork } from "./network.js";
import { openPair } from "./pair.js";
import { says } from "./people.js";
import { order } from "./order.js";
import { POSSIBLE, Result, SAME, TOGETHER } from "./result.js";
import { fill, joined, number, sentence } from "./words.js";

const AT_ONCE = 200; // Pairs of the list that are drawn before somebody asks for more.

/** Count names; one that is in both groups is still one. */
const namesOf = (some) => new Set(some.map((one) => one.entry)).size;

/** The section of the answer; `choose(group, sent)` lets somebody say who a name in doubt is. */
export class Answer {
  constructor(root, choose) {
    this.root = root;
    this.choose = choose;
    this.view = "matrix";
    this.matrix = new Matrix(byId("frame"), byId("matrix"), byId("not-printed"), (row, column) => openPair(this.result, row, column));
    byId("matrix").addEventListener("focus", () => this.matrix.focus());
    for (const button of root.querySelectorAll("[data-view]")) button.addEventListener("click", () => this.#look(button.dataset.view));
    for (const id of ["order", "hide"]) byId(id).addEventListener("change", () => this.#arrange());
    byId("more-pairs").addEventListener("click", () => this.#list(this.listed + AT_ONCE));
    byId("print").addEventListener("click", () => print());
    this.#button("copy-link", async () => {
      await toClipboard(location.href);
      return gettext("The link is copied. It holds the whole question; who opens it sees the names.");
    });
    this.#button("copy-text", async () => {
      await toClipboard(take.text(this.result, this.#said()));
      return gettext("The pairs are copied as text.");
    });
    this.#saving("save-csv", "pubmeta.csv", "text/csv;charset=utf-8", take.csv);
    this.#saving("save-json", "pubmeta.json", "application/json", (result, answer) => JSON.stringify(answer, null, 1));
    addEventListener("beforeprint", () => {
      if (!this.result) return;
      this.#list(Infinity);
      byId("doubts-names").parentElement.open = true; // What cannot be told is not among the pairs.
    });
  }

  /** Show what was found: `asked` is the question as it was sent, `names` what was written, `found` the answer. */
  show({ asked, names, found }) {
    performance.mark("answered");
    this.result = new Result({ asked, names, found });
    this.root.hidden = false;
    byId("done").textContent = "";
    this.outdated(false);
    const { summary, question } = this.#said();
    byId("summary").textContent = summary;
    byId("asked").textContent = question;
    this.#doubts();
    this.#look(this.view);
    byId("summary").focus({ preventScroll: true });
    byId("summary").scrollIntoView({ block: "start" });
    performance.measure("drawn", "answered");
  }

  /** Say whether the question has changed since it was answered. */
  outdated(is) {
    byId("outdated").hidden = !is;
  }

  /** Show no answer. */
  hide() {
    this.root.hidden = true;
  }

  #said() {
    const { result } = this;
    const pairs = result.counts.length;
    const [together, possible, same] = [TOGETHER, POSSIBLE, SAME].map((verdict) => result.count(verdict));
    const doubtful = namesOf(result.doubtful());
    const parts = [
      fill(ngettext("%(n)s of %(all)s pairs has written together", "%(n)s of %(all)s pairs have written together", together), { n: number(together), all: number(pairs) }),
      possible && fill(ngettext("%(n)s more may have", "%(n)s more may have", possible), { n: number(possible) }),
      same && fill(ngettext("%(n)s is one and the same person", "%(n)s are one and the same person", same), { n: number(same) }),
      doubtful && fill(ngettext("%(n)s name could not be told", "%(n)s names could not be told", doubtful), { n: number(doubtful) }),
    ];
    const since = result.asked.year_min;
    const question = [
      since ? fill(gettext("Publications since %(year)s"), { year: since }) : gettext("Publications of all years"),
      result.asked.exact_base_match ? gettext("exact names") : gettext("similar names, too"),
    ];
    return { summary: sentence(joined(parts, gettext("; "))), question: sentence(joined(question)) };
  }

  #doubts() {
    const doubtful = this.result.doubtful();
    const names = namesOf(doubtful);
    byId("doubts").hidden = !doubtful.length;
    byId("doubts-summary").textContent = fill(
      ngettext(
        "%(n)s name is in doubt: nobody has it, or several people do. Where it has no publication together with somebody, the answer is “?”, not zero.",
        "%(n)s names are in doubt: nobody has them, or several people do. Where they have no publication together with somebody, the answer is “?”, not zero.",
        names,
      ),
      { n: number(names) },
    );
    byId("doubts-names").replaceChildren(...doubtful.map((one) => {
      const item = put(copy("doubt"), { name: one.label, group: one.group === "left" ? gettext("One group") : gettext("The other group"), says: says(one.resolved, one.label) });
      const button = item.querySelector("button");
      button.setAttribute("aria-label", `${one.label}: ${button.textContent}`);
      // Where the name is not in its box any more, as is said above, there is nothing to pick for.
      button.addEventListener("click", () => (button.disabled = !this.choose(one.group, one.entry)));
      return item;
    }));
  }

  #look(view) {
    this.view = view;
    for (const button of this.root.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", button.dataset.view === view);
    for (const panel of this.root.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== view;
    for (const part of this.root.querySelectorAll(".only-matrix")) part.hidden = view !== "matrix";
    if (view === "matrix") this.#arrange();
    if (view === "network") drawNetwork(byId("network"), byId("network-note"), this.result, (row, column) => openPair(this.result, row, column));
    if (view === "list") this.#list(AT_ONCE);
  }

  #arrange() {
    const { rows, columns } = order(this.result, byId("order").value, byId("hide").checked);
    byId("frame").hidden = !rows.length || !columns.length;
    this.matrix.show(this.result, rows, columns);
    const [left, right] = [this.result.left.length - rows.length, this.result.right.length - columns.length];
    byId("hidden-note").textContent = left || right
      ? fill(gettext("Rows hidden: %(rows)s, columns: %(columns)s. They are people who have no publication together with anybody here; names in doubt stay."), { rows: number(left), columns: number(right) })
      : "";
  }

  #list(most) {
    const pairs = take.sorted(this.result);
    this.listed = Math.min(most, pairs.length);
    byId("pairs").tBodies[0].replaceChildren(...pairs.slice(0, this.listed).map((pair) => {
      const [left, right] = [this.result.left[pair.row].label, this.result.right[pair.column].label];
      const row = put(copy("pair-row"), { left, right, count: number(pair.count), sure: meaning(pair.count, pair.verdict) });
      const button = row.querySelector("button");
      button.setAttribute("aria-label", fill(gettext("%(n)s: open %(left)s and %(right)s"), { n: number(pair.count), left, right }));
      button.addEventListener("click", () => openPair(this.result, pair.row, pair.column));
      return row;
    }));
    byId("more-pairs").hidden = this.listed >= pairs.length;
  }

  /** Let a button save all that the service lists, and say what it does not list. */
  #saving(id, name, type, write) {
    this.#button(id, async () => {
      const { result } = this;
      const answer = await take.all(result);
      save(name, type, write(result, answer));
      return take.lacks(result, answer);
    });
  }

  /** Let a button do something that takes a while or fails, and say how it went. */
  #button(id, action) {
    const button = byId(id);
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        byId("done").textContent = (await action()) ?? "";
      } catch (error) {
        byId("done").textContent = error.message;
      } finally {
        button.disabled = false;
      }
    });
  }
}
