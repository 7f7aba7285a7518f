// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Removes credentials from texts that an API echoes, as debug pages and error bodies do, and from errors. */
import type { Json, JsonObject } from './contract/json-schema.ts';
import { PartSearch, type Place, type SearchOptions, SecretSearch } from './secret-search.ts';

/** @param isCut the text was cut, maybe within a secret */
export type Redact = (text: string, isCut?: boolean) => string;

/** Shorter secrets would also match ordinary text. */
export const SHORTEST_SECRET = 6;

/** Shorter parts of a token also occur in names and words. */
export const TOKEN_PART = 8;

const REDACTED = '[redacted]';

/** Causes of an error that are searched. */
const MOST_CAUSES = 10;

/** Searches that are kept: calls with the same credentials share one, and credentials of callers come and go. */
const MOST_SEARCHES = 64;
const searches = new Map<string, SecretSearch>();

export const redactNothing: Redact = (text) => text;

/** A function that replaces every occurrence of the secrets, however spelled; `redactNothing` when there are none. */
export function redactor(
  secrets: readonly string[],
  options: SearchOptions = { shortest: SHORTEST_SECRET },
): Redact {
  if (!secrets.some((one) => one.length >= options.shortest)) return redactNothing;
  let search: SecretSearch | undefined;
  return (text, isCut) => replacePlaces(text, (search ??= searchFor(secrets, options)).find(text, isCut));
}

function replacePlaces(text: string, places: readonly Place[]): string {
  let rest = 0;
  let shown = '';
  for (const [start, end] of places) {
    shown += text.slice(rest, start) + REDACTED;
    rest = end;
  }
  return rest === 0 ? text : shown + text.slice(rest);
}

/**
 * Replaces the token of a caller, and each part of it that has `TOKEN_PART` characters, so that a token split over several
 * arguments can't be read from one line of a log.
 */
export function tokenRedactor(token: string): Redact {
  if (token.length < SHORTEST_SECRET) return redactNothing;
  const search = new PartSearch(token, TOKEN_PART);
  return (text) => replacePlaces(text, search.find(text));
}

/** Whether a text holds the secret, which may be short. */
export function holdsSecret(text: string, secret: string): boolean {
  return secret.length > 1 && new PartSearch(secret, secret.length).find(text).length > 0;
}

function searchFor(secrets: readonly string[], options: SearchOptions): SecretSearch {
  const key = [options.shortest, ...secrets].join('\0');
  const known = searches.get(key) ?? new SecretSearch(secrets, options);
  // The least recently used is removed first.
  searches.delete(key);
  searches.set(key, known);
  const [oldest] = searches.keys();
  if (searches.size > MOST_SEARCHES && oldest !== undefined) searches.delete(oldest);
  return known;
}

/**
 * A value with its texts, its numbers and the names of its members redacted.
 *
 * @throws {RangeError} where it is nested too deeply
 */
export function redactJson(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (typeof value === 'object' && value !== null) return redactMembers(value, redact);
  return redact(String(value)) === String(value) ? value : REDACTED;
}

/** Names that become equal get a number, so that no member is lost. */
function redactMembers(value: JsonObject, redact: Redact): Json {
  const members = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    const shown = redact(name);
    const isTaken = shown !== name && (members.has(shown) || Object.hasOwn(value, shown));
    members.set(isTaken ? `${shown} ${members.size}` : shown, redactJson(member ?? null, redact));
  }
  return Object.fromEntries(members);
}

/** The same error without secrets in its message, its stack, its causes and its other properties. */
export function withoutSecrets(thrown: unknown, redact: Redact): unknown {
  // Causes may go in a circle.
  const errors = new Set([thrown]);
  for (const error of errors) {
    if (!(error instanceof Error)) continue;
    hideIn(error, redact);
    const within: unknown[] = error instanceof AggregateError ? error.errors : [];
    if (errors.size < MOST_CAUSES) for (const each of [error.cause, ...within]) errors.add(each);
  }
  return thrown;
}

/** Node adds properties with its input, such as `input` and `hostname`. */
function hideIn(error: Error, redact: Redact): void {
  for (const name of new Set(['message', 'stack', ...Object.getOwnPropertyNames(error)])) {
    const text: unknown = Reflect.get(error, name);
    const shown = typeof text === 'string' ? redact(text) : text;
    // Not an assignment: the message of a signal's reason (`DOMException`) is read-only.
    if (shown !== text)
      Reflect.defineProperty(error, name, { value: shown, configurable: true, writable: true });
  }
}

/** Names of environment variables that hold secrets, also of the project's own code. */
const SECRET_VARIABLE = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|AUTHORIZATION|CREDENTIALS?)(?:_|$)/i;

/** The values of all variables with such a name. */
export function listSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => (SECRET_VARIABLE.test(name) ? [value] : []));
}
