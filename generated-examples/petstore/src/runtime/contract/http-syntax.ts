// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Media types (RFC 9110, section 8.3.1; RFC 6838) with their file extensions, names, and percent-encoding. */

import { UsageError, isSettableHeader } from './feature.ts';

/** `type/subtype` in lower case, without parameters. */
export function mediaTypeEssence(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}

/** Returns the value without quotes: `utf-8` for `charset` of `text/csv; charset="utf-8"`. */
export function mediaTypeParameter(mediaType: string, name: string): string | undefined {
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
  return /\/(?:x-)?(?:ndjson|jsonl|json-?lines)$/.test(type) || isJsonSequenceType(type);
}

/** RFC 7464, RFC 8091. */
export function isJsonSequenceType(mediaType: string): boolean {
  return /[/+](?:x-)?json-seq$/.test(mediaTypeEssence(mediaType));
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

const EXTENSIONS = new Map([
  ['application/gzip', 'gz'],
  ['application/json', 'json'],
  ['application/pdf', 'pdf'],
  ['application/xml', 'xml'],
  ['application/yaml', 'yaml'],
  ['application/zip', 'zip'],
  ['audio/mpeg', 'mp3'],
  ['image/jpeg', 'jpg'],
  ['image/svg+xml', 'svg'],
  ['text/calendar', 'ics'],
  ['text/html', 'html'],
  ['text/javascript', 'js'],
  ['text/markdown', 'md'],
  ['text/plain', 'txt'],
  ['video/quicktime', 'mov'],
]);

export function guessMediaTypeByFileName(filename: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  for (const [type, usual] of EXTENSIONS) if (usual === extension) return type;
  return OTHER_EXTENSIONS.get(extension);
}

const OTHER_EXTENSIONS = new Map([
  ['csv', 'text/csv'],
  ['gif', 'image/gif'],
  ['htm', 'text/html'],
  ['jpeg', 'image/jpeg'],
  ['mp4', 'video/mp4'],
  ['ogg', 'audio/ogg'],
  ['png', 'image/png'],
  ['wav', 'audio/wav'],
  ['webm', 'video/webm'],
  ['webp', 'image/webp'],
  ['yml', 'application/yaml'],
]);

export function extensionOfType(mediaType: string): string {
  const type = mediaTypeEssence(mediaType);
  const known = EXTENSIONS.get(type);
  if (known !== undefined) return known;
  const direct = /^(?:image|audio|video|text|font)\/(?:x-)?([a-z\d]{2,5})$/.exec(type)?.[1];
  return direct ?? 'bin';
}

/** RFC 9110, section 5.6.2: a method, a header's name, a subprotocol. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export function isHttpToken(value: string): boolean {
  return TOKEN.test(value);
}

type Header = [name: string, value: string];

/**
 * Reads lines of `Name: value`, ended by a line break or `\n`, or a JSON object.
 * @throws {UsageError} names the header or line, never a value
 */
export function parseHeaders(variable: string, text: string): Header[] {
  const headers = text.trimStart().startsWith('{')
    ? parseHeaderObject(variable, text)
    : parseHeaderLines(variable, text);
  const seen = new Set<string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const makeHeaderError = (why: string) =>
      new UsageError(`${variable} can't set the header ${name}: ${why}.`);
    if (!isSettableHeader(name)) throw makeHeaderError('the HTTP client sets it alone');
    if (seen.has(key)) throw makeHeaderError('it is there twice');
    if (/[\0-\x08\x0A-\x1F\x7F]/.test(value))
      throw makeHeaderError('its value has a carriage return, NUL or another control character');
    seen.add(key);
  }
  return headers;
}

function parseHeaderLines(variable: string, text: string): Header[] {
  return text.split(/\n|\\n/).flatMap((line, index): Header[] => {
    if (/^[ \t]*$/.test(line)) return [];
    const [, name = '', value = ''] = /^[ \t]*([^:]*?)[ \t]*:[ \t]*(.*?)[ \t]*$/s.exec(line) ?? [];
    if (isHttpToken(name)) return [[name, value]];
    throw new UsageError(`${variable} must have lines such as "Name: value", but line ${index + 1} is none.`);
  });
}

