/** Requests to the service; what goes wrong becomes an error whose message is for people. */

const root = document.body.dataset.api;

/** An answer that is an error: `status` is HTTP's, `problem` its body (RFC 9457). */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? gettext("The service answered something that is no answer."));
    Object.assign(this, { status, problem });
  }
}

/** The service did not answer at all. */
export class Unreachable extends Error {
  constructor() {
    super(gettext("The service does not answer. Is it running, and are you connected to it?"));
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(root + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable();
  }
  let body = null; // Also where what comes is no JSON, or breaks off.
  try {
    body = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
  if (!response.ok) throw new Refused(response.status, body ?? {});
  if (body === null) throw new Unreachable();
  return body;
}

/** Ask for what is at a path below the API's root, with the values of a query. */
export function get(path, query = {}, signal = undefined, headers = {}) {
  const text = new URLSearchParams(query).toString();
  return request(text ? `${path}?${text}` : path, { signal, headers });
}

/** Send a body, and give the answer. */
export function post(path, body = {}, { signal, headers = {} } = {}) {
  const all = { "Content-Type": "application/json", ...headers };
  return request(path, { method: "POST", body: JSON.stringify(body), headers: all, signal });
}

/** Give a function that asks for the newest question only: an earlier one that is still on its way is given up. */
export function latest(ask) {
  let controller;
  return (...values) => {
    controller?.abort();
    controller = new AbortController();
    return ask(...values, controller.signal);
  };
}
