/** Bounds and `multipleOf` (Validation, section 6.2). */
import { assertion, show } from '../findings.ts';
import type { Check } from '../run.ts';
import type { SchemaNode } from '../schema-node.ts';

const bounds = {
  minimum: { sign: '≥', test: (bound: number) => (value: number | bigint) => value >= bound },
  maximum: { sign: '≤', test: (bound: number) => (value: number | bigint) => value <= bound },
  exclusiveMinimum: { sign: '>', test: (bound: number) => (value: number | bigint) => value > bound },
  exclusiveMaximum: { sign: '<', test: (bound: number) => (value: number | bigint) => value < bound },
} as const;

export function numberChecks(node: SchemaNode): Check<number | bigint>[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;
  const checks = keywords.flatMap((keyword) => boundCheck(node, keyword, schema[keyword]));
  return [...checks, ...multipleCheck(node, schema.multipleOf)];
}

function boundCheck(
  node: SchemaNode,
  keyword: keyof typeof bounds,
  bound: unknown,
): Check<number | bigint>[] {
  if (typeof bound !== 'number') return [];
  const { sign, test } = bounds[keyword];
  return [
    assertion(node, keyword, test(bound), (value) => ({
      words: `must be ${sign} ${bound} but is ${show(value)}`,
      params: { limit: bound },
    })),
  ];
}

function multipleCheck(node: SchemaNode, divisor: unknown): Check<number | bigint>[] {
  if (typeof divisor !== 'number' || !(divisor > 0) || !Number.isFinite(divisor)) return [];
  return [
    assertion(
      node,
      'multipleOf',
      (value: number | bigint) => isMultiple(value, divisor),
      (value) => ({
        words: `must be a multiple of ${divisor} but is ${show(value)}`,
        params: { multipleOf: divisor },
      }),
    ),
  ];
}

/** Exact for the decimal numbers as they are written: 0.3 is a multiple of 0.1, whatever binary fractions say. */
export function isMultiple(value: number | bigint, divisor: number): boolean {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
    if (!Number.isFinite(value)) return false;
  }
  const [a, b] = [readDecimal(value), readDecimal(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  return scale(a) % scale(b) === 0n;
}

/** `digits` × 10 ^ `exponent`. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

function readDecimal(value: number | bigint): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
