import { availableParallelism, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: availableParallelism(),
    // Files share a process, and so its modules: test/leftovers-setup.ts keeps them apart.
    isolate: false,
    // No test is a measurement: they take long where much else runs.
    // Keys of this user are not for tests, nor made by them.
    env: { XDG_CACHE_HOME: join(tmpdir(), `mcpgen-test-cache-${String(userInfo().uid)}`) },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['test/property-setup.ts', 'test/canary-setup.ts', 'test/leftovers-setup.ts'],
  },
});
