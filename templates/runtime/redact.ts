// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Removes credentials from texts that an API echoes, and from errors. */
import { inspect } from 'node:util';

import { type Bindings, type UpstreamBinding, listApis } from './contract/bindings.ts';
import type { Json, JsonObject } from './contract/json-schema.ts';
import { isRecord, putAndDropOldest, readJson } from './contract/json-value.ts';
import { parseHeaders } from './contract/http-syntax.ts';
import {
  type Decoded,
  type Escape,
  MOST_LEVELS,
  type Needle,
  type Place,
  decodeEscapes,
  decodeRepeatedly,
  readEscapeAt,
  hasFold,
  base64Spellings,
  isLetterOrDigit,
  findNeedlePlace,
  secretSpellings,
} from './escapes.ts';

/** @param isCut the text was cut, maybe within a secret */
export type Redact = (text: string, isCut?: boolean) => string;

/** Shorter secrets would match ordinary text. */
export const SHORTEST_SECRET = 6;

export const REDACTED = '[redacted]';

const MOST_CAUSES = 10;

/** Calls with the same credentials share a search; callers come and go. */
const MOST_SEARCHES = 64;
const searches = new Map<string, SecretSearch>();

export const redactNothing: Redact = (text) => text;

/** Replaces every spelling of the secrets; `redactNothing` when all are too short. */
export function createRedactor(values: readonly string[]): Redact {
  // Headers are sent without the blanks around a value, which an API may echo.
  const secrets = values.map((secret) => secret.trim());
  if (!secrets.some((one) => one.length >= SHORTEST_SECRET)) return redactNothing;
  let search: SecretSearch | undefined;
  return (text, isCut) => replaceRanges(text, (search ??= getSecretSearch(secrets)).findSecrets(text, isCut));
}

export function replaceRanges(text: string, places: readonly Place[]): string {
  let rest = 0;
  let shown = '';
  for (const [start, end] of places) {
    shown += text.slice(rest, start) + REDACTED;
    rest = end;
  }
  return rest === 0 ? text : shown + text.slice(rest);
}

function getSecretSearch(secrets: readonly string[]): SecretSearch {
  const key = secrets.join('\0');
  const known = searches.get(key) ?? new SecretSearch(secrets);
  putAndDropOldest(searches, key, known, MOST_SEARCHES);
  return known;
}

/** Redacts texts, numbers and names of members. @throws {RangeError} when nested too deeply */
export function redactJson(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (typeof value === 'object' && value !== null) return redactMembers(value, redact);
  return redact(String(value)) === String(value) ? value : REDACTED;
}

/** Numbers names that become equal, so that no member is lost. */
function redactMembers(value: JsonObject, redact: Redact): Json {
  const members = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    const shown = redact(name);
    const isTaken = shown !== name && (members.has(shown) || Object.hasOwn(value, shown));
    members.set(isTaken ? `${shown} ${members.size}` : shown, redactJson(member ?? null, redact));
  }
  return Object.fromEntries(members);
}

/** For the log: each error with its stack, `code` and `status`, then its causes and the errors that it collects. */
export function describeError(thrown: unknown, redact: Redact): string {
  // Causes may be circular.
  const errors = new Map<unknown, string>([[thrown, '']]);
  const words: string[] = [];
  for (const [error, relation] of errors) {
    words.push(`${relation}${describeSingleError(error)}`);
    if (!(error instanceof Error)) continue;
    if (error.cause !== undefined) addError(errors, error.cause, 'Caused by: ');
    for (const each of aggregatedErrors(error)) addError(errors, each, 'One of its errors: ');
  }
  return redact(words.join('\n'));
}

function addError(errors: Map<unknown, string>, error: unknown, relation: string): void {
  if (errors.size < MOST_CAUSES && !errors.has(error)) errors.set(error, relation);
}

function aggregatedErrors(error: Error): readonly unknown[] {
  return error instanceof AggregateError ? (error.errors as unknown[]) : [];
}

const LONGEST_VALUE = 2_000;

