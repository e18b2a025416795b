/** The page of the build: follows what it does, and starts, stops and resets it. */

import { latest, Unreachable } from "./api.js";
import { Control } from "./control.js";
import { byId } from "./dom.js";
import { lines, Log } from "./log.js";
import { clearTrouble, showDefaults, showTrouble, wanted } from "./parameters.js";
import { isActive, showState } from "./phases.js";
import { Poller } from "./poll.js";
import { showFiles, showRuns } from "./runs.js";
import { isThere, showMoment, showNoStore, showStore } from "./store.js";
import { clock, fill } from "./words.js";

const WHILE_RUNNING = 1_000; // Milliseconds between two questions.
const WHILE_IDLE = 5_000;
const LOOK_EVERY = { true: 4_000, false: 60_000 }; // At the files; whether a build runs.

const buttons = { start: byId("start"), stop: byId("stop"), reset: byId("reset") };
const log = new Log();
const control = new Control(() => {
  allow();
  poller.now();
  lookAround(); // Who may control is shown more.
});
let seen = null; // The state that is shown.
let busy = false; // Whether what a button has asked for is on its way.
let looked = 0; // When the files were asked for.
let served; // The path of the store that the page tells of, once it is known.
let configured = false;

const poller = new Poller({
  async ask(signal) {
    if (!configured) {
      showDefaults(await control.config(signal));
      configured = true;
    }
    return control.get("state", { logs_after: log.after }, signal);
  },
  told: show,
  lost(error, since) {
    const phrase = error instanceof Unreachable
      ? gettext("The connection is lost since %(time)s; trying again. What is shown here is of that time.")
      : gettext("The service is in trouble since %(time)s; trying again. It says: %(reason)s");
    const text = fill(phrase, { time: clock(since), reason: error.message });
    if (byId("lost").textContent !== text) byId("lost").textContent = text; // Screen readers say it once, not at each try.
    byId("lost").hidden = false;
    allow();
  },
  found() {
    byId("lost").hidden = true;
    lookAround();
  },
});

/** Show a state, and say when to ask for the next. */
function show(state) {
  const whole = log.take(state);
  const other = seen === null || seen.run !== state.run || seen.status !== state.status;
  seen = state;
  control.allow(state.may_control);
  showState(state, lines());
  allow();
  if (other || Date.now() - looked > LOOK_EVERY[isActive(state)]) lookAround();
  if (!whole) return 0; // The log of another build is asked for from its beginning.
  return isActive(state) ? WHILE_RUNNING : WHILE_IDLE;
}

/** Let the buttons be used that lead anywhere from here. */
function allow() {
  const can = (...states) => control.may && !busy && seen !== null && states.includes(seen.status) && byId("lost").hidden;
  buttons.start.disabled = !can("idle", "stopped", "completed", "error");
  buttons.stop.disabled = !can("running");
  buttons.reset.disabled = !can("stopped", "completed", "error");
}

const ask = latest((signal) => Promise.all([control.get("files", {}, signal), control.get("runs", {}, signal)]));

/** Look at the files, at the builds of the past, and whether another store is served; what fails is asked for again. */
async function lookAround() {
  looked = Date.now();
  try {
    const [files, runs] = await ask();
    showFiles(files);
    showRuns(runs);
    const { exists, path } = files.files.db;
    if (!exists) {
      showNoStore();
    } else if (served !== undefined || isThere()) {
      // Without one that the server could read there is nothing to ask, until another one comes.
      if (path !== served) showStore(await control.get("stats"));
    }
    served = exists ? path : "";
  } catch (error) {
    if (error.name !== "AbortError") looked = 0;
  }
}

/** Do what a button is for. */
async function act(path, body) {
  busy = true;
  poller.rest(); // What it would be told is of the time before.
  allow();
  clearTrouble();
  try {
    show(await control.post(path, body));
    byId("progress-title").focus(); // The button may be of no use any more, and this is what it has changed.
  } catch (error) {
    showTrouble(error);
  }
  busy = false;
  allow();
  poller.now();
}

/** Do something once a dialog that says what it leads to has been answered with yes. */
function afterAsking(id, action) {
  const dialog = byId(id);
  dialog.returnValue = "";
  dialog.addEventListener("close", () => dialog.returnValue === "yes" && action(), { once: true });
  dialog.showModal();
}

byId("start-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (buttons.start.disabled) return; // Enter in a field.
  const options = wanted();
  if (options.rebuild && isThere()) afterAsking("confirm-rebuild", () => act("start", options));
  else act("start", options);
});
buttons.stop.addEventListener("click", () => afterAsking("confirm-stop", () => act("stop")));
buttons.reset.addEventListener("click", () => afterAsking("confirm-reset", () => act("reset")));

showMoment();
poller.start();
