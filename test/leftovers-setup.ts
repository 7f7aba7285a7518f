/** Files of tests run in one process, one after the other: each leaves the process as it found it. */
import { afterAll, expect, vi } from 'vitest';

const before = processState();

// Runs after those of the file, which restore what it changed.
afterAll(() => {
  expect(processState()).toEqual(before);
});

function processState() {
  return {
    env: { ...process.env },
    folder: process.cwd(),
    exitCode: process.exitCode,
    hasFakeTimers: vi.isFakeTimers(),
    // Packages that are loaded may keep something of theirs, under names that begin so.
    globals: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__')),
    fetch: globalThis.fetch,
  };
}
