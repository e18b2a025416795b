/** Words as a search compares them: blind to case and accents. */

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Write text as it is compared. */
export const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Give the words of a text as they are compared. */
export const wordsOf = (text) => folded(text).match(WORD) ?? [];

/** Give the places, from … up to … in letters, of the words in a name that begin with one of the words that were typed. */
export function spans(name, text) {
  const wanted = wordsOf(text);
  const lettersIn = (part) => [...part].length;
  return [...name.matchAll(WORD)].filter(([word]) => wanted.some((one) => folded(word).startsWith(one))).map(({ 0: word, index }) => {
    const from = lettersIn(name.slice(0, index));
    return [from, from + lettersIn(word)];
  });
}
