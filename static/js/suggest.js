/** Suggestions below a field while somebody types, worked by keys as the ARIA practices have it (combobox, list). */

import { whenQuiet } from "./dom.js";
import { latest } from "./api.js";

const PAUSE = 150; // Milliseconds: shorter than between two words, longer than between two letters.
const FEWEST = 2; // Letters; a single one suggests nobody in particular.

/**
 * Suggest for a field: `find(text, signal)` gives items, `show(item)` an element of role option, `take(item)` uses one;
 * `typed()` gives what to suggest for, which in a box of many names is the line with the cursor.
 */
export function suggest(field, list, { typed, find, show, take }) {
  let items = [];
  let active = -1;
  const search = latest(find);

  function open(is) {
    list.hidden = !is;
    if (field.getAttribute("role") === "combobox") field.setAttribute("aria-expanded", is); // A box of many lines is none.
  }

  function close() {
    items = [];
    activate(-1);
    open(false);
    list.replaceChildren();
  }

  function activate(index) {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = index;
    const option = list.children[active];
    if (option === undefined) return field.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", option.id);
  }

  function choose(index) {
    const item = items[index];
    close();
    take(item);
  }

  const look = whenQuiet(PAUSE, async () => {
    const text = typed();
    if (text.length < FEWEST) return close();
    let found;
    try {
      found = await search(text);
    } catch (error) {
      if (error.name === "AbortError") return; // A newer one is on its way.
      return close(); // Suggestions are a help, not an answer; what is wrong will be told where one is asked for.
    }
    if (text !== typed() || document.activeElement !== field) return close();
    const chosen = items[active];
    activate(-1);
    items = found;
    list.replaceChildren(...found.map((item, index) => {
      const option = show(item);
      option.id = `${list.id}-${index}`;
      option.setAttribute("aria-selected", "false");
      return option;
    }));
    open(found.length > 0);
    // Who has chosen already, while there was more to come, keeps the choice.
    if (chosen) activate(found.findIndex((item) => item.id === chosen.id && item.key === chosen.key));
  });

  field.addEventListener("input", (event) => {
    if (event.inputType === "insertFromPaste") return close(); // Names that somebody else has written out.
    if (typed().length < FEWEST) close();
    look();
  });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) return;
    const last = items.length - 1;
    if (event.key === "ArrowDown") activate(active >= last ? 0 : active + 1);
    else if (event.key === "ArrowUp") activate(active <= 0 ? last : active - 1);
    else if (event.key === "Escape") close();
    else if ((event.key === "Enter" || event.key === "Tab") && active >= 0) choose(active);
    else return;
    event.preventDefault();
  });
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // The field keeps the focus.
    const option = event.target.closest("[role=option]");
    if (option) choose([...list.children].indexOf(option));
  });
}
