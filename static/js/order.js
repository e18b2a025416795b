/** In which order rows and columns stand, and which of them need not be shown. */

import { NONE, UNKNOWN } from "./result.js";

const collator = new Intl.Collator(document.documentElement.lang);

/**
 * Give the places of the rows and columns to be shown, by `given`, `count` or `name`; if so wanted without people for
 * whom nothing was found. A name in doubt is never hidden: that nothing was found says nothing of it.
 */
export function order(result, by, hide) {
  const [left, right] = [totals(result.left.length), totals(result.right.length)];
  const { length } = result.right;
  result.counts.forEach((count, at) => {
    const isFound = result.verdicts[at] !== NONE && result.verdicts[at] !== UNKNOWN;
    const [row, column] = [Math.floor(at / length), at % length];
    left.count[row] += count;
    right.count[column] += count;
    if (isFound || !result.left[row].sure) left.shown[row] = 1;
    if (isFound || !result.right[column].sure) right.shown[column] = 1;
  });
  return { rows: places(result.left, left, by, hide), columns: places(result.right, right, by, hide) };
}

const totals = (length) => ({ count: new Int32Array(length), shown: new Uint8Array(length) });

function places(side, sums, by, hide) {
  const all = side.map((_, place) => place).filter((place) => !hide || sums.shown[place]);
  if (by === "count") all.sort((one, other) => sums.count[other] - sums.count[one] || one - other);
  if (by === "name") all.sort((one, other) => collator.compare(side[one].label, side[other].label));
  return all;
}
