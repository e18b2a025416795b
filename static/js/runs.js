/** The files of the service and its builds of the past, as tables. */

import { byId, copy, put } from "./dom.js";
import { elapsedOf } from "./phases.js";
import { bytes, duration, list, moment, number } from "./words.js";

/** Show which files there are, of the answer of `files`. */
export function showFiles({ data_dir: directory, files }) {
  byId("data-dir").lastElementChild.textContent = directory;
  byId("data-dir").hidden = directory === "."; // Who may not control the build is not told where it is.
  for (const row of byId("files").rows) {
    const { exists, size, path } = files[row.dataset.file];
    put(row, { size: exists ? bytes(size) : "–", path: path.replace(`${directory}/`, "") });
    row.classList.toggle("quiet", !exists);
  }
}

/** Show builds, newest first, of the answer of `runs`. */
export function showRuns({ items }) {
  byId("runs").replaceChildren(...items.map(row));
  byId("runs-frame").hidden = !items.length;
  byId("runs-empty").hidden = items.length > 0;
}

function row(run) {
  const status = {
    running: gettext("▶ running"),
    stopping: gettext("▶ stopping"),
    stopped: gettext("■ stopped"),
    completed: gettext("✓ completed"),
    error: gettext("✕ failed"),
  }[run.status];
  const seconds = elapsedOf(run);
  const element = put(copy("run-row"), {
    run: number(run.run),
    started: moment(run.started_at),
    took: seconds === null ? "" : duration(seconds),
    status,
    publications: run.progress.publications === undefined ? "–" : number(run.progress.publications),
    message: run.message,
    options: told(run.options),
  });
  element.dataset.status = run.status;
  return element;
}

/** Say what a build was told that is not what they are told by default. */
function told(options) {
  const address = (name) => (options[name] && options[name] !== "latest" ? options[name] : "");
  const switches = {
    rebuild: gettext("old store removed first"),
    if_changed: gettext("only if changed"),
    allow_shrink: gettext("even if much smaller"),
  };
  const parts = [options.file, address("xml_gz_url"), address("dtd_url"), ...Object.keys(switches).filter((name) => options[name]).map((name) => switches[name])];
  return list(parts.filter(Boolean));
}
