/** Publications as they are listed, in words and as lines of a list. */

import { copy, put } from "./dom.js";
import { recordOf } from "./people.js";

/** Say of which kind a publication is; kinds that dblp may add one day are shown by their own names. */
export const typeOf = (item) => ({
  article: gettext("journal article"),
  inproceedings: gettext("conference paper"),
  proceedings: gettext("proceedings"),
  book: gettext("book"),
  incollection: gettext("part of a book"),
  phdthesis: gettext("doctoral thesis"),
  mastersthesis: gettext("master's thesis"),
  data: gettext("data or software"),
})[item.pub_type] ?? item.pub_type;

/** Say when, where and as what something was published. */
export const placed = (item) => [item.year, item.venue, typeOf(item)].filter(Boolean).join(" · ");

/** A publication in a list: the title leads to the document, "record" to its page here; an editor's role is said. */
export function paper(item) {
  const role = item.role === "editor" ? gettext("as editor") : "";
  const line = put(copy("paper"), { title: item.title || item.key, about: placed(item), role });
  line.querySelector("a").href = item.url;
  line.querySelector(".record").href = recordOf(item);
  return line;
}
