// Types for the tests; the words stand in `record.mjs`.
import type { Family } from '../run.mjs';

export function readRecord(): Record<string, string>;
export function findUnprovedFamilies(
  families: Pick<Family, 'family' | 'text' | 'rows'>[],
  record: Record<string, string>,
): string[];
