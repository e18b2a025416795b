/** People whose names are spelt a little otherwise than one that nobody has. */

import { get } from "./api.js";
import { folded, wordsOf } from "./matching.js";

const LOOKED_AT = 100; // People of each query.
const SHOWN = 8;
const ALIKE = 0.5; // Of the pairs of letters; below that two names have little in common.

/** Give those whose names are most alike, described. The first and the last word are each taken to be right, the other not. */
export async function similarTo(name) {
  const words = wordsOf(name);
  if (!words.length) return [];
  const [first, last] = [words[0], words.at(-1)];
  const queries = words.length > 1 ? [`${last} ${[...first][0]}`, `${first} ${[...last].slice(0, 2).join("")}`] : [[...first].slice(0, 3).join("")];
  const found = await Promise.all(queries.map((q) => get("authors", { q, limit: LOOKED_AT })));
  const people = new Map(found.flatMap(({ items }) => items).map((person) => [person.id, person]));
  const scored = [...people.values()].map((person) => ({ person, score: likeness(name, person.matched) }));
  const alike = scored.filter(({ score }) => score >= ALIKE).toSorted((one, other) => other.score - one.score);
  return alike.slice(0, SHOWN).map(({ person }) => person);
}

/** Tell how alike two names are, from 0 to 1: what part of their pairs of letters they share (Dice 1945). */
function likeness(one, other) {
  const [left, right] = [one, other].map((name) => {
    const letters = folded(name).replace(/[^\p{L}\p{N}]/gu, "");
    return new Set([...letters].slice(1).map((letter, index) => [...letters][index] + letter));
  });
  const shared = [...left].filter((pair) => right.has(pair)).length;
  return (2 * shared) / (left.size + right.size || 1);
}
