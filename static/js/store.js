/** What is in the store, as the server has written it, put right when another store is served. */

import { byId, copy, put } from "./dom.js";
import { day, moment, number } from "./words.js";

const some = byId("store-some");
const none = byId("store-none");

/** Tell whether the page says that there is a store. */
export const isThere = () => none.hidden;

/** Show what `stats` says of the store that is served. */
export function showStore(stats) {
  if (isThere() && new Date(stats.built_at) - new Date(byId("built-at").dateTime) === 0) return; // It stands there already.
  const counts = Object.fromEntries(["publications", "authors", "authorships", "aliases"].map((name) => [name, number(stats[name])]));
  const local = !/^https?:/.test(stats.source_url);
  const source = stats.release ? gettext("the monthly release") : local ? gettext("a local dump") : stats.source_url;
  put(some, { ...counts, day: day(stats.data_date), version: stats.program_version, source });
  byId("built-at").dateTime = stats.built_at;
  showMoment();
  byId("by-type").replaceChildren(...Object.entries(stats.by_type).map(([type, count]) => put(copy("type-row"), { type, count: number(count) })));
  some.hidden = false;
  none.hidden = true;
}

/** Say that there is none any more. */
export function showNoStore() {
  if (!isThere()) return; // Then the page says why, and the server knew better.
  put(none, { reason: gettext("The store has been removed; a build that succeeds makes another one.") });
  some.hidden = true;
  none.hidden = false;
}

/** Write when the store was built by the reader's clock; the server cannot know it. */
export function showMoment() {
  const at = byId("built-at");
  if (at.dateTime) at.textContent = moment(at.dateTime);
}
