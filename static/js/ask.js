/** The page that asks: two boxes, a few options, the answer; the whole question lives in the address. */

import { post, Refused } from "./api.js";
import { Answer } from "./answer.js";
import { byId, tell, whenQuiet } from "./dom.js";
import { keepDraft, lastDraft } from "./draft.js";
import { closePair } from "./pair.js";
import * as question from "./question.js";
import { offerReviewers } from "./reviewers.js";
import { Side } from "./side.js";
import { closeChoice } from "./who.js";
import { fill, number } from "./words.js";

const form = byId("question");
const PAUSE = 400; // Milliseconds without a change after which what is written is kept for a reload.

if (form) {
  const similar = () => form.elements.similar.value === "1";
  const sides = Object.fromEntries(
    ["left", "right"].map((name) => [name, new Side(form.querySelector(`[data-side=${name}]`), { similar, changed })]),
  );
  const answer = new Answer(byId("answer"), (group, sent) => sides[group].choose(sent));
  const fields = { "/left": gettext("One group"), "/right": gettext("The other group"), "/year_min": gettext("Publications since") };
  let controller;
  let answered = null; // The question that the answer below is of.
  let isRestoring = false; // What comes with an address was written by nobody here.

  /** Somebody has written, picked or emptied something. */
  function changed() {
    weigh();
    if (isRestoring) return;
    keepDraft(asked());
    keep();
  }

  /** Say how large the question is, and whether it is still the one that is answered below. */
  function weigh() {
    const [left, right] = Object.values(sides).map((side) => side.entries.length);
    byId("size").textContent = left && right ? fill(ngettext("%(left)s × %(right)s = %(n)s pair", "%(left)s × %(right)s = %(n)s pairs", left * right), { left: number(left), right: number(right), n: number(left * right) }) : "";
    answer.outdated(answered !== null && answered !== sense());
  }

  /** What a question means, however it is written. */
  const sense = () => JSON.stringify([...Object.values(sides).map((side) => side.entries.map((entry) => entry.sent)), form.elements.since.value, similar()]);

  /** Say what is wrong, naming the fields as the page does. */
  function reason(error) {
    const bad = (error instanceof Refused && error.problem.errors) || [];
    return bad.length ? bad.map(({ pointer, detail }) => `${fields[pointer] ?? pointer}: ${detail}`).join("; ") : error.message;
  }

  const asked = () => ({ left: sides.left.field.value, right: sides.right.field.value, since: form.elements.since.valueAsNumber || null, similar: similar() });

  // With the place in the history of the tab: there it outlives a reload, and nobody else sees it.
  const keep = whenQuiet(PAUSE, () => history.replaceState({ draft: asked() }, ""));

  function show(one) {
    isRestoring = true;
    form.elements.since.value = one?.since ?? "";
    form.elements.similar.value = one?.similar ? "1" : "";
    sides.left.set(one?.left ?? "");
    sides.right.set(one?.right ?? "");
    isRestoring = false;
    tell("");
  }

  /** Give up what is on its way. */
  function cancel() {
    controller?.abort();
    controller = new AbortController();
    byId("compare").disabled = false;
    closePair();
    closeChoice();
    return controller.signal;
  }

  const empty = () => Object.values(sides).find((side) => !side.entries.length);

  async function compare(one) {
    const signal = cancel();
    const asking = sense();
    tell("");
    const names = Object.fromEntries(["left", "right"].map((name) => [name, sides[name].entries]));
    const options = { exact_base_match: !one.similar, ...(one.since && { year_min: one.since }) };
    const button = byId("compare");
    button.disabled = true;
    byId("size").textContent = gettext("comparing …");
    try {
      const body = { left: names.left.map((entry) => entry.sent), right: names.right.map((entry) => entry.sent), ...options };
      const found = await post("coauthors/pairs", { ...body, sparse: true, limit_per_pair: 0 }, { signal });
      answer.show({ asked: body, names, found });
      answered = asking;
    } catch (error) {
      if (error.name === "AbortError") return;
      answer.hide();
      tell(reason(error));
    } finally {
      if (!signal.aborted) {
        button.disabled = false;
        weigh();
      }
    }
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (empty()) {
      cancel();
      answer.hide();
      tell(gettext("Put at least one name into each of the two boxes."));
      return empty().field.focus();
    }
    const one = asked();
    const fragment = await question.write(one);
    if (fragment !== location.hash) {
      history.replaceState(null, ""); // What was written since belongs to the new place, not to the one that "back" leads to.
      history.pushState(null, "", fragment);
    }
    await compare(one);
  });
  form.addEventListener("input", changed);
  for (const choice of form.elements.similar) choice.addEventListener("change", () => Object.values(sides).forEach((side) => side.refresh()));

  /** Show what was written at this place of the history, or the question of the address, or what was written last. */
  async function restore() {
    const signal = cancel();
    keep.cancel(); // What was written at the place before is not to be kept with this one.
    const draft = history.state?.draft;
    let one = null;
    let damage = "";
    try {
      one = await question.read(location.hash);
    } catch (error) {
      damage = error.message;
    }
    if (signal.aborted) return;
    show(draft ?? one ?? (damage ? null : lastDraft()));
    if (one && !empty() && JSON.stringify(asked()) === JSON.stringify(one)) return compare(one);
    answer.hide();
    tell(damage);
    if (one) empty()?.field.focus();
  }
  addEventListener("popstate", restore);
  restore();

  offerReviewers(form.querySelector(".reviewers"), sides.right);
}
