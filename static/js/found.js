/** How people and titles that are found are shown: as a list that grows by "Show more", and as suggestions. */

import { get } from "./api.js";
import { copy, make, put } from "./dom.js";
import { spans } from "./matching.js";
import { placed } from "./papers.js";
import { about, kindOf, pageOf, recordOf } from "./people.js";
import { fill, list, number } from "./words.js";

const AT_ONCE = 20;

/** Mark the part of a text from … up to … that was searched for; positions are of letters as Python counts them. */
function marked(text, places) {
  const letters = [...text];
  const parts = [];
  let at = 0;
  for (const [from, to] of places) {
    parts.push(letters.slice(at, from).join(""), make("mark", { textContent: letters.slice(from, to).join("") }));
    at = to;
  }
  return [...parts, letters.slice(at).join("")];
}

/** Set the text of a slot with what was searched for marked in it. */
function mark(root, slot, text, places) {
  root.querySelector(`[data-text="${slot}"]`).replaceChildren(...marked(text, places));
}

/** A person who was found, as an element of a template with the slots `name`, `kind`, `matched`, `about`, `affiliation`. */
export function personFound(person, text, template = "found-person") {
  const { name, matched, affiliation } = person;
  const other = matched === name ? "" : fill(gettext("found by another name: %(name)s"), { name: matched });
  const item = put(copy(template), { name, kind: kindOf(person), matched: other, about: about(person), affiliation });
  if (!other) mark(item, "name", name, spans(name, text));
  else mark(item, "matched", other, spansWithin(other, matched, text));
  item.querySelector("a").href = pageOf(person);
  return item;
}

/** Give the places of the words of a name that stands within a phrase; words of the phrase itself are not meant. */
function spansWithin(phrase, name, text) {
  const before = [...phrase.slice(0, phrase.lastIndexOf(name))].length;
  return spans(name, text).map(([from, to]) => [before + from, before + to]);
}

/** A publication that was found, as an element of the template `found-title`. */
export function titleFound(item) {
  const names = item.authors.map((author) => author.name);
  const rest = item.author_count - names.length;
  const authors = rest ? fill(ngettext("%(names)s and %(n)s more", "%(names)s and %(n)s more", rest), { names: names.join(", "), n: number(rest) }) : list(names);
  const line = put(copy("found-title"), { title: item.title || item.key, authors, about: placed(item) });
  if (item.title) mark(line, "title", item.title, item.matched);
  line.querySelector("a").href = recordOf(item);
  line.querySelector(".document").href = item.url;
  return line;
}

/** A person as a suggestion while that text is typed, as an element of the template `suggestion`. */
export function personSuggested(person, text) {
  const { name, matched, affiliation } = person;
  const said = [kindOf(person), matched !== name && matched, about(person), affiliation].filter(Boolean).join(" · ");
  const option = put(copy("suggestion"), { name, about: said });
  mark(option, "name", name, spans(name, text));
  return option;
}

/** A publication as a suggestion. */
export function titleSuggested(item) {
  const option = put(copy("suggestion"), { name: item.title || item.key, about: placed(item) });
  if (item.title) mark(option, "name", item.title, item.matched);
  return option;
}

/** How each kind is asked for, and shown. */
export const KINDS = {
  people: { path: "authors", show: personFound },
  titles: { path: "publications", show: titleFound },
};

/** The list of one kind; `changed()` is called when it has grown. */
export class Found {
  constructor(root, changed) {
    this.root = root;
    this.kind = KINDS[root.dataset.kind];
    this.changed = changed;
    this.list = root.querySelector("ul");
    this.button = root.querySelector("button");
    this.trouble = root.querySelector(".error");
    this.button.addEventListener("click", () => this.#more());
    this.show("", { items: [], next: null });
  }

  /** Ask for the first people or titles of a text. */
  ask(text, signal, limit = AT_ONCE) {
    return get(this.kind.path, { q: text, limit }, signal);
  }

  /** Show the first people or titles of a text, as they were answered. */
  show(text, { items, next }) {
    this.text = text;
    this.list.replaceChildren();
    this.count = 0;
    this.#add(items, next);
    this.root.hidden = !items.length;
  }

  #add(items, next) {
    this.list.append(...items.map((item) => this.kind.show(item, this.text)));
    this.count += items.length;
    this.next = next;
    this.button.hidden = !next;
    this.trouble.textContent = "";
  }

  async #more() {
    const { text, count, next } = this;
    this.button.disabled = true;
    try {
      const body = await get(this.kind.path, { q: text, limit: AT_ONCE, cursor: next });
      if (this.text !== text || this.next !== next) return; // Somebody has searched for something else meanwhile.
      this.#add(body.items, body.next);
      this.list.children[count]?.querySelector("a").focus(); // Who reads on by keyboard goes on here.
      this.changed();
    } catch (error) {
      if (this.text === text) this.trouble.textContent = error.message;
    } finally {
      this.button.disabled = false;
    }
  }
}
