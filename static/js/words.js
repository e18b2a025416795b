/** Words and numbers in the language of the page; the phrases are Django's, see `locale/` and the script at `words`. */

const language = document.documentElement.lang;
const format = new Intl.NumberFormat(language);
const dateFormat = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short" });
const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }); // A day is the same everywhere.
const clockFormat = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
const listFormat = new Intl.ListFormat(language);

/** Put values, by name, into a phrase such as `gettext("%(found)s of %(all)s")`. */
export const fill = (phrase, values) => interpolate(phrase, values, true);

/** Write a number with the separators of the language. */
export const number = (value) => format.format(value);

/** Write a moment, given as ISO 8601, by the reader's clock. */
export const moment = (iso) => dateFormat.format(new Date(iso));

/** Write a day, given as YYYY-MM-DD. */
export const day = (iso) => dayFormat.format(new Date(iso));

/** Write the time of a Date, by the reader's clock. */
export const clock = (date) => clockFormat.format(date);

/** Join words to an enumeration. */
export const list = (words) => listFormat.format(words);

/** Join parts of a sentence as the language does; what is empty is left out. */
export const joined = (parts, comma = gettext(", ")) => parts.filter(Boolean).join(comma);

/** Begin and end a sentence as the language does. */
export const sentence = (text) => fill(gettext("%(text)s."), { text: text.charAt(0).toLocaleUpperCase(language) + text.slice(1) });

/** Write a number of bytes. */
export function bytes(value) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  let step = 0;
  while (value >= 1000 && step < units.length - 1) {
    value /= 1000;
    step += 1;
  }
  const style = { style: "unit", unit: units[step], maximumFractionDigits: step ? 1 : 0 };
  return new Intl.NumberFormat(language, style).format(value);
}

/** Write a number of seconds as a person would say it. */
export function duration(seconds) {
  const rounded = Math.max(0, Math.round(seconds));
  const write = (value, unit) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);
  if (rounded < 60) return write(rounded, "second");
  if (rounded < 3600) return `${write(Math.floor(rounded / 60), "minute")} ${write(rounded % 60, "second")}`;
  return `${write(Math.floor(rounded / 3600), "hour")} ${write(Math.floor((rounded % 3600) / 60), "minute")}`;
}

/** Write the years of a person or a search, `2010–2026`; nothing where they are unknown. */
export const years = (first, last) => (first ? (first === last ? String(first) : `${first}–${last}`) : "");
