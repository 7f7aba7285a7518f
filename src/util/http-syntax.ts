/** Media types (RFC 9110, section 8.3.1; RFC 6838), names of HTTP, and headers. */

/** `type/subtype` in lower case, without parameters. */
export function mediaTypeEssence(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}

/** Returns the value without quotes: `utf-8` for `charset` of `text/csv; charset="utf-8"`. */
function mediaTypeParameter(mediaType: string, name: string): string | undefined {
  if (!mediaType.includes(';')) return undefined;
  for (const part of mediaType.split(';').slice(1)) {
    const equals = part.indexOf('=');
    if (part.slice(0, equals).trim().toLowerCase() === name)
      return part
        .slice(equals + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

/** JSON is also known by old or private names, and by its suffix (RFC 6839, section 3.1). */
export function isJsonType(mediaType: string): boolean {
  if (mediaType === 'application/json') return true;
  return /^[^/]+\/(?:x-)?json$|^[^/]+\/[^/]+\+json$|\+json-?patch$/.test(mediaTypeEssence(mediaType));
}

/** Such a body has a JSON text on each line, or after each record separator (OpenAPI 3.2). */
export function isJsonLinesType(mediaType: string): boolean {
  const type = mediaTypeEssence(mediaType);
  // RFC 7464, RFC 8091.
  return (
    /\/(?:x-)?(?:ndjson|jsonl|json-?lines)$/.test(type) || /[/+](?:x-)?json-seq$/.test(mediaTypeEssence(type))
  );
}

/** Kubernetes sends `application/json;stream=watch`. */
export function isSequentialType(mediaType: string): boolean {
  if (isJsonType(mediaType)) return isJsonStreamType(mediaType);
  return /^text\/event-stream$|[/+.-](?:json-?seq|ndjson|jsonl|jsonlines|json-lines)$/.test(
    mediaTypeEssence(mediaType),
  );
}

/** JSON texts that follow each other, with or without a line break. */
function isJsonStreamType(mediaType: string): boolean {
  if (mediaType === 'application/json') return false;
  const stream = mediaTypeParameter(mediaType, 'stream');
  return (
    mediaTypeEssence(mediaType) === 'application/stream+json' || (stream !== undefined && stream !== 'false')
  );
}

export function isText(mediaType: string): boolean {
  const type = mediaTypeEssence(mediaType);
  return (
    type.startsWith('text/') ||
    /\+(?:xml|yaml|json)$/.test(type) ||
    /\/(?:x-)?(?:xml|yaml|javascript|ecmascript|x-www-form-urlencoded|graphql|toml|sql|jsonpath)$/.test(
      type,
    ) ||
    isJsonLinesType(type)
  );
}

/** `*`, `image/*`: can't be sent as a `Content-Type`. */
export function isMediaRange(mediaType: string): boolean {
  return mediaType.includes('*');
}

const MEDIA_TYPES = new Map([
  ['csv', 'text/csv'],
  ['gif', 'image/gif'],
  ['gz', 'application/gzip'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['ics', 'text/calendar'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['mov', 'video/quicktime'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['ogg', 'audio/ogg'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain'],
  ['wav', 'audio/wav'],
  ['webm', 'video/webm'],
  ['webp', 'image/webp'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['zip', 'application/zip'],
]);

export function guessMediaTypeByFileName(filename: string): string | undefined {
  return MEDIA_TYPES.get(/\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '');
}

/** RFC 9110, section 5.6.2: a method, a header's name, a subprotocol. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export function isHttpToken(value: string): boolean {
  return TOKEN.test(value);
}

/** The HTTP client alone sets these headers (RFC 9110, section 7.6.1). */
const OF_CLIENT =
  /^(?:host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

export function isSettableHeader(name: string): boolean {
  return !OF_CLIENT.test(name);
}

/** `${NAME}` in the value of a header, or `$${` for the characters `${`. */
export const HEADER_VARIABLE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The variables in the values of headers. */
export function listHeaderVariables(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.values(headers).flatMap((text) =>
    [...text.matchAll(HEADER_VARIABLE)].flatMap(([, name]) => name ?? []),
  );
}

/** RFC 6749, section 3.3: a scope that a token can be asked for, and a header can hold between quotes. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export function isScopeToken(value: string): boolean {
  return SCOPE.test(value);
}

/**
 * Headers about the connection, the server or credentials, and those that only browsers and caches use, are not reported. Names
 * are in lower case.
 */
const LEFT_OUT = new Set(
  (
    'alt-svc connection cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy date ' +
    'expect-ct keep-alive nel origin-agent-cluster permissions-policy proxy-authenticate proxy-connection ' +
    'referrer-policy report-to reporting-endpoints server server-timing set-cookie strict-transport-security te ' +
    'timing-allow-origin trailer transfer-encoding upgrade vary via www-authenticate x-content-type-options ' +
    'x-dns-prefetch-control x-download-options x-frame-options x-permitted-cross-domain-policies x-powered-by ' +
    'x-xss-protection'
  ).split(' '),
);

export function isReported(name: string): boolean {
  return !LEFT_OUT.has(name) && !/^(access-control|content-security-policy)\b/.test(name);
}

/** A lone surrogate has no UTF-8 form, and `encodeURIComponent` throws on it. */
export function toWellFormedText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
