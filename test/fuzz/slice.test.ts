// A short slice of `npm run fuzz`, of the same inputs in every run.
import fc from 'fast-check';
import { afterAll, beforeAll, test, vi } from 'vitest';
import { targets } from '../../scripts/lib/fuzz/targets.mjs';

const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ `../../${path}.ts`);

// The target `journals` sets the cache folder for its process.
beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', process.env['XDG_CACHE_HOME']);
});

afterAll(() => {
  vi.unstubAllEnvs();
});

test.each(targets)('$name', async ({ property, slice }) => {
  await fc.assert(await property(load), { numRuns: slice });
});
