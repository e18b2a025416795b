/** What can be taken along: all pairs as CSV, the whole answer as JSON, the pairs found as text. */

import { post } from "./api.js";
import { meaning } from "./matrix.js";
import { says } from "./people.js";
import { UNKNOWN } from "./result.js";
import { day, fill, number } from "./words.js";

const WORDS = ["none", "coauthors", "possible", "unknown", "same person"];
const HEAD = ["left", "right", "count", "verdict", "title", "year", "venue", "type", "key", "url"];

/** Ask for the answer with all publications that the service lists. */
export const all = (result) => post("coauthors/pairs", { ...result.asked, sparse: true });

/** Say what an answer lacks that was asked for later than the result: publications that are not listed, or the same store. */
export function lacks(result, answer) {
  if (answer.store.built_at !== result.found.store.built_at) {
    return gettext("A new store was published meanwhile, so counts and publications may differ. Compare once more.");
  }
  const unlisted = answer.pair_pubs.reduce((sum, pair) => sum + pair.count - pair.items.length, 0);
  if (!unlisted) return "";
  const phrase = ngettext("%(n)s publication is counted but not listed: at most %(most)s of a pair are.", "%(n)s publications are counted but not listed: at most %(most)s of a pair are.", unlisted);
  return fill(phrase, { n: number(unlisted), most: number(answer.listed_per_pair) });
}

/** The pairs with publications, most first. */
export const sorted = (result) => result.pairs.toSorted((one, other) => other.count - one.count || one.row - other.row || one.column - other.column);

/** Write every pair, one without publications too: a line a publication, or a line without one. */
export function csv(result, answer) {
  const items = new Map(answer.pair_pubs.map((pair) => [`${pair.left}\n${pair.right}`, pair.items]));
  const lines = [HEAD];
  result.left.forEach((one, row) => result.right.forEach((other, column) => {
    const at = result.at(row, column);
    // What cannot be told has no number, least of all a zero.
    const count = result.verdicts[at] === UNKNOWN ? "" : result.counts[at];
    const pair = [one.label, other.label, count, WORDS[result.verdicts[at]]];
    const papers = items.get(`${one.entry}\n${other.entry}`) ?? [];
    if (!papers.length) lines.push([...pair, "", "", "", "", "", ""]);
    for (const paper of papers) lines.push([...pair, paper.title, paper.year, paper.venue, paper.pub_type, paper.key, paper.url]);
  }));
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  return `\ufeff${lines.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Write a cell (RFC 4180); what a spreadsheet would take for a formula gets an apostrophe (OWASP, "CSV Injection"). */
function cell(value) {
  const text = /^[=+\-@\t\r]/.test(value ?? "") ? `'${value}` : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Write the pairs found, a line each, below what was said of them, and the names in doubt. */
export function text(result, { summary, question }) {
  const lines = sorted(result).map((pair) => `${result.left[pair.row].label} – ${result.right[pair.column].label}: ${meaning(pair.count, pair.verdict)}`);
  const doubtful = result.doubtful().map((one) => `${one.label}: ${says(one.resolved, one.label)}`);
  const { release, built_at: built } = result.found.store;
  const source = fill(gettext("Answered from dblp of %(day)s."), { day: day(release ?? built.slice(0, 10)) });
  const doubts = doubtful.length ? ["", gettext("Names in doubt:"), ...doubtful] : [];
  return [summary, question, source, "", ...lines, ...doubts].join("\n");
}
