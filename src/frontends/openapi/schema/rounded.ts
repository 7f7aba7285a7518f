/** Integers of a document that a double, as most readers of JSON have it, does not hold. */
import { writtenNumber } from '../document/written-text.ts';
import { type SourceNode, childOf } from '../reference/source-node.ts';

/** An integer as it is written, and as it would be read. */
export interface Rounded {
  written: string;
  read: string;
}

/** The first such integer in a value; `undefined` for almost every one. */
export function roundedIn(node: SourceNode): Rounded | undefined {
  const { value } = node;
  if (typeof value === 'number') return roundedNumber(node, value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = roundedIn(childOf(node, key, member as unknown));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** With a fraction or an exponent it was meant as a double. */
function roundedNumber(node: SourceNode, value: number): Rounded | undefined {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return undefined;
  const read = String(BigInt(value));
  const written = writtenNumber(node) ?? read;
  return /^[-+]?\d+$/.test(written) && BigInt(written.replace('+', '')) !== BigInt(value)
    ? { written, read }
    : undefined;
}
