/** The page that searches people and titles; what is searched lives in the address. */

import { entitle, readSearch, whenNamed, writeSearch } from "./address.js";
import { get } from "./api.js";
import { byId, tell } from "./dom.js";
import { Found, personSuggested, titleSuggested } from "./found.js";
import { pageOf, recordOf } from "./people.js";
import { suggest } from "./suggest.js";
import { fill, list, number } from "./words.js";

const FEW = 5; // People that are shown, and suggestions of each kind, where both kinds are searched.
const SUGGESTED = 8;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** Let the last word of a title go on while somebody types; of one or two letters too many words begin so. */
const unfinished = (text) => (/[\p{L}\p{N}]{3}$/u.test(text) && text.split('"').length % 2 ? `${text}*` : text);

const form = byId("search");

if (form) {
  const field = byId("sought");
  const tally = byId("tally");
  const [people, titles] = ["people", "titles"].map((kind) => new Found(document.querySelector(`[data-kind=${kind}]`), () => sum()));
  const wanted = (kind) => [people, titles].filter((one) => kind === "all" || one.root.dataset.kind === kind);
  const sought = () => ({ kind: form.elements.kind.value, text: field.value.normalize("NFC").trim() });
  let controller;

  function clear() {
    controller?.abort(); // Of an earlier search nothing is to be shown any more.
    for (const one of [people, titles]) one.show("", { items: [], next: null });
  }

  /** Say how much is shown; whether there is more is known, how much more is not. */
  function sum() {
    const parts = [
      people.count && fill(people.next ? ngettext("the first person", "the first %(n)s people", people.count) : ngettext("%(n)s person", "%(n)s people", people.count), { n: number(people.count) }),
      titles.count && fill(titles.next ? ngettext("the first title", "the first %(n)s titles", titles.count) : ngettext("%(n)s title", "%(n)s titles", titles.count), { n: number(titles.count) }),
    ].filter(Boolean);
    tally.textContent = parts.length ? fill(gettext("Found: %(what)s."), { what: list(parts) }) : nothing();
  }

  function nothing() {
    const { kind, text } = sought();
    const phrase = {
      people: gettext("Nobody was found for “%(text)s”. Is it spelt as in dblp? Fewer words find more."),
      titles: gettext("No title was found for “%(text)s”. Fewer words find more, and so does a word that ends in *."),
      all: gettext("Neither people nor titles were found for “%(text)s”. Is it spelt as in dblp? Fewer words find more."),
    }[kind];
    return fill(phrase, { text });
  }

  /** Search for what is in the form, and show it. */
  async function search() {
    const one = sought();
    tell("");
    entitle(one.text ? fill(gettext("“%(text)s” – search"), one) : gettext("Search"));
    if (!HAS_WORD.test(one.text)) {
      clear();
      tally.textContent = gettext("Type a name, or a word of a title: there is nothing in the field to search for.");
      return field.focus();
    }
    tally.textContent = gettext("searching …");
    controller?.abort();
    const { signal } = (controller = new AbortController());
    try {
      const found = await Promise.all(wanted(one.kind).map((some) => some.ask(one.text, signal, one.kind === "all" && some === people ? FEW : undefined)));
      clear();
      wanted(one.kind).forEach((shown, index) => shown.show(one.text, found[index]));
      sum();
    } catch (error) {
      if (error.name === "AbortError") return;
      clear();
      tally.textContent = "";
      tell(error.message);
    }
  }

  function submit() {
    const fragment = writeSearch(sought());
    if (fragment !== location.hash) history.pushState(null, "", fragment);
    return search();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tally.focus({ preventScroll: true }); // Takes the suggestions away, and the next Tab leads to what is found.
    submit();
  });
  for (const choice of form.elements.kind) choice.addEventListener("change", () => field.value && submit());

  /** Show the search that the address has; without one the page is as at first. */
  whenNamed(async () => {
    try {
      const one = readSearch();
      form.elements.kind.value = one?.kind ?? "all";
      field.value = one?.text ?? "";
      if (one) return await search();
      tell("");
    } catch (error) {
      tell(error.message);
    }
    clear();
    tally.textContent = "";
    entitle(gettext("Search"));
    field.focus();
  });

  suggest(field, byId("suggestions"), {
    typed: () => sought().text,
    find: async (q, signal) => {
      const { kind } = sought();
      const limit = kind === "all" ? FEW : SUGGESTED;
      const paths = { all: ["authors", "publications"], people: ["authors"], titles: ["publications"] }[kind];
      const text = { authors: q, publications: unfinished(q) };
      return (await Promise.all(paths.map((path) => get(path, { q: text[path], limit }, signal)))).flatMap((body) => body.items);
    },
    show: (item) => ("name" in item ? personSuggested(item, sought().text) : titleSuggested(item)),
    take: (item) => location.assign("name" in item ? pageOf(item) : recordOf(item)),
  });
}
