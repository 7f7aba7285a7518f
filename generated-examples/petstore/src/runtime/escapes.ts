// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Escapes of JSON and programs, URLs and forms, XML and HTML, and line breaks of Base64: decoding them, and writing
 * secrets with them. Every answer of an API is searched, so nothing here goes character by character.
 */
import { getOwnMember } from './contract/json-value.ts';
import { encodeFormUrlencoded, encodeUnreserved, toWellFormedText } from './contract/http-syntax.ts';

export interface Escape {
  start: number;
  end: number;
  /** The code point; -1 for a line break within Base64. */
  code: number;
}

export type Place = [start: number, end: number];

export interface Needle {
  text: string;
  isBase64: boolean;
}

export interface Decoded {
  text: string;
  /** Maps a range of `text` to the source text. */
  place: (start: number, end: number) => Place;
}

/** Levels of escapes that are decoded: enough for JSON in a form in JSON in a URL, and one more. */
export const MOST_LEVELS = 5;

/** Shortest line that encoders write: 60 characters (Ruby), 64 (PEM) or 76 (MIME, Python, PHP). */
const BASE64_LINE = 60;

const LONGEST_ENTITY = '&#x10ffff;'.length;
const LONGEST_UNICODE = '\\u{10ffff}'.length;
/** Entities of XML, and of HTML for other ASCII characters. */
const NAMED: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, plus: 43, sol: 47, equals: 61, percnt: 37, bsol: 92 },
    ...{ excl: 33, num: 35, dollar: 36, lpar: 40, rpar: 41, ast: 42, comma: 44, period: 46, colon: 58 },
    ...{ semi: 59, quest: 63, commat: 64, lsqb: 91, lbrack: 91, rsqb: 93, rbrack: 93, hat: 94, lowbar: 95 },
    ...{ grave: 96, lcub: 123, lbrace: 123, vert: 124, rcub: 125, rbrace: 125, tab: 9, newline: 10 },
  }),
);
const CONTROLS: ReadonlyMap<number, number> = new Map(
  [...'bfnrt'].map((one, at) => [one.charCodeAt(0), '\b\f\n\r\t'.charCodeAt(at)]),
);

/**
 * Decodes escapes, or only those of a backslash; undefined if there are none. An answer may be made of escapes alone, so
 * none of them becomes a string or a growing list.
 */
export function decodeEscapes(text: string, isBackslashOnly = false): Decoded | undefined {
  if (!(isBackslashOnly ? /\\/ : /[\\%&\n]/).test(text)) return undefined;
  const units = new Uint16Array(text.length);
  // Where each escape is in the decoded text, then in the source. Each has two characters or is a break in a long line.
  const escapes = new Int32Array(text.length);
  let [size, count] = [0, 0];
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const isMark = unit === 92 || (!isBackslashOnly && (unit === 37 || unit === 38 || unit === 10));
    const escape = isMark ? readEscapeAt(text, at) : undefined;
    if (escape === undefined) {
      units[size++] = unit;
      at++;
      continue;
    }
    // A line break may begin with a carriage return, which was written already.
    size -= at - escape.start;
    escapes[count++] = size;
    escapes[count++] = at;
    if (escape.code > 0xffff) units[size++] = 0xd7c0 + (escape.code >> 10);
    if (escape.code >= 0) units[size++] = escape.code > 0xffff ? 0xdc00 | (escape.code & 0x3ff) : escape.code;
    at = escape.end;
  }
  if (count === 0) return undefined;
  return {
    text: textOfUnits(units.subarray(0, size)),
    place: createPlaceFinder(text, escapes.subarray(0, count)),
  };
}

/** More arguments at once could overflow the stack. */
const MOST_UNITS = 8_192;

function textOfUnits(units: Uint16Array): string {
  let text = '';
  for (let at = 0; at < units.length; at += MOST_UNITS)
    text += String.fromCharCode.apply(undefined, units.subarray(at, at + MOST_UNITS) as unknown as number[]);
  return text;
}

export function readEscapeAt(text: string, at: number): Escape | undefined {
  switch (text.charCodeAt(at)) {
    case 92:
      return readBackslashEscape(text, at);
    case 37:
      return readPercentEscape(text, at);
    case 38:
      return readHtmlEntity(text, at);
    case 10:
      return readBase64LineBreak(text, text[at - 1] === '\r' ? at - 1 : at, at + 1);
    default:
      return undefined;
  }
}

