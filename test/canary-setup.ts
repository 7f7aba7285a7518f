/** No secret that a server of a test was given comes out of it: not on standard output or error, nor over HTTP. */
import { afterAll, expect } from 'vitest';
import { canaries } from './support/canaries.ts';

// Runs after those of the file, which end its servers.
afterAll(() => {
  expect(canaries.take()).toEqual([]);
});
