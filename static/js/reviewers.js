/** The operator's list of reviewers, a click away. */

import { get } from "./api.js";
import { tell } from "./dom.js";
import { fill, number } from "./words.js";

/** Let a button put the list into a side, below what is there; where there is no list there is no button. */
export async function offerReviewers(button, side) {
  button.addEventListener("click", async () => {
    try {
      const { members } = await get("pc-members");
      const before = side.field.value.trimEnd();
      await side.set([...(before ? [before] : []), ...members.map((member) => member.name)].join("\n"));
      tell("");
    } catch (error) {
      tell(error.message);
    }
  });
  try {
    const { count } = await get("pc-members");
    const phrase = ngettext("Use the list of reviewers (%(n)s)", "Use the list of reviewers (%(n)s)", count);
    button.textContent = fill(phrase, { n: number(count) });
    button.hidden = !count;
  } catch {
    button.hidden = false; // Whoever wants it is told why it cannot be read.
  }
}
