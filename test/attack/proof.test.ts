// What counts as noticed when a check is taken out: a row that was let in, and none that was refused in other words.
import { expect, test } from 'vitest';
import { isAdmitted } from '../../scripts/lib/attack/admission.mjs';
import { proofOf } from '../../scripts/lib/attack/prove/proof.mjs';

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

const admitted = { family: 'one', name: 'let in', admitted: true, miss: 'wanted 403, got 200' };
const otherwise = { family: 'one', name: 'in other words', admitted: false, miss: 'wanted 401, got 500' };
const open = { family: 'one', name: 'kept open', admitted: false, miss: 'wanted 408, got failed: no answer' };
const refused = { family: 'one', name: 'refused', admitted: false };
const check = { check: 'a check', rows: /row/ };

test.each([
  ['one that is let in', check, [refused, admitted], ['one: let in'], [], undefined],
  [
    'one that is refused in other words',
    check,
    [otherwise],
    [],
    ['in other words'],
    'no row was admitted, of 1',
  ],
  ['both', check, [otherwise, admitted], ['one: let in'], ['in other words'], undefined],
  ['none', check, [], [], [], 'no row is named /row/'],
  [
    'a miss that is named',
    { ...check, admits: /no answer/ },
    [open, otherwise],
    ['one: kept open'],
    ['in other words'],
    undefined,
  ],
  ['a miss that is not', check, [open], [], ['kept open'], 'no row was admitted, of 1'],
  [
    'each, but one',
    { ...check, each: true },
    [admitted, otherwise],
    ['one: let in'],
    ['in other words'],
    'was not admitted: in other words',
  ],
])('proved by %s', (_, one, verdicts, noticed, others, miss) => {
  const proof = { check: 'a check', noticed, otherwise: others };
  expect(proofOf(one, verdicts)).toEqual(miss === undefined ? proof : { ...proof, miss });
});
