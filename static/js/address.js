/**
 * What a page shows, as the part of its address behind the `#`, which browsers do not send, and as the title of the window.
 *
 *     /search#people=mei%20lan    a search; its `kind` is `people`, `titles`, or `all` for both
 *     /person#pid:01/1            somebody, by pid or name (`pageOf` in people.js)
 *     /publication#journals/x/Y   a publication, by key (`recordOf` in people.js)
 */

import { fill } from "./words.js";

const KINDS = ["all", "people", "titles"];

/** Write a search `{kind, text}` as a fragment. */
export const writeSearch = ({ kind, text }) => `#${kind}=${encodeURIComponent(text)}`;

/** Read the search that the address has; null where it has none, and an error where it is damaged. */
export function readSearch() {
  const [, kind, text] = /^#(\w+)=(.*)$/s.exec(location.hash) ?? [];
  return KINDS.includes(kind) ? { kind, text: decoded(text) } : null;
}

/** Read what the address names; empty where it names nothing, and an error where it is damaged. */
export const readName = () => decoded(location.hash.slice(1)).trim();

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(gettext("This address is damaged: what it asks for cannot be read. Was it copied whole?"));
  }
}

/** Name what a page shows in the title of its window. */
export function entitle(what) {
  document.title = fill(gettext("%(what)s – pubmeta"), { what });
}

/**
 * Call a function now and whenever somebody changes the fragment, by a link, by hand, or by going back and forward.
 *
 * Then a heading that can have the focus gets it: the link that was followed goes away with what was shown before.
 */
export function whenNamed(action) {
  addEventListener("hashchange", () => {
    document.querySelector("h1[tabindex]")?.focus();
    action();
  });
  action();
}
