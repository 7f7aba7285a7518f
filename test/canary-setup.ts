/** No secret that a server of a test was given comes out of it: not on standard output or error, nor over HTTP. */
import { afterAll, afterEach, expect } from 'vitest';
import { canaries } from './support/canaries.ts';
import { takeComplaints } from './support/complaints.ts';

// Runs after those of the file, which end its servers.
afterAll(() => {
  expect(canaries.take()).toEqual([]);
});

// Here and not beside the list: files share their modules, and a hook belongs to the file that loads it.
afterEach(() => {
  expect(takeComplaints()).toEqual([]);
});
