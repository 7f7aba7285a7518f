/** Finds integers that a double cannot hold. */
import { writtenNumber } from '../document/written-text.ts';
import { type SourceNode, childOf } from '../reference/source-node.ts';

export interface Rounded {
  written: string;
  read: string;
}

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

/** Numbers with a fraction or exponent are meant as doubles. */
function roundedNumber(node: SourceNode, value: number): Rounded | undefined {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return undefined;
  const read = String(BigInt(value));
  const written = writtenNumber(node) ?? read;
  return /^[-+]?\d+$/.test(written) && BigInt(written.replace('+', '')) !== BigInt(value)
    ? { written, read }
    : undefined;
}
