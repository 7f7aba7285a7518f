// A short slice of `npm run fuzz`, of the same inputs in every run.
import fc from 'fast-check';
import { test } from 'vitest';
import { targets } from '../../scripts/lib/fuzz/targets.mjs';

const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ `../../${path}.ts`);

test.each(targets)('$name', async ({ property, slice }) => {
  await fc.assert(await property(load), { numRuns: slice });
});
