/** What was found, in the order that the names were given in, as the views need it; knows no document. */

export const NONE = 0; // Certainly no publication together.
export const TOGETHER = 1;
export const POSSIBLE = 2; // Publications together, but of whom is not sure.
export const UNKNOWN = 3; // No publication, but that cannot be told for sure.
export const SAME = 4; // One and the same person.

const VERDICTS = { coauthors: TOGETHER, possible: POSSIBLE, none: NONE, unknown: UNKNOWN };

/** A sparse answer of the API: entries of both sides, a count and a verdict of every pair. */
export class Result {
  constructor({ asked, names, found }) {
    this.asked = asked;
    this.found = found;
    this.left = side("left", found.left_authors, names.left, found.resolution.left);
    this.right = side("right", found.right_authors, names.right, found.resolution.right);
    this.counts = new Int32Array(this.left.length * this.right.length);
    this.verdicts = new Uint8Array(this.counts.length);
    this.left.forEach((one, row) => {
      if (one.sure) this.right.forEach((other, column) => other.sure || (this.verdicts[this.at(row, column)] = UNKNOWN));
      else this.verdicts.fill(UNKNOWN, this.at(row, 0), this.at(row + 1, 0));
    });
    const rows = new Map(this.left.map((one, row) => [one.entry, row]));
    const columns = new Map(this.right.map((one, column) => [one.entry, column]));
    this.pairs = found.pair_pubs.map((pair) => {
      const [row, column] = [rows.get(pair.left), columns.get(pair.right)];
      // Where a name stands for several people, one of them being the other is no more than a chance.
      const same = pair.same_person && this.left[row].sure && this.right[column].sure;
      const verdict = same ? SAME : VERDICTS[pair.verdict];
      this.counts[this.at(row, column)] = pair.count;
      this.verdicts[this.at(row, column)] = verdict;
      return { row, column, count: pair.count, verdict };
    });
  }

  /** Where a pair stands in `counts` and `verdicts`. */
  at(row, column) {
    return row * this.right.length + column;
  }

  /** How many pairs have a verdict. */
  count(verdict) {
    return this.pairs.reduce((sum, pair) => sum + (pair.verdict === verdict), 0);
  }

  /** The entries that are not one person for sure; a name may be one of both groups. */
  doubtful() {
    return [...this.left, ...this.right].filter((one) => !one.sure);
  }
}

function side(group, entries, names, resolution) {
  const shown = new Map(names.map((name) => [name.sent, name.shown]));
  return entries.map((entry, index) => {
    const resolved = resolution[index];
    const sure = resolved.status === "one" && !resolved.truncated;
    // Identifiers say nothing to a reader where no name stood beside them.
    const label = shown.get(entry) ?? entry;
    return { group, entry, label: label === entry && resolved.method === "identifier" && sure ? resolved.authors[0].name : label, resolved, sure };
  });
}
