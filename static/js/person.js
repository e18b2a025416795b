/** The page of a person: who it is, with whom, when and what; of several people of a name, whom to choose. */

import { entitle, readName, whenNamed, writeSearch } from "./address.js";
import { get, latest, post } from "./api.js";
import { byId, copy, put, tell } from "./dom.js";
import { personFound } from "./found.js";
import { isIdentifier, writePick } from "./names.js";
import { kindOf, pageOf, published } from "./people.js";
import { drawYears } from "./plot.js";
import * as question from "./question.js";
import { Works } from "./works.js";
import { fill, list, number, years } from "./words.js";

const page = byId("person");

if (page) {
  const works = new Works(page.querySelector(".works"));

  const find = latest(async (entry, signal) => {
    const { resolution: [resolved] } = await post("authors/resolve", { entries: [entry] }, { signal });
    const people = resolved.authors;
    // Who has no pid is linked to by the very name (`pageOf`), although others may have it with a number.
    const [one] = people.length === 1 ? people : people.filter((person) => person.name === entry && !person.pid);
    if (one) return { one: await get(`authors/${one.id}`, {}, signal) };
    if (!people.length) return {};
    // One request tells about most of them; whom it does not find is listed all the same.
    const { items } = await get("authors", { q: entry, limit: 100 }, signal);
    const described = new Map(items.map((person) => [person.id, person]));
    return { resolved, people: people.map((person) => described.get(person.id) ?? person) };
  });

  function clear(name) {
    byId("name").textContent = name;
    byId("tally").textContent = "";
    for (const id of ["trouble", "search-instead", "several", "profile"]) byId(id).hidden = true;
  }

  function searchInstead(entry) {
    const link = byId("search-instead").querySelector("a");
    link.href = page.dataset.search + (entry && !isIdentifier(entry) ? writeSearch({ kind: "people", text: entry }) : "");
    byId("search-instead").hidden = false;
  }

  function showNobody(entry) {
    const phrase = entry ? gettext("Nobody in dblp is “%(name)s”.") : gettext("This address names nobody.");
    byId("tally").textContent = fill(phrase, { name: entry });
    searchInstead(entry);
  }

  function showSeveral(entry, { total, status }, people) {
    const phrase = status === "disambiguation"
      ? gettext("“%(name)s” may be any of %(n)s in dblp, one of them a page of people who are not yet told apart. Who is it?")
      : gettext("“%(name)s” may be any of %(n)s people in dblp. Who is it?");
    byId("tally").textContent = fill(phrase, { name: entry, n: number(total) });
    byId("several").querySelector("ul").replaceChildren(...people.map((person) => personFound({ ...person, matched: person.name }, "")));
    const rest = total - people.length;
    byId("several-more").textContent = rest > 0 ? fill(ngettext("and %(n)s more person", "and %(n)s more people", rest), { n: number(rest) }) : "";
    byId("several").hidden = false;
    if (rest > 0) searchInstead(entry);
  }

  async function showOne(person) {
    const { name, kind } = person;
    clear(name);
    entitle(name);
    byId("apart").hidden = kind !== "disambiguation";
    byId("group").hidden = kind !== "group";
    put(byId("facts"), {
      names: list(person.aliases),
      publications: number(person.publications),
      years: years(person.first_year, person.last_year),
      venues: list(person.venues),
      affiliation: person.affiliation,
      pid: person.pid,
      orcid: person.orcid,
    });
    byId("pid").href = person.url ?? "";
    byId("orcid").href = `https://orcid.org/${person.orcid}`;
    showPeople("coauthors", person.coauthors, (one) => fill(ngettext("%(n)s together", "%(n)s together", one.count), { n: number(one.count) }));
    showPeople("homonyms", person.homonyms, (one) => published(one.publications));
    works.show(person.items);
    byId("profile").hidden = false;
    const drawn = drawYears(byId("years"), person.items.map((item) => item.year));
    byId("compare").hash = await question.write({ left: writePick(person), right: "", since: null, similar: false });
    await drawn;
  }

  function showPeople(id, people, says) {
    byId(id).hidden = !people.length;
    byId(id).querySelector(".names").replaceChildren(...people.map((person) => {
      const item = put(copy("somebody"), { name: person.name, about: [kindOf(person), says(person)].filter(Boolean).join(" · ") });
      item.querySelector("a").href = pageOf(person);
      return item;
    }));
  }

  whenNamed(async () => {
    clear(gettext("Person"));
    entitle(gettext("Person"));
    try {
      const entry = readName();
      if (!entry) return showNobody("");
      if (!isIdentifier(entry)) clear(entry);
      entitle(entry);
      byId("tally").textContent = gettext("looking …");
      const { one, resolved, people } = await find(entry);
      if (one) await showOne(one);
      else if (people) showSeveral(entry, resolved, people);
      else showNobody(entry);
    } catch (error) {
      if (error.name === "AbortError") return;
      byId("tally").textContent = "";
      tell(error.message);
    }
  });
}
