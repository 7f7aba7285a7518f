// Rule 2: which code says what, the same in every revision, and that nothing ran.
import { expect, test } from 'vitest';
import { LEGACY_REVISIONS } from '../../../templates/runtime/json-rpc.ts';
import { ALL, speaking } from './speaking.ts';
import { REQUESTS, subject } from './subject.ts';

test.each(LEGACY_REVISIONS)('%s: a level that is none is -32602', async (revision) => {
  const { put } = await speaking(revision);
  for (const level of ['loud', 7, null, undefined])
    expect((await put('logging/setLevel', { level })).error?.code).toBe(-32602);
});

test.each(ALL)('%s: an unknown method is -32601', async (revision) => {
  const { put } = await speaking(revision);
  for (const method of ['no/such', 'notifications/initialized', 'toString', ''])
    expect((await put(method, {})).error).toEqual({ code: -32601, message: `Unknown method: ${method}` });
});

test.each(ALL)('%s: a handler that fails leaks no stack', async (revision) => {
  const { put } = await speaking(
    revision,
    subject(() => {
      throw new Error('broken');
    }),
  );
  for (const [method, params] of Object.values(REQUESTS)) {
    const text = JSON.stringify(await put(method, params));
    expect(text).not.toMatch(/\bat \S+ \(|\.ts:|node:internal|subject/);
  }
});
