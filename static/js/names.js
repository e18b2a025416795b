/**
 * Names as people paste them, as entries for the API.
 *
 * A line is a name, unless commas, semicolons or tabs make it several, or one of a table:
 *
 *     Jane Doe                          Jane Doe
 *     Doe, Jane                         Jane Doe
 *     Jane Doe, John Roe; Kim Poe       Jane Doe | John Roe | Kim Poe
 *     Jane Doe (University of X)        Jane Doe
 *     Jane Doe <jane@example.org>       Jane Doe
 *     Jane Doe 0002 (pid:12/3456-2)     pid:12/3456-2, shown as Jane Doe 0002
 *     name:Jane Doe                     the one of that very name, shown as Jane Doe
 *     Jane Doe,University of X,jane@…   Jane Doe
 *
 * and the first line of a table may name its columns, as the list of reviewers does.
 */

const LINES = /\r\n|\r|\n/;
const PICKED = /\((pid:[^\s()]+)\)\s*$/;
const VERY_NAME = /^name:(\S.*)$/; // As it is written here; "Name: Jane Doe" is a label and a name.
const LABEL = /^\s*name:\s*/i;
const BULLET = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/u;
const IDENTIFIER = /^(pid:|https?:\/\/|\d{4}-\d{4}-\d{4}-\d{3}[\dXx]$)/i;
const PLACE = /\b(?:univ(?:\.|ersit\w*)?|institut\w*|college|school|academy|laborator\w*|labs?|research|\w*hochschule|center|centre|dep(?:artmen)?t|faculty|inc|ltd|gmbh|corp(?:\.|oration)?)(?=\W|$)|大学|学院|研究/i;
const WHOLE = ["reviewer", "name", "full name", "author"];
const FIRST = ["given_name", "given name", "first name", "first", "firstname", "forename"];
const LAST = ["family_name", "family name", "last name", "last", "lastname", "surname"];
const TITLES = new Set(["jr", "jr.", "sr", "sr.", "ii", "iii", "iv"]); // "Doe, Jr., Jane" is rare, "Jane Doe, Jr." is not.

/** Read text as entries: what is sent, what is shown, and how many times it stands there; in order. */
export function readNames(text) {
  const lines = text.split(LINES).filter((line) => line.trim());
  const found = new Map();
  for (const name of readTable(lines) ?? lines.flatMap(readLine)) {
    const entry = readEntry(name);
    if (!entry.sent) continue;
    if (found.has(entry.sent)) found.get(entry.sent).times += 1;
    else found.set(entry.sent, { ...entry, times: 1 });
  }
  return [...found.values()];
}

/** Tell whether a text stands for one person for good: a pid, an address, an ORCID, or a very name. */
export const isIdentifier = (text) => IDENTIFIER.test(text) || VERY_NAME.test(text);

/** Write a person who was picked so that a line still reads as a name. */
export const writePick = (person) => (person.pid ? `${person.name} (pid:${person.pid})` : `name:${person.name}`);

/** Tell whether an entry is a person who was picked. */
export const isPicked = (entry) => entry.sent !== entry.shown && isIdentifier(entry.sent);

/** Give the name that several share of an entry that is one of them: without the number of the one who was picked. */
export const unpicked = (entry) => entry.shown.replace(/ \d{4}$/, "");

/** Put something else in the place of an entry, wherever it stands; of a table a plain list of its names is made. */
export function replaceName(text, entry, replacement) {
  const lines = text.split(LINES);
  const renamed = (source) => (readEntry(source).sent === entry.sent ? replacement : source);
  const table = readTable(lines.filter((line) => line.trim()));
  if (table) return table.map(renamed).join("\n");
  return lines.flatMap((line) => {
    const names = readLine(line);
    return names.some((name) => readEntry(name).sent === entry.sent) ? names.map(renamed) : line;
  }).join("\n");
}

function readEntry(written) {
  const source = written.replace(BULLET, "");
  const picked = PICKED.exec(source);
  if (picked) return { sent: picked[1], shown: tidy(source.slice(0, picked.index)) || picked[1] };
  const very = VERY_NAME.exec(source);
  if (very) return { sent: `name:${spaced(very[1])}`, shown: spaced(very[1]) };
  if (isIdentifier(source)) return { sent: source, shown: source };
  const name = tidy(bare(source).replace(LABEL, ""));
  return { sent: name, shown: name };
}

/** Leave out what stands in brackets: an affiliation or an address behind a name; within a name they belong to it. */
const bare = (text) => text.replace(/(?:\s*(?:\([^()]*\)?|（[^（）]*）?|<[^<>]*>?|\[[^[\]]*\]?))+\s*$/u, "");

