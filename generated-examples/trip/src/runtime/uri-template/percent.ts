/** Percent-encoding as RFC 6570 asks for it (section 3.2.1), and its inverse. */

/** Encodes everything but the unreserved characters of RFC 3986. */
export function encodeUnreserved(text: string): string {
  return encode(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes what no URI may hold; reserved characters and triplets stay. */
export function encodeReserved(text: string): string {
  return text.replaceAll(/%[0-9A-Fa-f]{2}|%|[^\w\-.~:/?#[\]@!$&'()*+,;=%]+/g, (found) =>
    found.length === 3 && found.startsWith('%') ? found : encode(found),
  );
}

/** A lone surrogate has no encoding; it becomes U+FFFD, as in every UTF-8 encoder. */
function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

/** The text behind an encoded one; undefined when a triplet is broken or is not UTF-8. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The same URI with its triplets in upper case, so that equal URIs are equal texts (RFC 3986, 6.2.2.1). */
export function normalizeTriplets(uri: string): string {
  return uri.replaceAll(/%[0-9A-Fa-f]{2}/g, (found) => found.toUpperCase());
}
