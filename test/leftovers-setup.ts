/** Each file of tests leaves the process as it found it, since files share one. */
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
    // Packages that are loaded may keep something of theirs under names with `__`; clients get a WebSocket where Node has none.
    globals: Object.getOwnPropertyNames(globalThis).filter((name) => !/^(?:__|WebSocket$)/.test(name)),
    fetch: globalThis.fetch,
    // A server that took over this process would end it.
    listeners: process.listenerCount('uncaughtException'),
  };
}
