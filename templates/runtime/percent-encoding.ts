// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Percent-encoding (RFC 3986, section 2.1) of values in paths, queries, cookies and forms. */

/** Encodes one value, or one part of it. */
export type Encode = (text: string) => string;

const UNRESERVED = /^[\w\-.~]*$/;

/** Everything but the unreserved characters of RFC 3986 is encoded: what RFC 6570 calls simple expansion. */
export function encodeUnreserved(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, encodeAscii);
}

/**
 * `allowReserved` in a query. RFC 6570's reserved expansion lets reserved characters and percent-encoded triples
 * through; `#[]` are not allowed in a query (RFC 3986, section 3.4), and a bare `&` or `+` would change the
 * form-urlencoded meaning, so those stay encoded (OpenAPI 3.2, "URL Percent-Encoding").
 */
export function encodeReservedInQuery(text: string): string {
  return text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?@!$'()*,;=]+/gu, encodeUnreserved);
}

/** `allowReserved` in a path: `?#[]` are not allowed in a path (RFC 3986, section 3.3). */
export function encodeReservedInPath(text: string): string {
  return text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/@!$&'()*+,;=]+/gu, encodeUnreserved);
}

/** `allowReserved` in a cookie: `,` and `;` are no cookie octets (RFC 6265, section 4.1.1). */
export function encodeReservedInCookie(text: string): string {
  return text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?#[\]@!$&'()*+=]+/gu, encodeUnreserved);
}

/** A whole query written by the caller: only characters that a query can't hold are encoded. */
export function encodeWholeQuery(text: string): string {
  return text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?@!$&'()*+,;=]+/gu, encodeUnreserved);
}

/** The `application/x-www-form-urlencoded` serializer of the URL Standard: space is `+`, `~` is encoded. */
export function encodeFormUrl(text: string): string {
  return encodeURIComponent(wellFormed(text))
    .replace(/[!'()~]/g, encodeAscii)
    .replace(/%20/g, '+');
}

/** No encoding, where the wire takes values as they are (headers, multipart). */
export function asIs(text: string): string {
  return text;
}

function encodeAscii(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A lone surrogate has no UTF-8 form, and `encodeURIComponent` throws on it. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
