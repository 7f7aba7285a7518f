// The second run: a project is edited, and generated again from the next version of its document. The judge of it is judged too.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareLists } from '../../scripts/lib/history/compare-lists.mjs';
import { renamedTools } from '../../scripts/lib/history/judge-diff.mjs';
import { liveThrough } from '../../scripts/lib/history/live.mjs';
import { fixtures } from './support/command.ts';
import { folderForTest } from './support/project.ts';

test('nothing of a person is lost, and what clients lose is named', async () => {
  const versions = {
    before: join(fixtures, 'history/library-1.yaml'),
    after: join(fixtures, 'history/library-2.yaml'),
  };
  const { faults, figures } = await liveThrough(versions, await folderForTest(), { builds: ['--keep'] });
  expect(faults).toEqual([]);
  expect(figures).toEqual({
    kept: 7,
    lost: 1,
    added: 1,
    changed: 4,
    renamed: 1,
    breaking: 4,
    compatible: 7,
    tests: 2 * 9,
  });
}, 600_000);

const tool = (name: string, inputSchema: object, rest: object = {}) => ({ name, inputSchema, ...rest });
const node = (name: string, value: object) => ({
  $ref: `#/$defs/${name}`,
  $defs: { [name]: { type: 'object', properties: { next: { $ref: `#/$defs/${name}` }, value } } },
});
const text = { type: 'string' };

test.each<[string, object, object, 'changed' | 'same']>([
  ['the order of keys', { type: 'object', a: 1 }, { a: 1, type: 'object' }, 'same'],
  [
    'another type',
    { type: 'object', properties: { a: text } },
    { type: 'object', properties: { a: {} } },
    'changed',
  ],
  ['a member more', { type: 'object' }, { type: 'object', properties: { a: text } }, 'changed'],
  ['a circle under another name', node('A', text), node('B', text), 'same'],
  ['within a circle', node('A', text), node('A', { type: 'integer' }), 'changed'],
  ['the order of a list', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, 'changed'],
])('two tools: %s', (_, before, after, want) => {
  const { changed, same } = compareLists([tool('t', before)], [tool('t', after)]);
  expect({ changed, same }).toEqual({ changed: [], same: [], [want]: ['t'] });
});

test('tools that are gone, and new ones', () => {
  const [a, b, c] = [tool('a', {}), tool('b', {}), tool('c', {})];
  expect(compareLists([a, b], [b, c])).toEqual({ lost: ['a'], added: ['c'], changed: [], same: ['b'] });
  expect(compareLists([tool('a', {})], [tool('a', {}, { title: 'A' })]).changed).toEqual(['a']);
});

test.each<{ what: string; before: Record<string, string>; now: Record<string, string>; want: string[] }>([
  { what: 'nothing', before: { 'GET /a': 'a' }, now: { 'GET /a': 'a' }, want: [] },
  { what: 'a name', before: { 'GET /a': 'a' }, now: { 'GET /a': 'b' }, want: ['a b'] },
  {
    what: 'a variable of the path, and with it the name',
    before: { 'GET /a/{id}': 'get_a_id' },
    now: { 'GET /a/{key}': 'get_a_key' },
    want: ['get_a_id get_a_key'],
  },
  { what: 'a variable alone', before: { 'GET /a/{id}': 'a' }, now: { 'GET /a/{key}': 'a' }, want: [] },
  {
    what: 'a variable of one of two that it might be',
    before: { 'GET /a/{id}': 'a' },
    now: { 'GET /a/{key}': 'b', 'GET /a/{other}': 'c' },
    want: [],
  },
  { what: 'the path', before: { 'GET /a': 'a' }, now: { 'GET /b': 'b' }, want: [] },
])('what the judge calls renamed: $what', ({ before, now, want }) => {
  expect(renamedTools(before, now)).toEqual(want);
});
