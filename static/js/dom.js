/** The few things that all pages do to the document; text is only ever set as text. */

/** Find an element of the page by its id. */
export const byId = (id) => document.getElementById(id);

/** Copy the element that a template of the page holds. */
export const copy = (id) => byId(id).content.firstElementChild.cloneNode(true);

/** Make an element; properties go by their names in scripts, and `aria-…`, `data-…`, `role` by those in HTML. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Set the text of the elements within that are named by `data-text`; what has none is hidden, with its `data-with`. */
export function put(root, texts) {
  for (const [name, text] of Object.entries(texts)) {
    const none = text === null || text === undefined || text === "";
    for (const element of root.querySelectorAll(`[data-text="${name}"]`)) {
      element.textContent = none ? "" : text;
      element.hidden = none;
    }
    for (const element of root.querySelectorAll(`[data-with="${name}"]`)) element.hidden = none;
  }
  return root;
}

/** Say what is wrong, in the place that a page has for it; nothing takes it away. */
export function tell(message) {
  const trouble = byId("trouble");
  trouble.textContent = message;
  trouble.hidden = !message;
  if (message) trouble.scrollIntoView({ block: "nearest" });
}

/** Call a function once things have been quiet for so long; whoever calls again starts the wait anew, and `cancel()` ends it. */
export function whenQuiet(milliseconds, action) {
  let timer;
  const later = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds, ...values);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

const drawings = new WeakMap();
// In the next frame: what is drawn may change sizes again, and browsers complain of that within the same one.
const sizes = new ResizeObserver((entries) => requestAnimationFrame(() => entries.forEach(({ target }) => drawings.get(target)?.())));

/** Draw into an element now, and anew whenever it has got another width; what was drawn into it before is forgotten. */
export function draw(element, drawing) {
  let width = element.clientWidth;
  drawings.set(element, () => {
    if (!element.clientWidth || element.clientWidth === width) return;
    width = element.clientWidth;
    drawing();
  });
  sizes.observe(element);
  drawing();
}

/** Offer text as a file to be saved. */
export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // Long enough for the browser to have read it.
}

let loading;
/** Load d3, which only charts and networks need. */
export function d3() {
  loading ??= new Promise((resolve, reject) => {
    const source = document.body.dataset.d3;
    const failed = () => {
      loading = undefined; // It is tried again where the next one is wanted.
      reject(new Error(gettext("The service does not answer. Is it running, and are you connected to it?")));
    };
    document.head.append(make("script", { src: source, onload: () => resolve(globalThis.d3), onerror: failed }));
  });
  return loading;
}
