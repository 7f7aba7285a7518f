// Types for the tests; the words stand in `rows-without-proof.mjs`.
import type { Family } from '../run.mjs';
import type { Check } from './checks.mjs';

type Named = Pick<Check, 'families' | 'rows'>;
type Listed = Pick<Family, 'family' | 'lacks'> & { rows: { name: string }[] };

export function findRowsWithoutProof(
  families: Listed[],
  checks: Named[],
  expected?: Record<string, [count: number, why: string]>,
): string[];
export function findRowsNamedInVain(families: Listed[], checks: Named[], shown: Set<string>): string[];
