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
 *     Jane Doe,University of X,jane@…   Jane Doe
 *
 * and the first line of a table may name its columns, as the list of reviewers does.
 */

const PICKED = /\((pid:[^\s()]+)\)\s*$/;
const IDENTIFIER = /^(pid:|https?:\/\/|\d{4}-\d{4}-\d{4}-\d{3}[\dXx]$)/;
const PLACE = /univ|institut|college|school|academy|laborator|\blabs?\b|research|hochschule|center|centre|department|\binc\b|\bltd\b|\bgmbh\b|\bcorp|大学|学院|研究/i;
const WHOLE = ["reviewer", "name", "full name", "author"];
const FIRST = ["given_name", "given name", "first name", "first", "firstname", "forename"];
const LAST = ["family_name", "family name", "last name", "last", "lastname", "surname"];
const TITLES = new Set(["jr", "jr.", "sr", "sr.", "ii", "iii", "iv"]); // "Doe, Jr., Jane" is rare, "Jane Doe, Jr." is not.

/** Read text as entries: what is sent, and what is shown, without repeats, in order. */
export function readNames(text) {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim());
  const found = new Map();
  for (const name of readTable(lines) ?? lines.flatMap(readLine)) {
    const entry = readEntry(name);
    if (entry.sent && !found.has(entry.sent)) found.set(entry.sent, entry);
  }
  return [...found.values()];
}

/** Write a person who was picked so that a line still reads as a name. */
export const writePick = (person) => (person.pid ? `${person.name} (pid:${person.pid})` : person.name);

/** The line of the text that an entry was read from, from 0; -1 where that cannot be told. */
export const lineOf = (text, entry) => text.split(/\r\n|\r|\n/).findIndex((line) => line.includes(entry.source));

function readEntry(source) {
  const picked = PICKED.exec(source);
  if (picked) return { sent: picked[1], shown: tidy(source.slice(0, picked.index)) || picked[1], source };
  if (IDENTIFIER.test(source)) return { sent: source, shown: source, source };
  const name = tidy(source.replace(/[(（<\[].*$/u, "").replace(/^\s*(?:[-*•]|\d{1,3}[.)])\s+/u, ""));
  return { sent: name, shown: name, source };
}

const tidy = (name) => name.normalize("NFC").replace(/\s+/gu, " ").trim().replace(/^["']|["']$/g, "").replace(/[,;]+$/, "");

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
  const parts = splitOutside(line, /[;；、\t]/u);
  if (parts.length > 1 && line.includes("\t")) return readRow(parts);
  return parts.flatMap((part) => {
    if (PICKED.test(part) || IDENTIFIER.test(part.trim())) return [part.trim()];
    const pieces = splitOutside(part, /[,，]/u);
    return pieces.length > 1 ? readRow(pieces) : pieces;
  });
}

/** Read what commas or tabs separate: one person's name turned round, a row of a table, or several people. */
function readRow(pieces) {
  if (pieces.length === 2 && TITLES.has(pieces[1].toLowerCase())) return [`${pieces[0]} ${pieces[1]}`];
  const isMail = (piece) => !piece.includes("<") && piece.includes("@"); // "Jane Doe <jane@example.org>" is a name.
  if (pieces.some(isMail) || pieces.slice(1).some((piece) => PLACE.test(piece))) {
    // The rest of the row tells where the person is; the name may still have been two cells.
    const name = pieces.findIndex((piece) => isMail(piece) || PLACE.test(piece));
    const [one, other] = pieces.slice(0, name);
    return one === undefined ? [] : [other && isWord(one) && isWord(other) ? `${one} ${other}` : one];
  }
  return pieces.length === 2 && isLastName(pieces[0]) ? [`${pieces[1]} ${pieces[0]}`] : pieces;
}

const turned = (name) => (/^[^,]+,[^,]+$/.test(name) ? name.split(",").reverse().map((part) => part.trim()).join(" ") : name);
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
