// A run against real servers: one that can't run never counts as passed.
import { expect, test } from 'vitest';
import { answerIn, headerIn } from '../../scripts/e2e-real/answer.mjs';
import { filesIn, tarOf } from '../../scripts/e2e-real/tar.mjs';
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
const peerWrong = report({ peer: { tools: 3, steps: [{ name: 'create', error: '404' }] } });

test.each<[string, Report[], boolean]>([
  ['three that passed', [fine, fine, fine], true],
  ['and one that is not there', [fine, fine, fine, absent], true],
  ['only two of three', [fine, fine, absent], false],
  ['the one that was chosen', [fine], true],
  ['the one that was chosen is not there', [absent], false],
  ['a step that failed', [fine, fine, fine, wrong], false],
  ['a server that did not start', [fine, fine, fine, broken], false],
  ['one with which nothing was done', [fine, fine, fine, idle], false],
  ['steps that only the peer failed', [fine, fine, fine, peerWrong], true],
])('%s', (_, reports, want) => {
  expect(isGood(reports)).toBe(want);
});

test('a failed step is told with its connection', () => {
  expect(failedSteps(wrong)).toEqual([{ connection: 'http', name: 'read', error: '404' }]);
});

test('members that drifted are put back into the answer', () => {
  const drifted = { '/data/0/a~1b': { c: '1.50' }, '/data/1': null };
  const structuredContent = { data: [{ id: 1 }], _response: { drifted } };
  expect(answerIn({ content: [], structuredContent })).toEqual({
    data: [{ id: 1, 'a/b': { c: '1.50' } }, null],
  });
});

test.each<[unknown, unknown]>([
  [{ id: 1 }, { id: 1 }],
  [[1], { result: [1] }],
  ['text', { result: 'text' }],
])('an answer that drifted as a whole: %j', (value, want) => {
  const structuredContent = { _response: { drifted: { '': value } } };
  expect(answerIn({ content: [], structuredContent })).toEqual(want);
});

test('a header counts when text and structure have it', () => {
  const structuredContent = { _response: { headers: { ETag: '"v1"' } } };
  expect(headerIn({ content: [{ text: '{}\nETag: "v1"' }], structuredContent }, 'etag')).toBe('"v1"');
  expect(headerIn({ content: [{ text: '{}' }], structuredContent }, 'etag')).toBeUndefined();
  expect(headerIn({ content: [{ text: '"v1"' }] }, 'etag')).toBeUndefined();
});

test('files of an archive are read again', () => {
  const files = { 'a.txt': 'Größe\n', 'deep/b': '', 'c.txt': 'x'.repeat(512) };
  expect(filesIn(tarOf(files))).toEqual(files);
});
