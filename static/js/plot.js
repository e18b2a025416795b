/** A small plot: publications a year, as bars. */

import { d3, draw } from "./dom.js";
import { fill, number } from "./words.js";

const HEIGHT = 120;
const BELOW = 20; // Room for the years.
const BESIDE = 16; // And for half of the first and the last one.
const LABEL = 52; // As wide as a year with some room around it.

/**
 * Draw how many there are of each year; what has no year is left out, and of a single year there is nothing to see.
 * `wanted` tells, once all is there to draw with, whether it is still to be drawn.
 */
export async function drawYears(svg, given, wanted = () => true) {
  const known = given.filter(Boolean);
  const [first, last] = [Math.min(...known), Math.max(...known)];
  svg.toggleAttribute("hidden", known.length < 2 || first === last);
  if (svg.hasAttribute("hidden")) return;
  const d3s = await d3();
  if (wanted()) draw(svg, () => drawBars(d3s, svg, known, first, last));
}

function drawBars({ scaleBand, scaleLinear, range, rollup, select }, svg, known, first, last) {
  const counts = rollup(known, (some) => some.length, (year) => year);
  const all = range(first, last + 1);
  const most = Math.max(...counts.values());
  const width = svg.clientWidth || 640; // Letters are then as large as elsewhere on the page, however narrow it is.
  const x = scaleBand(all, [BESIDE, width - BESIDE]).padding(0.2);
  const y = scaleLinear([0, most], [HEIGHT - BELOW, 14]);
  const label = fill(gettext("Publications a year, %(first)s to %(last)s, at most %(most)s"), { first, last, most: number(most) });
  const drawing = select(svg).attr("viewBox", `0 0 ${width} ${HEIGHT}`).attr("aria-label", label);
  drawing.selectAll("*").remove();
  const bars = drawing.append("g").selectAll("rect").data(all.filter((year) => counts.has(year))).join("rect");
  bars.attr("x", x).attr("width", Math.min(x.bandwidth(), 40)).attr("y", (year) => y(counts.get(year))).attr("height", (year) => HEIGHT - BELOW - y(counts.get(year)));
  bars.append("title").text((year) => `${year}: ${number(counts.get(year))}`);
  drawing.append("line").attr("x1", 0).attr("x2", width).attr("y1", HEIGHT - BELOW).attr("y2", HEIGHT - BELOW);
  const step = Math.ceil(all.length / Math.max(2, Math.floor(width / LABEL)));
  const marks = all.filter((year) => (last - year) % step === 0);
  const labels = drawing.append("g").selectAll("text").data(marks).join("text").text(String);
  labels.attr("x", (year) => x(year) + Math.min(x.bandwidth(), 40) / 2).attr("y", HEIGHT - 4).attr("text-anchor", "middle");
}