function readBackslashEscape(text: string, at: number): Escape | undefined {
  const next = text.charCodeAt(at + 1);
  if ((next | 32) === 117) return readUnicodeEscape(text, at);
  if ((next | 32) === 120) return makeEscape(at, at + 4, parseHex(text, at + 2, at + 4));
  // Not escapes: a backslash before other letters, digits, blanks or the end.
  if (!isLetterOrDigit(next)) return next > 32 && next !== 95 ? makeEscape(at, at + 2, next) : undefined;
  return readEscapedLineFold(text, at, next) ?? makeEscape(at, at + 2, CONTROLS.get(next) ?? -1);
}

function readUnicodeEscape(text: string, at: number): Escape | undefined {
  if (text[at + 2] !== '{') return makeEscape(at, at + 6, parseHex(text, at + 2, at + 6));
  const close = text.slice(at, at + LONGEST_UNICODE).indexOf('}');
  return close < 4 ? undefined : makeEscape(at, at + close + 1, parseHex(text, at + 3, at + close));
}

function readEscapedLineFold(text: string, at: number, next: number): Escape | undefined {
  if (next === 110) return readBase64LineBreak(text, at, at + 2);
  return next === 114 && text.startsWith('\\n', at + 2) ? readBase64LineBreak(text, at, at + 4) : undefined;
}

/** Decodes UTF-8, else Latin-1. */
function readPercentEscape(text: string, at: number): Escape | undefined {
  const first = parseHex(text, at + 1, at + 3);
  const size = first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let code = size === 1 ? first : first & (0x7f >> size);
  for (let byte = 1; byte < size; byte++) {
    const start = at + byte * 3;
    const next = text.charCodeAt(start) === 37 ? parseHex(text, start + 1, start + 3) : -1;
    if (next >> 6 !== 2) return makeEscape(at, at + 3, first);
    code = (code << 6) | (next & 0x3f);
  }
  const isOverlong = (size === 3 && code < 0x800) || (size === 4 && code < 0x1_0000);
  const isWhole = !isOverlong && code >> 11 !== 0x1b && code <= 0x10_ffff;
  return makeEscape(at, at + (isWhole ? size : 1) * 3, isWhole ? code : first);
}

function readHtmlEntity(text: string, at: number): Escape | undefined {
  let end = at + 3;
  while (end < at + LONGEST_ENTITY - 1 && text.charCodeAt(end) !== 59) end++;
  if (text.charCodeAt(end) !== 59) return undefined;
  if (text.charCodeAt(at + 1) !== 35)
    return makeEscape(at, end + 1, NAMED.get(text.slice(at + 1, end).toLowerCase()) ?? -1);
  const isHex = (text.charCodeAt(at + 2) | 32) === 120;
  return makeEscape(at, end + 1, isHex ? parseHex(text, at + 3, end) : parseHex(text, at + 2, end, 10));
}

function makeEscape(start: number, end: number, code: number): Escape | undefined {
  return code < 0 || code > 0x10_ffff ? undefined : { start, end, code };
}

function parseHex(text: string, start: number, end: number, radix = 16): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const digit = code >= 48 && code <= 57 ? code - 48 : (code | 32) >= 97 ? (code | 32) - 87 : radix;
    if (!(digit < radix)) return -1;
    value = value * radix + digit;
  }
  return value;
}

/** A line break within Base64, with the indentation after it. */
function readBase64LineBreak(text: string, start: number, end: number): Escape | undefined {
  let from = start;
  while (start - from < BASE64_LINE && isBase64Character(text.charCodeAt(from - 1))) from--;
  if (start - from < BASE64_LINE) return undefined;
  let to = end;
  while (text[to] === ' ' || text[to] === '\t') to++;
  return isBase64Character(text.charCodeAt(to)) ? { start, end: to, code: -1 } : undefined;
}

/** A line break within Base64, now or once decoded; a backslash or `%` may begin an escaped character of Base64. */
const FOLD = /\n(?<=[\w+/\\%-]{60}\r?\n)|\\n(?<=[\w+/\\%-]{60}\r?\\n)/;

export function hasFold(text: string): boolean {
  return hasBase64Line(text) && FOLD.test(text);
}

/** Most texts have no such line, so one character in 60 is looked at, and its neighbours only if it may be Base64. */
function hasBase64Line(text: string): boolean {
  const isBase64Part = (at: number): boolean => {
    const code = text.charCodeAt(at);
    return isBase64Character(code) || code === 92 || code === 37;
  };
  for (let at = BASE64_LINE - 1; at < text.length; at += BASE64_LINE) {
    let [start, end] = [at + 1, at + 1];
    while (at + 1 - start < BASE64_LINE && isBase64Part(start - 1)) start--;
    while (start <= at && end - start < BASE64_LINE && isBase64Part(end)) end++;
    if (end - start === BASE64_LINE) return true;
  }
  return false;
}

