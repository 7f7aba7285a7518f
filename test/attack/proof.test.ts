// What counts as proof when a check is taken out: a row of it that was let in, and none that was refused in other words.
import { expect, test } from 'vitest';
import { isAdmitted, isProof } from '../../scripts/lib/attack/run.mjs';

const row = (want: string, reaches: Record<string, number> = {}): Parameters<typeof isAdmitted>[0] => ({
  want,
  reaches,
});

test.each([
  ['as wanted', row('403'), '403', {}, false],
  ['another refusal', row('414 -32600'), '406 -32600', {}, false],
  ['an error of the server', row('401 invalid_token'), '500', {}, false],
  ['an error within a success', row('404'), '200 -32602', {}, false],
  ['no answer', row('413'), 'failed: no answer', {}, false],
  ['a figure that is no status', row('64 at a time'), '201 at a time', {}, false],
  ['a success', row('404'), '200', {}, true],
  ['a WebSocket', row('400 -32600'), '101', {}, true],
  ['a success among others', row('200, then 401 invalid_token'), '200, then 200', {}, true],
  ['the successes that are wanted', row('200, 401 -32600'), '200, 500', {}, false],
  ['a handler', row('413'), 'failed: no answer', { handlers: 1 }, true],
  ['the API, as wanted', row('refused', { upstream: 1 }), 'else', { upstream: 1 }, false],
  ['the API, once more', row('refused', { upstream: 1 }), 'refused', { upstream: 2 }, true],
  ['less than wanted', row('200', { handlers: 1 }), '500', {}, false],
])('admitted: %s', (_, one, got, rises: Record<string, number>, want) => {
  expect(isAdmitted(one, got, rises)).toBe(want);
});

const refused = { name: 'a row', admitted: false };
const otherwise = { ...refused, miss: 'wanted 408, got 500' };
const open = { ...refused, miss: 'wanted 408, got failed: no answer' };
const letIn = { ...refused, admitted: true, miss: 'wanted 403, got 200' };
const check = { rows: /row/ };

test.each([
  ['one that was let in', check, letIn, true],
  ['one of another check', { rows: /other/ }, letIn, false],
  ['one that was refused', check, refused, false],
  ['one that was refused in other words', { ...check, admits: /no answer/ }, otherwise, false],
  ['a miss that is named', { ...check, admits: /no answer/ }, open, true],
  ['a miss that is named for other rows', { rows: /other/, admits: /no answer/ }, open, false],
  ['a miss that is not named', check, open, false],
])('proof: %s', (_, one, verdict, want) => {
  expect(isProof(one, verdict)).toBe(want);
});
