/** The page that asks: two boxes, a few options, the answer; the whole question lives in the address. */

import { get, post, Refused } from "./api.js";
import { Answer } from "./answer.js";
import { byId } from "./dom.js";
import * as question from "./question.js";
import { Side } from "./side.js";
import { fill, number } from "./words.js";

const form = byId("question");

if (form) {
  const similar = () => form.elements.similar.value === "1";
  const sides = Object.fromEntries(
    ["left", "right"].map((name) => [name, new Side(form.querySelector(`[data-side=${name}]`), { similar, changed })]),
  );
  const answer = new Answer(byId("answer"));
  const fields = { "/left": gettext("One group"), "/right": gettext("The other group"), "/year_min": gettext("Publications since") };
  let controller;

  function changed() {
    const [left, right] = ["left", "right"].map((name) => sides?.[name]?.entries.length ?? 0);
    byId("size").textContent = left && right ? fill(ngettext("%(left)s × %(right)s = %(n)s pair", "%(left)s × %(right)s = %(n)s pairs", left * right), { left: number(left), right: number(right), n: number(left * right) }) : "";
  }

  function tell(message) {
    byId("trouble").textContent = message;
    byId("trouble").hidden = !message;
    if (message) byId("trouble").scrollIntoView({ block: "nearest" });
  }

  /** Say what is wrong, naming the fields as the page does. */
  function reason(error) {
    const bad = (error instanceof Refused && error.problem.errors) || [];
    return bad.length ? bad.map(({ pointer, detail }) => `${fields[pointer] ?? pointer}: ${detail}`).join("; ") : error.message;
  }

  const asked = () => ({ left: sides.left.field.value, right: sides.right.field.value, since: form.elements.since.valueAsNumber || null, similar: similar() });

  function show(one) {
    form.elements.since.value = one?.since ?? "";
    form.elements.similar.value = one?.similar ? "1" : "";
    sides.left.set(one?.left ?? "");
    sides.right.set(one?.right ?? "");
    tell("");
  }

  async function compare(one) {
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    const empty = ["left", "right"].find((name) => !sides[name].entries.length);
    if (empty) {
      tell(gettext("Put at least one name into each of the two boxes."));
      return sides[empty].field.focus();
    }
    tell("");
    const names = Object.fromEntries(["left", "right"].map((name) => [name, sides[name].entries]));
    const options = { exact_base_match: !one.similar, ...(one.since && { year_min: one.since }) };
    const button = byId("compare");
    button.disabled = true;
    try {
      const body = { left: names.left.map((entry) => entry.sent), right: names.right.map((entry) => entry.sent), ...options };
      const found = await post("coauthors/pairs", { ...body, sparse: true, limit_per_pair: 0 }, { signal });
      answer.show({ asked: body, names, found });
    } catch (error) {
      if (error.name === "AbortError") return;
      answer.hide();
      tell(reason(error));
    } finally {
      if (!signal.aborted) button.disabled = false;
    }
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const one = asked();
    const fragment = await question.write(one);
    if (fragment !== location.hash) history.pushState(null, "", fragment);
    await compare(one);
  });
  for (const choice of form.elements.similar) choice.addEventListener("change", () => Object.values(sides).forEach((side) => side.refresh()));

  /** Show the question that the address has; without one the page is as at first. */
  async function restore() {
    controller?.abort();
    try {
      const one = await question.read(location.hash);
      show(one);
      if (one) await compare(one);
      else answer.hide();
    } catch (error) {
      show(null);
      answer.hide();
      tell(error.message);
    }
  }
  addEventListener("popstate", restore);
  restore();

  const reviewers = form.querySelector(".reviewers");
  reviewers.addEventListener("click", async () => {
    try {
      const { members } = await get("pc-members");
      await sides.right.set(members.map((member) => member.name).join("\n"));
      tell("");
    } catch (error) {
      tell(error.message);
    }
  });
  get("pc-members").then(
    ({ count }) => {
      reviewers.hidden = !count;
      reviewers.textContent = fill(ngettext("Use the list of reviewers (%(n)s)", "Use the list of reviewers (%(n)s)", count), { n: number(count) });
    },
    () => (reviewers.hidden = false), // Whoever wants it is told why it cannot be read.
  );
}