function describeSingleError(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return inspect(thrown).slice(0, LONGEST_VALUE);
    const facts = FACTS.flatMap((name) => {
      const value: unknown = Reflect.get(thrown, name);
      return typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [];
    });
    return `${thrown.stack ?? String(thrown)}${facts.length === 0 ? '' : `\n    (${facts.join(', ')})`}`;
  } catch {
    return 'Something was thrown that has no text.';
  }
}

const FACTS = ['code', 'status', 'statusCode'];

/** Redacts message, stack, causes and other properties, in place. */
export function redactThrown(thrown: unknown, redact: Redact): unknown {
  // Causes may be circular.
  const errors = new Set([thrown]);
  for (const error of errors) {
    if (!(error instanceof Error)) continue;
    redactProperties(error, redact);
    if (errors.size < MOST_CAUSES)
      for (const each of [error.cause, ...aggregatedErrors(error)]) errors.add(each);
  }
  return thrown;
}

/** Node adds its input as properties (`input`, `hostname`). */
function redactProperties(error: Error, redact: Redact): void {
  for (const name of new Set(['message', 'stack', ...Object.getOwnPropertyNames(error)])) {
    const text: unknown = Reflect.get(error, name);
    const shown = typeof text === 'string' ? redact(text) : text;
    // Not an assignment: the message of a `DOMException` is read-only.
    if (shown !== text)
      Reflect.defineProperty(error, name, { value: shown, configurable: true, writable: true });
  }
}

/** The pattern also matches variables that only the project's own code reads. */
const SECRET_VARIABLE = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|AUTHORIZATION|CREDENTIALS?)(?:_|$)/i;

type Environment = Readonly<Record<string, string | undefined>>;

/** Matches the password of a URL, such as that of a database or a proxy. */
const URL_PASSWORD = /^[a-z][a-z\d+.-]*:\/\/[^/?#:@]*:([^/?#]+)@/i;

const percentToLatin1 = (text: string): string =>
  text.replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** @param bindings their arguments from variables count too */
export function listSecrets(
  env: Environment,
  bindings: Pick<Bindings, 'upstream' | 'upstreams'> = {},
): string[] {
  const named = Object.entries(env).flatMap(([name, value = '']) => {
    if (/^API_HEADERS(?:_|$)/.test(name)) return headerSecrets(name, value);
    if (SECRET_VARIABLE.test(name)) return [value];
    const [, password] = URL_PASSWORD.exec(value) ?? [];
    return password === undefined ? [] : [password, percentToLatin1(password)];
  });
  return [...named, ...listApis(bindings).flatMap((api) => argumentSecrets(api, env).inFailures)];
}

/**
 * Values of arguments that the operator set in the environment. Good answers keep those that no name calls a secret: a
 * region or a workspace is part of many ids and links.
 */
export function argumentSecrets(
  { argumentVariables = {} }: Pick<UpstreamBinding, 'argumentVariables'>,
  env: Environment,
): Record<'inAnswers' | 'inFailures', string[]> {
  const secrets: ReturnType<typeof argumentSecrets> = { inAnswers: [], inFailures: [] };
  for (const [variable, sentAs] of Object.entries(argumentVariables)) {
    const values = listTextsIn(env[variable] ?? '');
    const isSecret = [variable, ...sentAs.map(toSnakeCase)].some((name) => SECRET_VARIABLE.test(name));
    secrets.inFailures.push(...values);
    if (isSecret) secrets.inAnswers.push(...values);
  }
  return secrets;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|\W/g, '_');
}

