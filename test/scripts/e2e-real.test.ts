// A run against real servers: one that can't run never counts as passed.
import { expect, test } from 'vitest';
import { failedSteps, isGood, type Report } from '../../scripts/e2e-real/verdict.mjs';

function report(rest: Partial<Report> = {}): Report {
  const driven = [{ connection: 'stdio', tools: 3, steps: [{ name: 'create' }, { name: 'delete' }] }];
  return { server: 'todo', program: 'todo 1.0.0', driven, ...rest };
}

const fine = report();
const absent = report({ notRun: 'apt-get install it', driven: [] });
const broken = report({ broken: 'It ended with 1.', driven: [] });
const idle = report({ driven: [] });
const wrong = report({
  driven: [{ connection: 'http', tools: 3, steps: [{ name: 'create' }, { name: 'read', error: '404' }] }],
});

test.each<[string, Report[], boolean]>([
  ['three that passed', [fine, fine, fine], true],
  ['and one that is not there', [fine, fine, fine, absent], true],
  ['only two of three', [fine, fine, absent], false],
  ['the one that was chosen', [fine], true],
  ['the one that was chosen is not there', [absent], false],
  ['a step that failed', [fine, fine, fine, wrong], false],
  ['a server that did not start', [fine, fine, fine, broken], false],
  ['one with which nothing was done', [fine, fine, fine, idle], false],
])('%s', (_, reports, want) => {
  expect(isGood(reports)).toBe(want);
});

test('a failed step is told with its connection', () => {
  expect(failedSteps(wrong)).toEqual([{ connection: 'http', name: 'read', error: '404' }]);
});
