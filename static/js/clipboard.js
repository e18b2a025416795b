/** Copying text, also where browsers let only pages with HTTPS do so in the modern way. */

import { make } from "./dom.js";

/** Put text onto the clipboard; raises an error in words where the browser lets no page do that. */
export async function toClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = make("textarea", { value: text, className: "unseen" });
  (document.querySelector("dialog[open]") ?? document.body).append(box);
  box.select();
  const copied = document.execCommand("copy"); // Given up in the standard, and still all that there is without HTTPS.
  box.remove();
  if (!copied) throw new Error(gettext("This browser lets no page copy here. Mark the text and copy it with Ctrl+C or ⌘C."));
}

/** Let a button copy the text of an element, and say in a line of status how it went. */
export function copies(button, element, status) {
  button.addEventListener("click", async () => {
    status.textContent = "";
    try {
      await toClipboard(element.textContent);
      status.textContent = gettext("Copied.");
    } catch {
      getSelection().selectAllChildren(element);
      status.textContent = gettext("This browser lets no page copy here. The text is marked: copy it with Ctrl+C or ⌘C.");
    }
  });
}
