// Made-up inputs for what reads foreign bytes: each is read, or refused as intended. `FC_RUNS=10000` draws a million.
import fc from 'fast-check';
import { test } from 'vitest';
import { targets } from '../../scripts/lib/fuzz/targets.mjs';

const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ `../../${path}.ts`);
/** Of a property that names no number of runs. */
const RUNS = 100;
const times = (fc.readConfigureGlobal().numRuns ?? RUNS) / RUNS;

test.each(targets)('$name', { timeout: 120_000 * Math.max(1, times) }, async ({ property, runs }) => {
  await fc.assert(await property(load), { numRuns: runs * times });
});
