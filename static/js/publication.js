/** The page of a publication: who signed it, where it appeared, its BibTeX, and its record as dblp has it. */

import { entitle, readName, whenNamed } from "./address.js";
import { get, latest, Refused } from "./api.js";
import { copies } from "./clipboard.js";
import { byId, copy, put, save } from "./dom.js";
import { typeOf } from "./papers.js";
import { pageOf } from "./people.js";
import { fill, number } from "./words.js";

const page = byId("publication");

if (page) {
  let shown;

  /** The slashes of a key are those of the path. */
  const find = latest((key, signal) => get(`publications/${key.split("/").map(encodeURIComponent).join("/")}`, {}, signal));

  /** Say what dblp marks a record as; marks that it may add one day are shown by their own names. */
  const marks = {
    informal: gettext("informal, such as a preprint"),
    withdrawn: gettext("withdrawn"),
    survey: gettext("survey"),
    data: gettext("data set"),
    software: gettext("software"),
  };
  const markOf = (word) => marks[word] ?? word;

  function clear() {
    byId("title").textContent = gettext("Publication");
    entitle(gettext("Publication"));
    byId("tally").textContent = "";
    for (const id of ["trouble", "search-instead", "whole"]) byId(id).hidden = true;
  }

  function showNothing(message) {
    byId("tally").textContent = message;
    byId("search-instead").hidden = false;
  }

  function showNames(id, names, head) {
    byId(id).hidden = !names.length;
    byId(`${id}-head`).textContent = fill(head, { n: number(names.length) });
    byId(id).querySelector("ol").replaceChildren(...names.map((person) => {
      const item = put(copy("somebody"), { name: person.name });
      item.querySelector("a").href = pageOf(person);
      return item;
    }));
  }

  function show(item) {
    shown = item;
    clear();
    const title = item.title || item.key;
    byId("title").textContent = title;
    entitle(title);
    const marks = item.publtype?.split(/\s+/) ?? [];
    byId("withdrawn").hidden = !marks.includes("withdrawn");
    const [authors, editors] = ["author", "editor"].map((role) => item.authors.filter((one) => one.role === role));
    showNames("authors", authors, ngettext("Author", "Authors (%(n)s)", authors.length));
    showNames("editors", editors, ngettext("Editor", "Editors (%(n)s)", editors.length));
    const { year, venue, url, dblp_url: record } = item;
    put(byId("facts"), {
      year,
      venue,
      type: [typeOf(item), ...marks.map(markOf)].join(" · "),
      document: url === record ? "" : url,
      record,
    });
    byId("document").href = url;
    byId("record").href = record;
    byId("bibtex").textContent = item.bibtex;
    byId("raw").textContent = item.raw_xml;
    for (const status of byId("whole").querySelectorAll("[role=status]")) status.textContent = "";
    byId("whole").hidden = false;
  }

  whenNamed(async () => {
    clear();
    try {
      const key = readName();
      if (!key) return showNothing(gettext("This address names no publication."));
      byId("title").textContent = key;
      byId("tally").textContent = gettext("looking …");
      show(await find(key));
    } catch (error) {
      if (error.name === "AbortError") return;
      byId("tally").textContent = "";
      if (error instanceof Refused && error.status === 404) return showNothing(gettext("There is no publication with this key in the store."));
      byId("trouble").textContent = error.message;
      byId("trouble").hidden = false;
    }
  });

  const statusOf = (id) => byId(id).parentElement.querySelector("[role=status]");
  copies(byId("copy-bibtex"), byId("bibtex"), statusOf("copy-bibtex"));
  copies(byId("copy-raw"), byId("raw"), statusOf("copy-raw"));
  byId("save-bibtex").addEventListener("click", () => save(`${shown.key.replace(/[^\w.-]+/g, "-")}.bib`, "application/x-bibtex;charset=utf-8", shown.bibtex));
}
