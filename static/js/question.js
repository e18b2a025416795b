/**
 * A question as the part of an address behind the `#`, which browsers do not send: nothing that is asked is kept
 * by the service, or by whoever keeps the addresses that it was asked for.
 *
 * It is the JSON `{left, right, since, similar}`, deflated (RFC 1951), in base64url (RFC 4648): a thousand names come
 * to some 10 KB.
 */

const PREFIX = "#q=";

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** Write a question as a fragment. */
export async function write(question) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(question)));
  let text = "";
  for (let at = 0; at < packed.length; at += 8192) text += String.fromCharCode(...packed.subarray(at, at + 8192));
  return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Read a fragment; null where it is none of a question, and an error where it is a damaged one. */
export async function read(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  try {
    const text = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
    const { left, right, since, similar } = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), packed)));
    return { left: String(left ?? ""), right: String(right ?? ""), since: Number(since) || null, similar: Boolean(similar) };
  } catch {
    throw new Error(gettext("This address is damaged: the question in it cannot be read. Was it copied whole?"));
  }
}
