import { type Rec, isRecord } from '../document/record.ts';

const longest = 60;

/**
 * The one example of a parameter worth its bytes: short text or a number. Examples elsewhere in schemas are
 * dropped; they are most of a large document.
 */
export function exampleOf(parameter: Rec, schema: unknown): string | number | undefined {
  const own = parameter.example ?? firstValue(parameter.examples);
  const example = own ?? (isRecord(schema) ? (schema.example ?? firstOf(schema.examples)) : undefined);
  if (typeof example === 'number') return isExact(example) ? example : undefined;
  return typeof example === 'string' && example !== '' && example.length <= longest ? example : undefined;
}

/** Neither infinite nor, perhaps, an integer that was rounded when it was read. */
function isExact(number: number): boolean {
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

function firstValue(examples: unknown): unknown {
  if (!isRecord(examples)) return undefined;
  const [first] = Object.values(examples);
  return isRecord(first) ? (first.dataValue ?? first.value) : undefined;
}

function firstOf(examples: unknown): unknown {
  return Array.isArray(examples) ? (examples as unknown[])[0] : undefined;
}