/** The text, and those of the list or object that it may hold. */
function listTextsIn(text: string): string[] {
  if (!/^\s*[[{]/.test(text)) return [text];
  try {
    return [text, ...listLeaves(readJson(text))];
  } catch {
    return [text];
  }
}

function listLeaves(value: unknown): string[] {
  if (Array.isArray(value) || isRecord(value)) return Object.values(value).flatMap(listLeaves);
  return [String(value)];
}

/** APIs may show a token without its scheme. */
function headerSecrets(name: string, text: string): string[] {
  try {
    return parseHeaders(name, text).flatMap(([, value]) => [value, value.replace(/^\w+\s+/, '')]);
  } catch {
    return [text];
  }
}

// The search finds secrets in every spelling that APIs, clients and libraries give them: escaped for JSON, URLs, forms,
// XML or HTML, repeatedly, and in Base64.

/** At the end of a cut text, fewer characters are not taken for the beginning of a secret. */
const SHORTEST_BEGINNING = 4;

const LONGEST_STEP = 255;

/** Forms write a blank as `+`, URLs write Base64 with `-` and `_`. */
const ALIKE = ['+- ', '/_'].map((group) => Array.from(group, (one) => one.charCodeAt(0)));

/** `#;{}` and a line break, which are parts of escapes. */
const OF_ESCAPES = [35, 59, 123, 125, 10];

/** Counts pairs of characters below 128. */
const PAIRS = 1 << 14;

/** Searches a text, and each text that decoding its escapes gives. */
export abstract class LevelSearch {
  /** Places are in order and do not overlap. */
  findSecrets(text: string, isCut = false): Place[] {
    const found = this.#findInAllLevels(text, isCut, (level) => decodeEscapes(level));
    // Searches again by another order of decoding: in JSON, a `\` decoded from `%5C` would begin an escape.
    if (text.includes('\\') && /[%&]/.test(text) && (isCut || this.mayHideSecret(text))) {
      const decodeLevel = (level: string) => decodeEscapes(level, true) ?? decodeEscapes(level);
      found.push(...this.#findInAllLevels(text, isCut, decodeLevel));
    }
    return joinOverlapping(found);
  }

  #findInAllLevels(text: string, isCut: boolean, decode: (level: string) => Decoded | undefined): Place[] {
    const found: Place[] = [];
    const levels: Decoded[] = [];
    for (let level = text, rest = MOST_LEVELS; ; rest--) {
      for (const place of this.findUnescaped(level, isCut)) found.push(mapPlaceToSource(place, levels));
      const next = rest > 0 && (isCut || this.mayHideSecret(level)) ? decode(level) : undefined;
      if (next === undefined) return found;
      levels.push(next);
      level = next.text;
    }
  }

  /** Finds secrets that are not escaped. */
  protected abstract findUnescaped(text: string, isCut: boolean): Place[];

  /** Whether escapes may hide part of a secret, now or once decoded. */
  protected abstract mayHideSecret(text: string): boolean;
}

class SecretSearch extends LevelSearch {
  readonly #needles: readonly Needle[];
  readonly #shortest: number;
  /** Distance to skip by pair of characters; 0 may end the first part of a secret. */
  readonly #steps: Uint8Array;
  readonly #byPair = new Map<number, Needle[]>();
  readonly #characters = new Uint8Array(128);
  #isBeyondAscii = false;

  constructor(secrets: readonly string[]) {
    super();
    const kept = secrets.filter((one) => one.length >= SHORTEST_SECRET);
    const forms = new Set(kept.flatMap((one) => [one, ...decodeRepeatedly(one, SHORTEST_SECRET)]));
    const plain = [...forms].flatMap(secretSpellings);
    const encoded = plain.flatMap(base64Spellings);
    this.#needles = [
      ...Array.from(new Set(plain), (text) => ({ text, isBase64: false })),
      ...Array.from(new Set(encoded), (text) => ({ text, isBase64: true })),
    ];
    this.#shortest = Math.min(LONGEST_STEP, ...this.#needles.map(({ text }) => text.length));
    this.#steps = new Uint8Array(PAIRS).fill(Math.max(1, this.#shortest - 1));
    for (const needle of this.#needles) this.#indexNeedle(needle);
  }

  protected override findUnescaped(text: string, isCut: boolean): Place[] {
    return [...this.#findWholeSecrets(text), ...(isCut ? this.#findCutSecret(text) : [])];
  }

  /** Wu–Manber search, which skips most characters. */
  #findWholeSecrets(text: string): Place[] {
    const found: Place[] = [];
    const [first, steps] = [this.#shortest - 1, this.#steps];
    for (let at = first; at < text.length;) {
      const pair = packCharPair(text.charCodeAt(at - 1), text.charCodeAt(at));
      const step = steps[pair] ?? 1;
      at += step || 1;
      if (step > 0) continue;
      const start = at - 1 - first;
      for (const needle of this.#byPair.get(pair) ?? [])
        if (isNeedleAt(text, start, needle)) found.push(findNeedlePlace(text, start, needle));
    }
    return found;
  }

  #indexNeedle(needle: Needle): void {
    const { text } = needle;
    for (let at = 0; at < text.length; at++) {
      for (const code of alikeCodes(text.charCodeAt(at))) this.#characters[code] = 1;
      this.#isBeyondAscii ||= text.charCodeAt(at) > 127;
      const rest = this.#shortest - 1 - at;
      if (at === 0 || rest < 0) continue;
      for (const pair of listCharPairsAt(text, at))
        if (rest < (this.#steps[pair] ?? 0)) this.#steps[pair] = rest;
    }
    for (const pair of listCharPairsAt(text, this.#shortest - 1))
      this.#byPair.set(pair, [...(this.#byPair.get(pair) ?? []), needle]);
  }

  /** False for most texts, which escape only characters that are in no secret. */
  protected override mayHideSecret(text: string): boolean {
    for (const mark of ['\\', '%', '&'])
      for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
        const escape = readEscapeAt(text, at);
        if (escape !== undefined && this.#isSuspect(text, escape)) return true;
      }
    return hasFold(text);
  }

  #isSuspect(text: string, { start, end, code }: Escape): boolean {
    if (code < 0 || code === 92 || code === 37) return true;
    if (code === 38 && /^(?:#|[a-z]{2,7};)/i.test(text.slice(end, end + 8))) return true;
    // APIs rarely encode letters and digits.
    if (end - start > 2 && (isLetterOrDigit(code) || OF_ESCAPES.includes(code))) return true;
    return code > 127 ? this.#isBeyondAscii : this.#characters[code] === 1;
  }

  /** A cut text may also end within an escape. */
  #findCutSecret(text: string): Place[] {
    const end = text.replace(/(?:\\[ux]?\{?[\da-f]{0,5}|%[\da-f]?|&#?\w{0,7})$/i, '');
    let longest = 0;
    for (const { text: secret, isBase64 } of this.#needles) {
      for (let size = Math.min(secret.length - 1, end.length); size > longest; size--) {
        if (size < SHORTEST_BEGINNING) break;
        if (isNeedleAt(end, end.length - size, { text: secret.slice(0, size), isBase64 })) longest = size;
      }
    }
    return longest === 0 ? [] : [[end.length - longest, text.length]];
  }
}

function packCharPair(before: number, code: number): number {
  return ((before & 127) << 7) | (code & 127);
}

/** Lists the pairs of characters that count as equal to the pair ending here. */
function listCharPairsAt(text: string, at: number): number[] {
  return alikeCodes(text.charCodeAt(at - 1)).flatMap((before) =>
    alikeCodes(text.charCodeAt(at)).map((code) => packCharPair(before, code)),
  );
}

function alikeCodes(code: number): number[] {
  return ALIKE.find((group) => group.includes(code)) ?? [code & 127];
}

function isNeedleAt(text: string, start: number, { text: secret, isBase64: isEncoded }: Needle): boolean {
  for (let at = 0; at < secret.length; at++) {
    const [found, wanted] = [text.charCodeAt(start + at), secret.charCodeAt(at)];
    if (found === wanted || (wanted === 32 && found === 43)) continue;
    if (!isEncoded || !alikeCodes(wanted).includes(found)) return false;
  }
  return true;
}

function mapPlaceToSource(place: Place, levels: readonly Decoded[]): Place {
  return levels.reduceRight<Place>(([start, end], level) => level.place(start, end), place);
}

function joinOverlapping(places: Place[]): Place[] {
  const joined: Place[] = [];
  for (const [start, end] of places.sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last === undefined || start >= last[1]) joined.push([start, end]);
    else last[1] = Math.max(last[1], end);
  }
  return joined;
}
