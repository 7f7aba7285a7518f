/** Small checks for values that come from outside. */
import { nearest } from '../derive/nearest.ts';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Words about the first member that is not known, with the near miss; `undefined` when all are. */
export function unknownMember(value: Record<string, unknown>, known: readonly string[]): string | undefined {
  const stranger = Object.keys(value).find((key) => !known.includes(key));
  if (stranger === undefined) return undefined;
  const near = nearest(stranger, known);
  return `has an unknown member "${stranger}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}
