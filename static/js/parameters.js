/** What a build is to do: the fields with the defaults of the service, and what was wrong with them. */

import { byId, copy, put } from "./dom.js";
import { fill, list, number } from "./words.js";

const form = byId("start-form");
const fields = [...form.querySelectorAll("input[name]")];
const trouble = byId("trouble");

/** Fill in the defaults and limits of `config`; what the reader has changed meanwhile stays. */
export function showDefaults(config) {
  for (const field of fields) {
    const value = config[`default_${field.name}`];
    if (field.type === "checkbox") field.defaultChecked = value;
    else field.defaultValue = value;
    const range = config.ranges[field.name];
    if (range === undefined) continue;
    Object.assign(field, range);
    field.closest(".field").querySelector(".range").textContent = fill(gettext("; from %(min)s to %(max)s"), { min: number(range.min), max: number(range.max) });
  }
  byId("hosts").textContent = fill(gettext("Trusted hosts: %(hosts)s."), { hosts: list(config.trusted_hosts) });
  byId("hosts").hidden = !config.trusted_hosts.length;
}

/** Give what `start` takes. */
export function wanted() {
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]));
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  // What is no number becomes null, of which the service says what is wrong.
  return field.type === "number" ? field.valueAsNumber : field.value.trim();
}

/** Show why something was refused, at the fields that it is about and in a summary, which gets the focus. */
export function showTrouble(error) {
  clearTrouble();
  const bad = error.problem?.errors ?? [];
  put(trouble, { message: bad.length ? gettext("The build was not started, because of what was asked for:") : error.message });
  for (const { pointer, detail } of bad) {
    const field = fields.find((one) => `/${one.name}` === pointer);
    const item = put(copy("bad-value"), { field: field && field.labels[0].textContent.trim(), detail: field ? `: ${detail}` : detail });
    trouble.querySelector("ul").append(item);
    if (field === undefined) continue;
    byId("options").open = true;
    item.querySelector("a").href = `#${field.id}`;
    mark(field, detail);
  }
  trouble.hidden = false;
  trouble.focus();
}

/** Take down what `showTrouble` has shown. */
export function clearTrouble() {
  trouble.hidden = true;
  trouble.querySelector("ul").replaceChildren();
  for (const field of fields) mark(field, "");
}

function mark(field, detail) {
  const place = byId(`${field.id}-bad`);
  place.textContent = detail;
  place.hidden = !detail;
  if (detail) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}

form.addEventListener("input", (event) => mark(event.target, ""));
form.addEventListener("reset", clearTrouble);