const spaced = (name) => name.normalize("NFC").replace(/\s+/gu, " ").trim();
const tidy = (name) => spaced(name).replace(/^["']|["']$/g, "").replace(/[,;]+$/, "");

/** Read lines as a table where the first one names columns that hold names; null where it does not. */
function readTable(lines) {
  if (!lines.length) return null;
  const separator = ["\t", ";", ","].find((one) => lines[0].includes(one)) ?? ",";
  const head = cells(lines[0], separator).map((cell) => cell.toLowerCase());
  const [whole, first, last] = [WHOLE, FIRST, LAST].map((names) => head.findIndex((cell) => names.includes(cell)));
  if (whole < 0 && (first < 0 || last < 0)) return null;
  return lines.slice(1).map((line) => {
    const row = cells(line, separator);
    return whole >= 0 ? turned(row[whole] ?? "") : `${row[first] ?? ""} ${row[last] ?? ""}`;
  });
}

/** Cut a line of CSV; a quoted cell may hold the separator (RFC 4180). */
function cells(line, separator) {
  const found = [""];
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '"' && quoted && line[at + 1] === '"') found[found.length - 1] += line[(at += 1)];
    else if (sign === '"' && (quoted || !found.at(-1).trim())) quoted = !quoted;
    else if (sign === separator && !quoted) found.push("");
    else found[found.length - 1] += sign;
  }
  return found.map((cell) => cell.trim());
}

function readLine(line) {
  // Whatever stands in a very name belongs to it.
  if (VERY_NAME.test(line.replace(BULLET, "").trim()) && !line.includes("\t")) return [line.trim()];
  if (line.includes("\t")) return readRow(splitOutside(line, /\t/u));
  return splitOutside(line, /[;；、]/u).flatMap((part) => {
    const people = splitAnd(part);
    // "Doe, Jane and Roe, John" as in BibTeX.
    if (people.length > 1 && !PLACE.test(part) && people.every((one) => /^[^,]+,[^,]+$/u.test(one))) return people.map(turned);
    return readRow(splitOutside(part, /[,，]/u)).flatMap(splitAnd);
  });
}

/** Read what commas or tabs separate: one person's name turned round, a row of a table, or several people. */
function readRow(pieces) {
  const isOther = (piece) => (/^\S+@\S+$/u.test(piece) || PLACE.test(bare(piece))) && !PICKED.test(piece) && !isIdentifier(piece);
  // Who is alone on a line is somebody, even where the name sounds like a place.
  const names = pieces.length > 1 ? pieces.filter((piece) => !isOther(piece)) : pieces;
  if (names.length !== 2) return names;
  const [one, other] = names;
  if (TITLES.has(other.toLowerCase())) return [`${one} ${other}`];
  if (PICKED.test(one) || PICKED.test(other) || isIdentifier(one) || isIdentifier(other)) return names;
  // "Jane,Doe,jane@example.org" are the cells of a first and a last name, "Doe, Jane" is turned round.
  if (names.length < pieces.length && isWord(one) && isWord(other)) return [`${one} ${other}`];
  return isLastName(bare(one)) ? [`${bare(other)} ${bare(one)}`] : names;
}

/** Split "Jane Doe and John Roe", which no name has in it. */
const splitAnd = (text) => (PICKED.test(text) || isIdentifier(text) ? [text] : text.split(/(?:^|\s+)(?:and|&)\s+/u).filter((name) => name.trim()));

const turned = (name) => (/^[^,]+,[^,]+$/.test(name) && !isIdentifier(name) ? name.split(",").reverse().map((part) => part.trim()).join(" ") : name);
const isWord = (text) => !/\s/u.test(text);
/** "Doe", "van der Berg", "de la Cruz": what stands before a comma and is no whole name. */
const isLastName = (text) => /^(?:(?:\p{Ll}[\p{L}'’]*|De|Del|Della|Di|Du|El|La|Le|Van|Von|Ten|Ter)\s+)*[^\s]+$/u.test(text);

/** Split, but not within brackets or quotes, and drop what is empty. */
function splitOutside(line, separator) {
  const found = [""];
  let depth = 0;
  let quoted = false;
  for (const sign of line) {
    if (sign === '"') quoted = !quoted;
    if ("([<（".includes(sign)) depth += 1;
    if (")]>）".includes(sign)) depth = Math.max(0, depth - 1);
    if (!depth && !quoted && separator.test(sign)) found.push("");
    else found[found.length - 1] += sign;
  }
  return found.map((part) => part.trim().replace(/^"(.*)"$/u, "$1")).filter(Boolean);
}
