/** The two groups as a network: a dot a name, a line a pair; the list says the same in words. */

import { d3 } from "./dom.js";
import { POSSIBLE, SAME } from "./result.js";
import { meaning } from "./matrix.js";
import { fill, number } from "./words.js";

const MOST = 300; // Lines; more of them are a cloud in which nobody sees anything.
const [SIDE, EDGE] = [130, 40]; // Room for the names beside the outermost dots, and above and below them.
const LEAST = 300; // Of the height.
const STEPS = 300; // Of the simulation, all before it is drawn: nothing moves about, nothing has to be waited for.

let newest; // Of several that wait for d3 only the last is drawn.

/** Draw a result; `open(row, column)` is called for a line that is chosen. */
export async function drawNetwork(svg, note, result, open) {
  const pairs = result.pairs.filter((pair) => pair.count).toSorted((one, other) => other.count - one.count).slice(0, MOST);
  const left = [...new Set(pairs.map((pair) => pair.row))].map((place) => ({ id: `l${place}`, label: result.left[place].label, side: "left" }));
  const right = [...new Set(pairs.map((pair) => pair.column))].map((place) => ({ id: `r${place}`, label: result.right[place].label, side: "right" }));
  const all = result.pairs.filter((pair) => pair.count).length;
  note.textContent = pairs.length
    ? fill(gettext("%(shown)s of %(all)s pairs; circles are of one group, squares of the other, broken lines are not sure. The list says the same in words."), { shown: number(pairs.length), all: number(all) })
    : gettext("No pair has written together, so there is no network.");
  const mine = (newest = {});
  svg.replaceChildren();
  if (!pairs.length) return;
  let d3s;
  try {
    d3s = await d3();
  } catch (error) {
    note.textContent = error.message;
    return;
  }
  if (mine !== newest) return;
  const { forceSimulation, forceLink, forceManyBody, forceX, forceY, forceCollide, select, extent } = d3s;
  const nodes = [...left, ...right];
  const links = pairs.map((pair) => ({ source: `l${pair.row}`, target: `r${pair.column}`, pair }));
  const simulation = forceSimulation(nodes)
    .force("link", forceLink(links).id((node) => node.id).distance(90))
    .force("charge", forceManyBody().strength(-160))
    .force("apart", forceCollide(22))
    .force("x", forceX((node) => (node.side === "left" ? -120 : 120)).strength(0.06))
    .force("y", forceY().strength(0.08))
    .stop();
  simulation.tick(STEPS);
  const [[x0, x1], [y0, y1]] = [extent(nodes, (node) => node.x), extent(nodes, (node) => node.y)];
  // Names stay as large as they are; where they need more room than there is, the frame scrolls.
  const [width, height] = [Math.max(svg.parentElement.clientWidth, x1 - x0 + 2 * SIDE), Math.max(LEAST, y1 - y0 + 2 * EDGE)];
  const drawing = select(svg).attr("width", width).attr("height", height).attr("viewBox", `${(x0 + x1 - width) / 2} ${(y0 + y1 - height) / 2} ${width} ${height}`);
  svg.parentElement.scrollTo((width - svg.parentElement.clientWidth) / 2, 0);
  const lines = drawing.append("g").selectAll("g").data(links).join("g").attr("class", ({ pair }) => (pair.verdict === POSSIBLE || pair.verdict === SAME ? "unsure" : ""));
  // A wide line that is not seen lies over the one that is, for fingers to hit.
  for (const [name, strength] of [["seen", ({ pair }) => 0.75 + Math.min(4, Math.sqrt(pair.count) / 2)], ["hit", 16]]) {
    const line = lines.append("line").attr("class", name).attr("stroke-width", strength);
    for (const [place, end] of [[1, "source"], [2, "target"]]) line.attr(`x${place}`, (link) => link[end].x).attr(`y${place}`, (link) => link[end].y);
  }
  lines.on("click", (_, { pair }) => open(pair.row, pair.column));
  lines.append("title").text(({ pair }) => `${result.left[pair.row].label} – ${result.right[pair.column].label}: ${meaning(pair.count, pair.verdict)}`);
  const groups = drawing.append("g").selectAll("g").data(nodes).join("g").attr("class", (node) => node.side).attr("transform", (node) => `translate(${node.x} ${node.y})`);
  groups.filter((node) => node.side === "left").append("circle").attr("r", 6);
  groups.filter((node) => node.side === "right").append("rect").attr("x", -5.5).attr("y", -5.5).attr("width", 11).attr("height", 11);
  groups.append("text").attr("x", (node) => (node.side === "left" ? -10 : 10)).attr("dy", "0.35em").attr("text-anchor", (node) => (node.side === "left" ? "end" : "start")).text((node) => node.label);
}
