// A short slice of `npm run fuzz`, of the same inputs in every run.
import fc from 'fast-check';
import { afterAll, beforeAll, test, vi } from 'vitest';
import { targets } from '../../scripts/lib/fuzz/targets.mjs';

const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ `../../${path}.ts`);

// The journals set the folder of the key that signs them.
beforeAll(() => void vi.stubEnv('XDG_CACHE_HOME', process.env['XDG_CACHE_HOME']));
afterAll(() => vi.unstubAllEnvs());

test.each(targets)('$name', async ({ property, slice }) => {
  await fc.assert(await property(load), { numRuns: slice });
});
