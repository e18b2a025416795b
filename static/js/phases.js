/** How far the build is: a headline, a bar, the steps, and how it ended. */

import { advice } from "./advice.js";
import { byId, put } from "./dom.js";
import { bytes, clock, duration, fill, number } from "./words.js";

const steps = [...document.querySelectorAll("[data-phase]")];
const names = steps.map((step) => step.dataset.phase);
const bar = byId("bar");
const MARKS = { done: "✓", now: "▶", failed: "✕", stopped: "■", skipped: "–", "to come": "○" };
const { lang: language } = document.documentElement;
const NONE = "–";

/** Tell whether a process is building. */
export const isActive = (state) => state.status === "running" || state.status === "stopping";

/** Show a state; `logged` are the lines of its log, which name the phases that have begun. */
export function showState(state, logged) {
  const begun = names.filter((name) => name === state.step || state.progress.phase_seconds?.[name] !== undefined || logged.includes(name));
  const last = begun.at(-1);
  showSteps(state, begun, last);
  const headline = headlineOf(state);
  const place = byId("headline");
  if (place.textContent !== headline) place.textContent = headline; // Else screen readers would say it every second.
  byId("progress").dataset.status = state.status;
  showMeasures(state);
  showEnd(state, last);
}

/** The name of a phase as the page has it. */
export const nameOf = (phase) => steps[names.indexOf(phase)]?.querySelector("b").textContent ?? phase;

function headlineOf({ status, step }) {
  if (status === "running" && names.includes(step)) {
    return fill(gettext("Step %(n)s of %(all)s: %(name)s"), { n: number(names.indexOf(step) + 1), all: number(names.length), name: nameOf(step) });
  }
  return {
    idle: gettext("No build is running."),
    running: gettext("The build begins …"),
    stopping: gettext("The build stops, within five seconds …"),
    stopped: gettext("The last build was stopped."),
    completed: gettext("The last build is completed."),
    error: gettext("The last build has failed."),
  }[status];
}

function showSteps(state, begun, last) {
  const words = {
    done: gettext("done"),
    now: gettext("now"),
    failed: gettext("failed here"),
    stopped: gettext("stopped here"),
    skipped: gettext("not needed"),
    "to come": isActive(state) || state.run === null ? gettext("to come") : gettext("not reached"),
  };
  const atLast = isActive(state) ? "now" : { error: "failed", stopped: "stopped" }[state.status] ?? "done";
  steps.forEach((step, index) => {
    const name = names[index];
    const passed = index < names.indexOf(last) || state.status === "completed";
    const how = name === last ? atLast : begun.includes(name) ? "done" : passed ? "skipped" : "to come";
    const seconds = state.progress.phase_seconds?.[name];
    const took = seconds === undefined ? "" : fill(gettext("%(how)s, %(time)s"), { how: words[how], time: short(seconds) });
    put(step, { how: took || words[how] });
    step.dataset.how = how;
    step.querySelector(".mark").textContent = MARKS[how];
    if (how === "now") step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  });
}

/** Write seconds; tenths of a few tell more than rounded ones. */
function short(seconds) {
  if (seconds >= 10) return duration(seconds);
  return new Intl.NumberFormat(language, { style: "unit", unit: "second", maximumFractionDigits: 1 }).format(seconds);
}

function showMeasures(state) {
  const { progress } = state;
  const active = isActive(state);
  const percent = active ? progress.percent : state.status === "completed" ? 100 : 0;
  if (percent === undefined) bar.removeAttribute("value"); // Moving, but nobody knows how far.
  else bar.value = percent;
  const known = active && progress.percent !== undefined;
  const elapsed = elapsedOf(state);
  put(byId("progress"), {
    percent: known ? new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: 1 }).format(percent / 100) : NONE,
    rate: (active && rateOf(progress)) || NONE,
    left: active && progress.eta_seconds !== undefined ? duration(progress.eta_seconds) : NONE,
    elapsed: elapsed === null ? NONE : duration(elapsed),
  });
}

function rateOf({ records_per_sec: records, downloaded_bytes: had, total_bytes: all, eta_seconds: left, processed_records: read }) {
  if (records !== undefined) return fill(gettext("%(n)s records a second"), { n: number(records) });
  // The service tells what is left of a download, in bytes and in seconds.
  if (read === undefined && left > 0 && all > had) return fill(gettext("%(size)s a second"), { size: bytes((all - had) / left) });
  return "";
}

/** Give the seconds that a build has taken so far, or took; null where there is none. */
export function elapsedOf({ started_at: started, finished_at: finished, progress }) {
  if (progress.elapsed_seconds !== undefined) return progress.elapsed_seconds;
  return started ? Math.max(0, (finished ? new Date(finished) : new Date()) - new Date(started)) / 1000 : null;
}

function showEnd(state, last) {
  const place = byId("end");
  const title = { completed: gettext("What came of it"), stopped: gettext("How it ended"), error: gettext("What went wrong") }[state.status];
  const shown = `${state.run} ${state.status}`;
  if (place.dataset.shown !== shown) {
    place.dataset.shown = shown;
    const { message, status } = state;
    // What was published is told in numbers below, in the language of the page.
    put(place, { title, message: state.progress.publications === undefined ? message : "", result: title && resultOf(state), advice: adviceOf(status, message, last) });
    place.classList.toggle("bad", status === "error");
    place.classList.toggle("doubtful", status === "stopped");
  }
  place.hidden = title === undefined;
}

function adviceOf(status, message, last) {
  if (status === "stopped") return gettext("Start begins anew; what was downloaded is not fetched again.");
  return status === "error" ? advice(message, last) : "";
}

function resultOf({ finished_at: finished, progress, started_at: started }) {
  const seconds = elapsedOf({ finished_at: finished, progress, started_at: started });
  const parts = [
    progress.publications !== undefined && fill(gettext("%(publications)s publications, %(people)s people, %(authorships)s authorships"), {
      publications: number(progress.publications),
      people: number(progress.authors),
      authorships: number(progress.authorships),
    }),
    fill(gettext("at %(time)s, after %(duration)s"), { time: clock(new Date(finished)), duration: duration(seconds ?? 0) }),
    progress.memory_bytes && fill(gettext("at most %(size)s of memory"), { size: bytes(progress.memory_bytes) }),
  ];
  return parts.filter(Boolean).join(" · ");
}
