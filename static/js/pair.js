/** The dialog of a pair: who the two are, what they wrote together, and when. */

import { byId, copy, make, put } from "./dom.js";
import { latest, post } from "./api.js";
import { meaning } from "./matrix.js";
import { paper } from "./papers.js";
import { kindOf, pageOf, published, says } from "./people.js";
import { drawYears } from "./plot.js";
import { POSSIBLE, SAME, UNKNOWN } from "./result.js";
import { fill, joined, list, number, sentence } from "./words.js";

const ask = latest((body, signal) => post("coauthors/pairs", body, { signal }));
let opened; // The pair that the dialog is about now; what comes for another one is not shown.

/** Open a pair of a result. */
export async function openPair(result, row, column) {
  const dialog = byId("pair");
  const [one, other] = [result.left[row], result.right[column]];
  const at = result.at(row, column);
  const mine = (opened = {});
  byId("pair-title").textContent = fill(gettext("%(one)s and %(other)s"), { one: one.label, other: other.label });
  const verdict = result.verdicts[at];
  const since = result.asked.year_min && fill(gettext("since %(year)s"), { year: result.asked.year_min });
  byId("pair-verdict").textContent = sentence(joined([meaning(result.counts[at], verdict), verdict !== SAME && since]));
  byId("pair-people").replaceChildren(...[one, other].map(somebody));
  byId("pair-papers").replaceChildren();
  byId("pair-years").toggleAttribute("hidden", true);
  byId("pair-note").textContent = "";
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  if (verdict === UNKNOWN && one.resolved.total && other.resolved.total) {
    byId("pair-note").textContent = gettext("Nobody of these has a publication together with the other; but it is not sure that one of them is meant.");
  }
  if (!result.counts[at]) return;
  byId("pair-note").textContent = gettext("looking …");
  try {
    const { pair_pubs: [pair] } = await ask({ ...result.asked, left: [one.entry], right: [other.entry] });
    if (mine !== opened) return;
    const items = pair?.items ?? [];
    const papers = items.map(paper);
    byId("pair-papers").replaceChildren(...papers);
    const unlisted = (pair?.count ?? 0) - items.length;
    byId("pair-note").textContent = unlisted ? fill(ngettext("and %(n)s older one", "and %(n)s older ones", unlisted), { n: number(unlisted) }) : "";
    if (verdict === POSSIBLE) {
      const pairs = await whose(result, one, other).catch(() => []); // The publications are there without it.
      if (mine !== opened) return;
      items.forEach((item, index) => {
        const names = pairs.filter((each) => each.keys.has(item.key)).flatMap((each) => each.names);
        if (names.length) papers[index].append(make("div", { className: "small", textContent: fill(gettext("by %(names)s"), { names: list([...new Set(names)]) }) }));
      });
    }
    await drawYears(byId("pair-years"), items.map((item) => item.year), () => mine === opened);
  } catch (error) {
    if (mine === opened && error.name !== "AbortError") byId("pair-note").textContent = error.message;
  }
}

/** Ask which of the people that two entries stand for have written together; of more than are listed nobody knows. */
async function whose(result, one, other) {
  const [left, right] = [one, other].map(({ resolved }) => resolved.authors.map((person) => (person.pid ? `pid:${person.pid}` : `name:${person.name}`)));
  const { pair_pubs: pairs, resolution } = await ask({ ...result.asked, left, right, sparse: true });
  const names = new Map([...resolution.left, ...resolution.right].map(({ entry, authors }) => [entry, authors[0]?.name ?? entry]));
  return pairs.map((pair) => ({ names: [names.get(pair.left), names.get(pair.right)], keys: new Set(pair.items.map((item) => item.key)) }));
}

/** Close the dialog where it is open: another question is asked. */
export function closePair() {
  byId("pair").close();
}

function somebody({ label, resolved }) {
  const block = put(copy("somebody"), { entry: label, says: says(resolved, label) });
  block.querySelector("ul").replaceChildren(...resolved.authors.map((person) => {
    const link = make("a", { href: pageOf(person), textContent: person.name, target: "_blank", rel: "noopener" });
    const more = [kindOf(person), published(person.publications), person.pid && `pid ${person.pid}`].filter(Boolean);
    return make("li", {}, link, ` · ${more.join(" · ")}`);
  }));
  return block;
}
