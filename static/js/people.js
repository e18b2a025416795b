/** How people are told apart, in words. */

import { fill, joined, list, number, years } from "./words.js";

/** Say how much somebody has published. */
export const published = (count) => fill(ngettext("%(n)s publication", "%(n)s publications", count), { n: number(count) });

/** Say who somebody is besides the name: publications, years, usual venues, pid. */
export function about(person) {
  const parts = [published(person.publications), years(person.first_year, person.last_year), list(person.venues ?? []), person.pid && `pid ${person.pid}`];
  return parts.filter(Boolean).join(" · ");
}

/** Say what a page of dblp is that is no person's; nothing for a person's. */
export const kindOf = (person) => ({ group: gettext("a group"), disambiguation: gettext("people not yet told apart") })[person.kind];

/** The address of the page of somebody, in this service. */
export const pageOf = (person) => `${document.body.dataset.person}#${encodeURIComponent(person.pid ? `pid:${person.pid}` : person.name)}`;

/** The address of the page of a publication, in this service. */
export const recordOf = (publication) => `${document.body.dataset.publication}#${encodeURIComponent(publication.key)}`;

/** Say whom an entry stands for, beside what is `shown` of it. */
export function says(resolved, shown) {
  const { status, method, total, truncated } = resolved;
  if (status === "none") return gettext("nobody in dblp has this name");
  if (status === "disambiguation") return fill(gettext("not told apart by dblp, %(n)s found"), { n: number(total) });
  if (status === "several") {
    const phrase = truncated ? gettext("more than %(n)s people") : ngettext("%(n)s person", "%(n)s people", total);
    return fill(phrase, { n: number(total) });
  }
  const [person] = resolved.authors;
  const how = { fulltext: gettext("by a similar name"), substring: gettext("by a part of the name"), alias: gettext("another name of this person") }[method];
  const name = person.name === shown ? "" : fill(gettext("in dblp %(name)s"), { name: person.name });
  return joined([name, how]);
}
