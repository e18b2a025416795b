/** Who may control the build: anybody, staff who have signed in, or who gives the control token. */

import { get, post } from "./api.js";
import { byId } from "./dom.js";

const csrf = document.querySelector("meta[name=csrf-token]").content;
const ways = document.querySelectorAll("#who-may [data-way]");

/** What goes with every request that this page makes; the token is kept here, in memory, and nowhere else. */
export class Control {
  /** Whether who looks at this page may control the build, null until that is known. */
  may = null;
  #token = null;
  #auth;

  /** `changed` is called when who looks may control what they might not before, or no more. */
  constructor(changed) {
    this.changed = changed;
    byId("token-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#use(byId("token"));
    });
    byId("forget").addEventListener("click", () => {
      this.#token = null;
      this.config().catch(() => this.allow(false)); // That the connection is lost is told elsewhere.
    });
  }

  /** Ask for something with the token, where there is one. */
  get(path, query, signal) {
    return get(path, query, signal, this.#headers());
  }

  /** Send something with the token, or with what shows that it comes from this page. */
  post(path, body) {
    const headers = this.#token === null ? { "X-CSRFToken": csrf } : this.#headers();
    return post(path, body, { headers });
  }

  /** Ask for the defaults of a build and its limits, which also tells who may control. */
  async config(signal) {
    const config = await this.get("config", {}, signal);
    this.#auth = config.control_auth;
    this.allow(config.may_control);
    return config;
  }

  /** Note whether we may, as each answer tells it: a session may end while the page is open. */
  allow(may) {
    if (this.#auth === undefined) return;
    const way = !may ? "none" : this.#auth === "open" ? "open" : this.#token === null ? "staff" : "token";
    for (const one of ways) one.hidden = one.dataset.way !== way;
    const changed = this.may !== null && this.may !== may;
    this.may = may;
    if (changed) this.changed();
  }

  #headers() {
    return this.#token === null ? {} : { Authorization: `Bearer ${this.#token}` };
  }

  async #use(field) {
    const given = field.value.trim();
    let trouble = "";
    // No header can carry anything but these letters, and no token has others.
    if (/^[\x21-\x7e]+$/.test(given)) {
      this.#token = given;
      trouble = await this.config().then(({ may_control: may }) => (may ? "" : wrong()), (error) => error.message);
      if (trouble) this.#token = null;
    } else {
      trouble = given ? wrong() : gettext("Paste the control token into the field first.");
    }
    if (!trouble) field.value = "";
    byId("token-trouble").textContent = trouble;
    byId("token-trouble").hidden = !trouble;
    field.setAttribute("aria-invalid", String(Boolean(trouble)));
    if (trouble) field.focus();
    else byId("start").focus(); // The field is gone; this is what it was given for.
  }
}

const wrong = () => gettext("This is not the control token. When the service starts, its log says where the token is kept.");
