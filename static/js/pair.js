/** The dialog of a pair: who the two are, what they wrote together, and when. */

import { byId, copy, make, put } from "./dom.js";
import { latest, post } from "./api.js";
import { meaning } from "./matrix.js";
import { paper } from "./papers.js";
import { kindOf, pageOf, published, says } from "./people.js";
import { drawYears } from "./plot.js";
import { fill, number, sentence } from "./words.js";

const ask = latest((body, signal) => post("coauthors/pairs", body, { signal }));
let opened; // The pair that the dialog is about now; what comes for another one is not shown.

/** Open a pair of a result. */
export async function openPair(result, row, column) {
  const dialog = byId("pair");
  const [one, other] = [result.left[row], result.right[column]];
  const at = result.at(row, column);
  const mine = (opened = {});
  byId("pair-title").textContent = fill(gettext("%(one)s and %(other)s"), { one: one.label, other: other.label });
  byId("pair-verdict").textContent = sentence(meaning(result.counts[at], result.verdicts[at]));
  byId("pair-people").replaceChildren(...[one, other].map(somebody));
  byId("pair-papers").replaceChildren();
  byId("pair-years").toggleAttribute("hidden", true);
  byId("pair-note").textContent = "";
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  if (!result.counts[at]) return;
  byId("pair-note").textContent = gettext("looking …");
  try {
    const { pair_pubs: [pair] } = await ask({ ...result.asked, left: [one.entry], right: [other.entry] });
    if (mine !== opened) return;
    const items = pair?.items ?? [];
    byId("pair-papers").replaceChildren(...items.map(paper));
    const unlisted = (pair?.count ?? 0) - items.length;
    byId("pair-note").textContent = unlisted ? fill(ngettext("and %(n)s older one", "and %(n)s older ones", unlisted), { n: number(unlisted) }) : "";
    await drawYears(byId("pair-years"), items.map((item) => item.year), () => mine === opened);
  } catch (error) {
    if (mine === opened && error.name !== "AbortError") byId("pair-note").textContent = error.message;
  }
}

/** Close the dialog where it is open: another question is asked. */
export function closePair() {
  byId("pair").close();
}

function somebody({ label, resolved }) {
  const block = put(copy("somebody"), { entry: label, says: says(resolved) });
  block.querySelector("ul").replaceChildren(...resolved.authors.map((person) => {
    const link = make("a", { href: pageOf(person), textContent: person.name });
    const more = [kindOf(person), published(person.publications), person.pid && `pid ${person.pid}`].filter(Boolean);
    return make("li", {}, link, ` · ${more.join(" · ")}`);
  }));
  return block;
}
