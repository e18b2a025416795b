/** The dialog in which one of several people of a name is picked. */

import { get } from "./api.js";
import { byId, copy, put } from "./dom.js";
import { about, kindOf, published } from "./people.js";
import { similarTo } from "./similar.js";
import { fill, number } from "./words.js";

const AT_ONCE = 20; // People that are shown before somebody asks for more; each takes a request.

let newest; // What is on its way for a name that was closed meanwhile is dropped.

/**
 * Show who an entry may stand for, or where it is nobody who has a similar name: `all()` gives everybody, and `pick` is
 * called with the person who is chosen.
 */
export async function choose(entry, resolved, { all, pick }) {
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
    more.hidden = rest <= 0 || (people !== resolved.authors && list.childElementCount === people.length);
    const phrase = ngettext("and %(n)s more person; add to the name to find them", "and %(n)s more people; add to the name to find them", rest);
    byId("who-rest").textContent = rest > 0 ? fill(phrase, { n: number(rest) }) : "";
    return items[0];
  }

  byId("who-title").textContent = fill(gettext("Who is “%(name)s”?"), { name: entry.shown });
  list.replaceChildren();
  more.onclick = async () => {
    more.disabled = true;
    try {
      if (people === resolved.authors) people = await all();
      if (mine === newest) showMore()?.firstElementChild.focus();
    } catch (error) {
      if (mine === newest) byId("who-rest").textContent = error.message;
    } finally {
      more.disabled = false;
    }
  };
  byId("who-hint").textContent = resolved.total ? gettext("All of them count until one is picked.") : gettext("looking …");
  showMore();
  dialog.showModal();
  if (resolved.total) return;
  try {
    people = await similarTo(entry.shown);
    if (mine !== newest) return;
    byId("who-hint").textContent = people.length
      ? gettext("Nobody in dblp has this name. Is it one of these, whose names are similar?")
      : gettext("Nobody in dblp has this name or a similar one.");
    showMore();
  } catch (error) {
    if (mine === newest) byId("who-hint").textContent = error.message;
  }
}

/** Close the dialog where it is open: there is another question now. */
export function closeChoice() {
  newest = undefined;
  byId("who").close();
}

function candidate(person, chosen) {
  const isDescribed = "venues" in person;
  const said = isDescribed ? about(person) : published(person.publications);
  const item = put(copy("candidate"), { name: person.name, kind: kindOf(person), about: said, affiliation: person.affiliation });
  item.firstElementChild.addEventListener("click", chosen);
  if (!isDescribed) describe(item, person);
  return item;
}

/** Say what tells somebody apart, when it has come; the name is there meanwhile. */
async function describe(item, person) {
  const whole = await get(`authors/${person.id}`).catch(() => null);
  // Another store, published meanwhile, has other ids.
  if (whole?.name === person.name && whole.pid === person.pid) put(item, { about: about(whole), affiliation: whole.affiliation });
}