function parseHeaderObject(variable: string, text: string): Header[] {
  const words = `${variable} begins with "{", so it must be a JSON object of header names and texts`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error of the parser would show a part of the text.
    throw new UsageError(`${words}, but is no JSON.`);
  }
  return Object.entries(value as object).map(([name, member]: [string, unknown]): Header => {
    if (!isHttpToken(name)) throw new UsageError(`${words}, but has a member that is no header name.`);
    if (typeof member !== 'string') throw new UsageError(`${words}, but ${name} is no text.`);
    return [name, member];
  });
}

/** Headers of the connection (RFC 9110, section 7.6.1) or of the message, and headers that this server sets itself. */
const OWN = new Set(
  (
    'accept accept-encoding connection cookie2 expect forwarded host http2-settings keep-alive last-event-id origin ' +
    'te trailer transfer-encoding upgrade user-agent via'
  ).split(' '),
);

/** @param from the flag or variable to blame @returns each name once, in lower case */
export function normalizePassedHeaderNames(from: string, names: readonly string[]): string[] {
  for (const name of names) {
    const reason = findReasonNotToPassHeader(name.toLowerCase());
    if (reason !== undefined) throw new UsageError(`${from} can't be ${name}: ${reason}.`);
  }
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function findReasonNotToPassHeader(name: string): string | undefined {
  if (!isHttpToken(name)) return 'that is no name of a header; give one name, such as X-Tenant';
  if (name === 'authorization' || name === 'dpop')
    return 'that proves who calls this server, and is no credential for the API';
  if (name === 'cookie') return 'cookies are of this server, not of the API';
  if (name.startsWith('proxy-')) return 'it is between a client and its proxy';
  if (/^(mcp|sec)-/.test(name)) return 'it is of the protocol between the client and this server';
  if (name.startsWith('content-'))
    return 'it describes the body of the MCP message, not that of the request to the API';
  return OWN.has(name) ? 'it belongs to one connection, and this server sets its own' : undefined;
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

/** Headers that later calls need: a version, the next page, where something is, how long to wait. Lower case. */
export const TOLD =
  /^(?:etag|link|allow|retry-after|content-range|x-total-count|(?:.+-)?location|x-next.*|(?:x-)?rate-?limit.*)$/;

export function isReported(name: string): boolean {
  return !LEFT_OUT.has(name) && !/^(access-control|content-security-policy)\b/.test(name);
}

/** A token, a quoted string or a target of a list of links: each alternative ends at its first character or its own end. */
const LINK_PART = /<[^<>]*>|"(?:[^"\\]|\\.)*"|[^\s<>",;=]+|[,;=]/g;

/** The target of the first link of the relation `next` from this answer (RFC 8288, section 3). */
export function findNextLinkTarget(header: string): string | undefined {
  let target: string | undefined;
  let parameters = new Map<string, string>();
  let name = '';
  let isValue = false;
  const isNextLink = (): boolean =>
    /(?:^|\s)next(?:$|\s)/i.test(parameters.get('rel') ?? '') && !parameters.has('anchor');
  for (const [part] of header.matchAll(LINK_PART)) {
    if (part === ',') {
      if (target !== undefined && isNextLink()) return target;
      [target, parameters, name] = [undefined, new Map(), ''];
    } else if (part.startsWith('<')) target = part.slice(1, -1).trim();
    else if (part === ';') [name, isValue] = ['', false];
    else if (part === '=') isValue = true;
    else if (!isValue) name = part.toLowerCase();
    else if (!parameters.has(name)) parameters.set(name, part.replace(/^"|"$/g, ''));
  }
  return isNextLink() ? target : undefined;
}

export type Encode = (text: string) => string;

const UNRESERVED = /^[\w\-.~]*$/;

/** Leaves the unreserved characters of RFC 3986: simple expansion of RFC 6570. */
export function encodeUnreserved(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(toWellFormedText(text)).replace(/[!'()*]/g, percentEncodeAscii);
}

/** The `application/x-www-form-urlencoded` serializer of the URL Standard: space is `+`, `~` is encoded. */
export function encodeFormUrlencoded(text: string): string {
  return encodeURIComponent(toWellFormedText(text))
    .replace(/[!'()~]/g, percentEncodeAscii)
    .replace(/%20/g, '+');
}

function percentEncodeAscii(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A lone surrogate has no UTF-8 form, and `encodeURIComponent` throws on it. */
export function toWellFormedText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Many readers of JSON refuse a text with half a character, which a cut may leave. */
export function cutToWellFormedText(text: string, most: number): string {
  return toWellFormedText(text.slice(0, most));
}
