/** What the audit log shows of a call's arguments: names and types, or values without what is secret. */
import { isRecord } from '../contract/json-value.ts';
import type { Redact } from '../redact.ts';

/** Of arguments: a client may send any number, under names of any length. */
const MOST_NAMES = 50;
const LONGEST_NAME = 64;
/** Characters of the arguments of one line. */
const LONGEST_TEXT = 4_096;
const MOST_DEPTH = 8;

/** Names whose values are not for others. */
const SECRET_NAME = /key|token|secret|passw|passphrase|^pin$|sig|auth|credential|cookie|session|code/i;

/** Each argument's type, by its name, of which `redact` takes out what is known to be secret. */
export function typesOf(args: unknown, redact: Redact): Record<string, string> {
  if (!isRecord(args)) return {};
  const shown = Object.entries(args).slice(0, MOST_NAMES);
  return Object.fromEntries(
    shown.map(([name, value]) => [redact(name).slice(0, LONGEST_NAME), typeOf(value)]),
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of ${value.length}`;
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/**
 * The arguments as JSON, their secrets left out; what is too long is cut, and no JSON any more, so it is a text either way.
 *
 * @param redact takes out what is known to be secret, under whatever name it comes
 */
export function valuesOf(args: unknown, redact: Redact): string {
  const text = redact(JSON.stringify(withoutSecrets(args, 0)) ?? '');
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MOST_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      SECRET_NAME.test(name) ? '[redacted]' : withoutSecrets(each, depth + 1),
    ]),
  );
}
