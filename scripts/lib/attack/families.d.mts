// Types for the tests; the words stand in `families.mjs`.
import type { Family } from './run.mjs';

export function readFamilies(): Promise<Family[]>;
