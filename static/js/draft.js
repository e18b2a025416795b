/** What was written last in this tab, so that a look at another page loses nothing; it never leaves the browser. */

const KEY = "pubmeta-draft";

/** Keep a question; where storage is blocked it is not kept. */
export function keepDraft(question) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(question));
  } catch {
    // Nothing depends on it.
  }
}

/** Give the question that was kept last, null where there is none. */
export function lastDraft() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
