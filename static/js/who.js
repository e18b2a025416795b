/** The dialog in which one of several people of a name is picked. */

import { get } from "./api.js";
import { byId, copy, put } from "./dom.js";
import { about, kindOf, published } from "./people.js";
import { fill, number } from "./words.js";

/** Show who an entry may stand for; `pick` is called with the person who is chosen. */
export async function choose(entry, resolved, pick) {
  const dialog = byId("who");
  byId("who-title").textContent = fill(gettext("Who is “%(name)s”?"), { name: entry.shown });
  const items = resolved.authors.map((person) => {
    const item = put(copy("candidate"), { name: person.name, kind: kindOf(person), about: published(person.publications), affiliation: "" });
    item.firstElementChild.addEventListener("click", () => {
      dialog.close();
      pick(person);
    });
    return item;
  });
  dialog.querySelector(".candidates").replaceChildren(...items);
  const rest = resolved.total - resolved.authors.length;
  byId("who-more").textContent = rest > 0 ? fill(ngettext("and %(n)s more person; add to the name to find them", "and %(n)s more people; add to the name to find them", rest), { n: number(rest) }) : "";
  dialog.showModal();
  // What tells them apart takes a request each; the names are there meanwhile.
  await Promise.all(resolved.authors.map(async (person, index) => {
    const whole = await get(`authors/${person.id}`).catch(() => null);
    // Another store, published meanwhile, has other ids.
    if (whole?.name === person.name && whole.pid === person.pid) put(items[index], { about: about(whole), affiliation: whole.affiliation });
  }));
}
