import { removeInvisible } from '../../../model/clean-prose.ts';

export { ownMember } from '../../../../templates/runtime/json-rpc.ts';
export { setOwnMember } from '../../../util/json-value.ts';

/**
 * A mapping of a document. Read its keys with `Object.hasOwn`, and write them with `setOwnMember`, since they may be
 * `__proto__`.
 */
export type Rec = Record<string, unknown>;

export function describeValueKind(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return `a ${typeof value}`;
}

/** `String` would call a document's own `toString`. */
export function printValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** An empty text would leave a gap in a sentence. */
export function printValueOrQuotes(value: unknown): string {
  return printValue(value) || '""';
}

export function readCleanText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = removeInvisible(value).trim();
  return text === '' ? undefined : text;
}
