/** The values of examples, and of other data. Nothing depends on examples, so what is hostile among them is left out in silence. */
import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { Json } from '../../../../templates/runtime/contract/json-schema.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';

/** Bounds on data of a YAML document with aliases, which may be much larger than it looks, or endless. */
const exampleLimits = {
  /** UTF-16 code units of an example as JSON, about. */
  size: 32 * 1024,
  /** The same of a default, a constant, the members of an enum. */
  dataSize: 1024 * 1024,
  /** Levels of nesting. */
  depth: 64,
} as const;

/** The value where it can be kept; undefined for null, which mostly means none, and for a reference in its place. */
export function exampleIn(value: unknown, document: LoadedDocument): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (isRecord(value) && Object.hasOwn(value, '$ref')) return undefined;
  return isWithin(value, document, exampleLimits.size) ? (value as Json) : undefined;
}

/** Whether aliases leave data in bounds. Without them it is as large as the document at most. */
export function isBounded(value: unknown, document: LoadedDocument): boolean {
  return isWithin(value, document, exampleLimits.dataSize);
}

function isWithin(value: unknown, { aliases }: LoadedDocument, size: number): boolean {
  return aliases === 0 || sizeWithin(value, size, 0) !== undefined;
}

/** About the length of a value as JSON; undefined for one that is longer than `limit`, or too deep. */
function sizeWithin(value: unknown, limit: number, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null) return scalarWithin(value, limit);
  if (depth > exampleLimits.depth) return undefined;
  let size = 2;
  for (const [name, member] of Object.entries(value)) {
    const own = sizeWithin(member, limit - size, depth + 1);
    if (own === undefined) return undefined;
    size += own + (Array.isArray(value) ? 1 : name.length + 4);
    if (size > limit) return undefined;
  }
  return size;
}

function scalarWithin(value: unknown, limit: number): number | undefined {
  const size = typeof value === 'string' ? value.length + 2 : 5;
  return size > limit ? undefined : size;
}
