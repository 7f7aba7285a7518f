import { afterAll, beforeAll } from 'vitest';
import { through } from '../transports/http-harness.ts';

/** Runs the tests of other files again, with the handler of HTTP behind what speaks Fetch. */
export async function againByFetch(files: readonly string[]): Promise<void> {
  beforeAll(() => {
    through.adapter = 'fetch';
  });
  afterAll(() => {
    through.adapter = 'node:http';
  });
  for (const file of files)
    await import(/* @vite-ignore */ `${import.meta.dirname}/../${file}.test.ts?fetch`);
}
