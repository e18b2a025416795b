/** Copying what an element shows. */

/** Let a button copy the text of an element, and say in a line of status how it went. */
export function copies(button, element, status) {
  button.addEventListener("click", async () => {
    status.textContent = "";
    try {
      await navigator.clipboard.writeText(element.textContent);
      status.textContent = gettext("Copied.");
    } catch {
      // Without HTTPS, from another machine, browsers do not let pages copy; then at least the text is marked.
      getSelection().selectAllChildren(element);
      status.textContent = gettext("This browser lets no page copy here. The text is marked: copy it with Ctrl+C or ⌘C.");
    }
  });
}
