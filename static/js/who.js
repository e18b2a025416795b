/** The dialog in which one of several people of a name is picked. */

import { get } from "./api.js";
import { byId, copy, put } from "./dom.js";
import { about, kindOf, published } from "./people.js";
import { fill, number } from "./words.js";

const AT_ONCE = 20; // People that are shown before somebody asks for more; each takes a request.

let newest; // What is on its way for a name that was closed meanwhile is dropped.

/** Show who an entry may stand for: `all()` gives everybody, and `pick` is called with the person who is chosen. */
export function choose(entry, resolved, { all, pick }) {
  const dialog = byId("who");
  const list = dialog.querySelector(".candidates");
  const more = byId("who-more");
  const mine = (newest = {});
  let people = resolved.authors;

  function showMore() {
    const some = people.slice(list.childElementCount, list.childElementCount + AT_ONCE);
    const items = some.map((person) => candidate(person, () => (dialog.close(), pick(person))));
    list.append(...items);
    const rest = resolved.total - list.childElementCount;
    more.hidden = !rest || (people !== resolved.authors && list.childElementCount === people.length);
    const phrase = ngettext("and %(n)s more person; add to the name to find them", "and %(n)s more people; add to the name to find them", rest);
    byId("who-rest").textContent = rest > 0 ? fill(phrase, { n: number(rest) }) : "";
    return items[0];
  }

  byId("who-title").textContent = fill(gettext("Who is “%(name)s”?"), { name: entry.shown });
  list.replaceChildren();
  more.onclick = async () => {
    try {
      if (people === resolved.authors) people = await all();
      if (mine === newest) showMore()?.firstElementChild.focus();
    } catch (error) {
      if (mine === newest) byId("who-rest").textContent = error.message;
    }
  };
  showMore();
  dialog.showModal();
}

function candidate(person, chosen) {
  const item = put(copy("candidate"), { name: person.name, kind: kindOf(person), about: published(person.publications), affiliation: "" });
  item.firstElementChild.addEventListener("click", chosen);
  describe(item, person);
  return item;
}

/** Say what tells somebody apart, when it has come; the name is there meanwhile. */
async function describe(item, person) {
  const whole = await get(`authors/${person.id}`).catch(() => null);
  // Another store, published meanwhile, has other ids.
  if (whole?.name === person.name && whole.pid === person.pid) put(item, { about: about(whole), affiliation: whole.affiliation });
}
