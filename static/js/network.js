/** The two groups as a network: a column of names each, a line for each pair; the list says the same in words. */

import { d3, draw } from "./dom.js";
import { POSSIBLE, SAME } from "./result.js";
import { meaning } from "./matrix.js";
import { fill, number } from "./words.js";

const MOST = 300; // Lines; more of them are a cloud in which nobody sees anything.
const ROW = 24; // Height of a name.
const GAP = 14; // Between a name and its dot.
const ROUNDS = 12; // Of putting names beside those that they have written with; then little changes.

let newest; // Of several that wait for d3 only the last is drawn.

/** Draw a result; `open(row, column)` is called for a line that is chosen. */
export async function drawNetwork(svg, note, result, open) {
  const all = result.pairs.filter((pair) => pair.count);
  const pairs = all.toSorted((one, other) => other.count - one.count).slice(0, MOST);
  note.textContent = pairs.length
    ? fill(gettext("%(shown)s of %(all)s pairs; circles are of one group, squares of the other, broken lines are not sure. The list says the same in words."), { shown: number(pairs.length), all: number(all.length) })
    : gettext("No pair has written together, so there is no network.");
  const mine = (newest = {});
  draw(svg, () => svg.replaceChildren());
  svg.removeAttribute("height");
  if (!pairs.length) return;
  let d3s;
  try {
    d3s = await d3();
  } catch (error) {
    note.textContent = error.message;
    return;
  }
  if (mine !== newest) return;
  const sides = arranged(pairs);
  draw(svg, () => drawPairs(d3s, svg, result, pairs, sides, open));
}

function drawPairs(d3s, svg, result, pairs, [left, right], open) {
  const width = svg.clientWidth;
  const edge = width * 0.38; // Where the names end, and the lines begin.
  const height = ROW * Math.max(left.length, right.length);
  // The shorter column is spread over the height of the longer one.
  const places = (some) => new Map(some.map((place, index) => [place, ((index + 0.5) * height) / some.length]));
  const [leftPlaces, rightPlaces] = [places(left), places(right)];
  svg.replaceChildren();
  const drawing = d3s.select(svg).attr("height", height).attr("viewBox", `0 0 ${width} ${height}`);
  const curve = d3s.linkHorizontal().source(({ row }) => [edge, leftPlaces.get(row)]).target(({ column }) => [width - edge, rightPlaces.get(column)]);
  const lines = drawing.append("g").selectAll("g").data(pairs).join("g").attr("class", ({ verdict }) => (verdict === POSSIBLE || verdict === SAME ? "unsure" : ""));
  lines.append("path").attr("class", "seen").attr("d", curve).attr("stroke-width", ({ count }) => 0.75 + Math.min(4, Math.sqrt(count) / 2));
  lines.append("path").attr("class", "hit").attr("d", curve); // Wide, and not seen: for fingers.
  lines.on("click", (_, pair) => open(pair.row, pair.column));
  lines.append("title").text((pair) => `${result.left[pair.row].label} – ${result.right[pair.column].label}: ${meaning(pair.count, pair.verdict)}`);
  const write = (some, entries, at, x, anchor) => {
    const names = drawing.append("g").selectAll("g").data(some).join("g").attr("transform", (place) => `translate(${x} ${at.get(place)})`);
    const text = names.append("text").attr("x", anchor === "end" ? -GAP : GAP).attr("dy", "0.35em").attr("text-anchor", anchor);
    text.text((place) => entries[place].label).each(shortened(edge - GAP));
    names.append("title").text((place) => entries[place].label);
    return names;
  };
  write(left, result.left, leftPlaces, edge, "end").append("circle").attr("r", 5);
  write(right, result.right, rightPlaces, width - edge, "start").append("rect").attr("x", -5).attr("y", -5).attr("width", 10).attr("height", 10);
}

/** Shorten the text of an element that is wider than the room for it. */
function shortened(room) {
  return function shorten() {
    const letters = [...this.textContent];
    while (letters.length && this.getComputedTextLength() > room) {
      letters.pop();
      this.textContent = `${letters.join("").trimEnd()}…`;
    }
  };
}

/** Give the rows and the columns of pairs, each beside those that it has pairs with, so that few lines cross. */
function arranged(pairs) {
  let rows = [...new Set(pairs.map((pair) => pair.row))];
  let columns = [...new Set(pairs.map((pair) => pair.column))];
  const beside = (some, of, others, ofOther) => {
    const at = new Map(others.map((place, index) => [place, index / others.length]));
    const sums = new Map(some.map((place) => [place, [0, 0]]));
    for (const pair of pairs) {
      const sum = sums.get(of(pair));
      sum[0] += at.get(ofOther(pair));
      sum[1] += 1;
    }
    const middle = (place) => sums.get(place)[0] / sums.get(place)[1];
    return some.toSorted((one, other) => middle(one) - middle(other));
  };
  const [row, column] = [(pair) => pair.row, (pair) => pair.column];
  for (let round = 0; round < ROUNDS; round += 1) {
    columns = beside(columns, column, rows, row);
    rows = beside(rows, row, columns, column);
  }
  return [rows, columns];
}
