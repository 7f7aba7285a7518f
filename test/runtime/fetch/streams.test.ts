// The tests of streams again, with the handler of HTTP behind the adapter for Fetch: it has streams and disconnects of its own.
import { afterAll, beforeAll } from 'vitest';
import { through } from '../transports/http-harness.ts';

beforeAll(() => {
  through.adapter = 'fetch';
});
afterAll(() => {
  through.adapter = 'node:http';
});
// @ts-expect-error -- the query makes it a module of its own.
await import('../transports/http-streams.test.ts?fetch');
