// Rule 2: which code says what, the same in every revision, and that nothing ran.
import { expect, test } from 'vitest';
import { LEGACY_REVISIONS } from '../../../templates/runtime/json-rpc.ts';
import { ALL, speaking } from './speaking.ts';

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
