import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';

test.each([
  { given: '{ "source": "../a.yaml" }', want: { source: '../a.yaml' } },
  { given: '\ufeff{ "source": "-", "strict": true }', want: { source: '-', strict: true } },
  {
    given: '{ "source": "a", "routeMap": [{ "methods": ["GET"], "as": "tool" }], "include": ["tag:pets"] }',
    want: { source: 'a', routeMap: [{ methods: ['GET'], as: 'tool' }], include: ['tag:pets'] },
  },
])('reads $given', ({ given, want }) => {
  expect(parseConfig(given)).toEqual(want);
});

test.each([
  { given: '{ "source": ', problem: /^it is not JSON \(/ },
  { given: '[]', problem: 'it is not a JSON object' },
  { given: '{}', problem: 'it has no "source", the document to compile, and no "typescript"' },
  {
    given: '{ "source": "a", "typescript": { "files": ["b.ts"] } }',
    problem: 'it has both "source" and "typescript", and one is compiled',
  },
  { given: '{ "typescript": "a.ts" }', problem: '"typescript" must be an object with "files"' },
  { given: '{ "typescript": {} }', problem: '"typescript" needs "files", a list of paths and globs' },
  { given: '{ "source": 3 }', problem: '"source" must be a text' },
  { given: '{ "source": "a", "strict": "yes" }', problem: '"strict" must be true or false' },
  { given: '{ "source": "a", "include": "tag:a" }', problem: '"include" must be a list of texts' },
  {
    given: '{ "source": "a", "include": ["pets"] }',
    problem: '"include" has "pets"; a selector starts with tag:, path:, op: or method:',
  },
  {
    given: '{ "source": "a", "bodyMediaType": ["op:a"] }',
    problem: '"bodyMediaType" has "op:a"; it needs a selector, `=` and a media type',
  },
  {
    given: '{ "source": "a", "bodyMediaType": ["a=text/csv"] }',
    problem: '"bodyMediaType" has "a=text/csv"; a selector starts with tag:, path:, op: or method:',
  },
  {
    given: '{ "source": "a", "maxNameLength": 4 }',
    problem: '"maxNameLength" must be a whole number from 16 to 128',
  },
  {
    given: '{ "source": "a", "outputSchema": "lose" }',
    problem: '"outputSchema" must be one of loose, strict, off',
  },
  { given: '{ "source": "a", "routeMap": [{}] }', problem: /^"routeMap" is not usable: rule 1 needs "as"/ },
  {
    given: '{ "source": "a", "maxNameLenght": 40 }',
    problem: 'it has an unknown member "maxNameLenght" (did you mean "maxNameLength"?)',
  },
  { given: '{ "source": "a", "__proto__": {} }', problem: /unknown member "__proto__"/ },
])('refuses $given', ({ given, problem }) => {
  expect(parseConfig(given)).toEqual({
    problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
  });
});
