/** Checks the size of examples and other data. Nothing depends on examples, so hostile ones are dropped silently. */
import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { Json } from '../../../../templates/runtime/contract/json-schema.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';

/** Limits of YAML data with aliases, which can be huge or endless. */
const exampleLimits = {
  /** Approximate UTF-16 code units of an example as JSON. */
  size: 32 * 1024,
  /** The same for defaults, constants and enum members. */
  dataSize: 1024 * 1024,
  depth: 64,
} as const;

/** Undefined for null, which mostly means "no example", and for a reference in place of a value. */
export function exampleIn(value: unknown, document: LoadedDocument): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (isRecord(value) && Object.hasOwn(value, '$ref')) return undefined;
  return isWithin(value, document, exampleLimits.size) ? (value as Json) : undefined;
}

/** Only aliases can make data larger than the document. */
export function isBounded(value: unknown, document: LoadedDocument): boolean {
  return isWithin(value, document, exampleLimits.dataSize);
}

function isWithin(value: unknown, { aliases }: LoadedDocument, size: number): boolean {
  return aliases === 0 || sizeWithin(value, size, 0) !== undefined;
}

/** Approximate length of a value as JSON; undefined if it exceeds `limit` or the depth. */
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