export function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);
}

function isBase64Character(code: number): boolean {
  return isLetterOrDigit(code) || code === 43 || code === 45 || code === 47 || code === 95;
}

/** @param escapes where each is in the decoded text, then in the source */
function createPlaceFinder(source: string, escapes: Int32Array): Decoded['place'] {
  const mapToSource = (at: number): Place => {
    const last = lastEscapeUpTo(escapes, at);
    const escape = readEscapeAt(source, escapes[last + 1] ?? -1);
    if (escape === undefined) return [at, at + 1];
    const size = escape.code < 0 ? 0 : escape.code > 0xffff ? 2 : 1;
    const behind = at - (escapes[last] ?? 0) - size;
    return behind < 0 ? [escape.start, escape.end] : [escape.end + behind, escape.end + behind + 1];
  };
  return (start, end) => [mapToSource(start)[0], mapToSource(end - 1)[1]];
}

function lastEscapeUpTo(escapes: Int32Array, most: number): number {
  let [low, high] = [0, escapes.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((escapes[middle * 2] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return (low - 1) * 2;
}

/** A search may decode a text further than its secret was encoded. */
export function decodeRepeatedly(secret: string, shortest: number): string[] {
  const levels: string[] = [];
  for (let next = decodeEscapes(secret); next !== undefined; next = decodeEscapes(next.text)) {
    if (levels.length === MOST_LEVELS || next.text.length < shortest) break;
    levels.push(next.text);
  }
  return levels;
}

/** UTF-8 read as Latin-1 (headers), doubled quotes (CSV, YAML, SQL), CDATA. */
export function secretSpellings(secret: string): string[] {
  const octets = Buffer.from(secret, 'utf8').toString('latin1');
  const doubled = [secret.replaceAll('"', '""'), secret.replaceAll("'", "''")];
  return [secret, octets, ...doubled, secret.replaceAll(']]>', ']]]]><![CDATA[>')];
}

/** Base64 of the secret at each offset in three bytes, without characters that depend on the text beside it. */
export function base64Spellings(secret: string): string[] {
  return [...new Set([secret, ...escapedSpellings(secret)])].flatMap((one) =>
    [0, 1, 2].map((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(one, 'utf8')]);
      const start = Math.ceil((before * 8) / 6);
      return bytes.toString('base64').slice(start, Math.floor((bytes.length * 8) / 6));
    }),
  );
}

/** As JSON of JavaScript, PHP, Go, Python and ASP.NET, URLs, forms and XML write it. */
function escapedSpellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const formatHex = (character: string): string =>
    (character.codePointAt(character.length - 1) ?? 0).toString(16).padStart(4, '0');
  const escapeAsUnicode = (text: string, which: RegExp): string =>
    text.replace(which, (one) => `\\u${formatHex(one)}`);
  const dotnet = escapeAsUnicode(json, /[+&<>'`\x7f-\uffff]|\\"/g);
  const unreserved = encodeUnreserved(secret);
  const urls = [
    encodeURIComponent(toWellFormedText(secret)),
    unreserved,
    unreserved.replaceAll('~', '%7E'),
    encodeFormUrlencoded(secret),
  ];
  return [
    json,
    json.replaceAll('/', '\\/'),
    escapeAsUnicode(json, /[&<>\u2028\u2029]/g),
    escapeAsUnicode(json, /[\x7f-\uffff]/g),
    dotnet,
    dotnet.replace(/(?<=\\u)[\da-f]{4}/g, (code) => code.toUpperCase()),
    ...urls,
    ...urls.map((url) => url.replace(/%../g, (byte) => byte.toLowerCase())),
    secret.replace(/[&<>"']/g, (one) => `&${getOwnMember(XML, one)};`),
  ];
}

const XML: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** The outer characters of Base64 encode parts of the secret too. */
export function findNeedlePlace(text: string, start: number, needle: Needle): Place {
  const end = start + needle.text.length;
  if (!needle.isBase64) return [start, end];
  const isBase64Part = (at: number): boolean => isBase64Character(text.charCodeAt(at));
  let last = isBase64Part(end) ? end + 1 : end;
  for (const most = last + 2; last < most && text[last] === '=';) last++;
  return [isBase64Part(start - 1) ? start - 1 : start, last];
}
