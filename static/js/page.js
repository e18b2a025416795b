/** What is on every page: theme, language, and the keys that `?` tells of. */

import { byId } from "./dom.js";

const root = document.documentElement;
const themes = ["", "light", "dark"]; // The first is the system's.

/** Read what was chosen before; a browser may be told to keep nothing. */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Then it holds for this page.
  }
}

function showTheme() {
  const button = byId("theme");
  button.textContent = { "": gettext("Theme: system"), light: gettext("Theme: light"), dark: gettext("Theme: dark") }[root.dataset.theme];
}

byId("theme").addEventListener("click", () => {
  root.dataset.theme = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length];
  keep("theme", root.dataset.theme);
  showTheme();
});
showTheme();

byId("language").addEventListener("change", async (event) => {
  // Not by leading there: what stands behind the # would be sent along, and a long one be lost.
  await fetch(event.target.form.action, { method: "POST", body: new FormData(event.target.form) });
  location.reload();
});

/** The fragment of an address says what a page shows, so the link that skips the head must leave it as it is. */
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});

const keys = byId("keys");
const keysOff = byId("keys-off"); // For those who speak to their computer, or press keys by chance (WCAG 2.1.4).
keysOff.checked = kept("keys") === "off";
keysOff.addEventListener("change", () => keep("keys", keysOff.checked ? "off" : "on"));
for (const button of document.querySelectorAll("[data-open]")) {
  button.addEventListener("click", () => byId(button.dataset.open).showModal());
}
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close(); // The backdrop is the dialog's own.
  });
}

/** Where a letter is text and no command. */
const isTyping = (target) => target.matches("input:not([type=checkbox], [type=radio]), textarea, select");

/** Elements say by `data-key` which letter leads to them: fields, and what is `data-careful`, are focused, all else is clicked. */
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
  if (event.key === "?") {
    keys.showModal();
  } else if (keysOff.checked) {
    return;
  } else {
    const wanted = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key && one.checkVisibility());
    if (wanted === undefined) return;
    if (wanted.matches("input, textarea, select, table, [role=log], [data-careful]")) wanted.focus();
    else wanted.click();
  }
  event.preventDefault();
});
