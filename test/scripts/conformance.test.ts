// Failures in the official conformance suites: more than the suites themselves count.
import { expect, test } from 'vitest';
import { type Check, judge, type Verdict } from '../../scripts/conformance/judge.mjs';

const fine: Check = { id: 'a', status: 'SUCCESS', description: 'It is.' };

test.each<[string, Check[], Partial<Verdict>]>([
  ['a check that passed', [fine], { passed: 1 }],
  ['a remark beside it', [fine, { id: 'b', status: 'INFO' }], { passed: 1 }],
  [
    'a failure',
    [fine, { id: 'b', status: 'FAILURE', errorMessage: 'got 500' }],
    { passed: 1, failures: ['failure b: got 500'] },
  ],
  [
    'a warning',
    [fine, { id: 'b', status: 'WARNING', description: 'SHOULD retry' }],
    { passed: 1, warnings: ['warning b: SHOULD retry'] },
  ],
  [
    'a check that was skipped',
    [fine, { id: 'b', status: 'SKIPPED', description: 'No tools.' }],
    { passed: 1, warnings: ['skipped b: No tools.'] },
  ],
  [
    'one that always is',
    [{ id: 'tasks-status-notifications', status: 'SKIPPED' }],
    { skips: ['tasks-status-notifications'] },
  ],
  [
    'a status we do not know',
    [fine, { id: 'b', status: 'FLAKY', description: 'Well.' }],
    { passed: 1, warnings: ['flaky b: Well.'] },
  ],
  ['remarks alone', [{ id: 'b', status: 'INFO' }], { warnings: ['Nothing was checked.'] }],
  ['nothing', [], { warnings: ['Nothing was checked.'] }],
])('%s', (_, checks, verdict) => {
  expect(judge(checks)).toEqual({ passed: 0, failures: [], warnings: [], skips: [], ...verdict });
});
