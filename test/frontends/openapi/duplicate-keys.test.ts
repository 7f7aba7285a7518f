/** A key that stands twice in one mapping: the last one wins, and its place is named; in JSON both are. */
import { expect, test } from 'vitest';
import { findDuplicateKeys } from '../../../src/frontends/openapi/load/parse-json.ts';
import { firstOperation, folderOf, openapi, read, readSource } from './reading.ts';

const head =
  '"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://a.b"}]';

test.each<[what: string, text: string, told: string[], first: string[]]>([
  [
    'YAML',
    'openapi: 3.1.0\ninfo: {title: T, version: v}\nservers: [{url: "https://a.b"}]\npaths:\n  /a: {get: {}}\n  "/a": {put: {}}\n',
    ['warning duplicate-key 6:4'],
    [],
  ],
  [
    'YAML, the first of several, with merge keys and aliases',
    'openapi: 3.1.0\ninfo: {title: T, version: v, title: T}\nservers: [{url: "https://a.b"}]\npaths:\n  /a: {get: &x {}}\n  /b: {get: *x, put: {<<: *x, <<: *x}}\n  /a: {put: {}}\n',
    ['warning duplicate-key 2:30'],
    [],
  ],
  [
    'JSON',
    `{ ${head},\n "paths": {\n  "/a": {"get": {}},\n  "/a" : {"put": {}}\n }\n}`,
    ['warning duplicate-key 4:3'],
    ['3:3'],
  ],
])('%s', async (_what, text, told, first) => {
  const reading = await read(text);
  expect(reading.told).toEqual(told);
  const places = reading.found.flatMap(({ related = [] }) => related.map(({ origin }) => origin));
  expect(places.map((place) => (place.kind === 'code' ? `${place.line}:${place.column}` : ''))).toEqual(
    first,
  );
  expect(reading.model && firstOperation(reading.model).method).toBe('PUT');
});

test('also in a document behind a reference', async () => {
  const root = folderOf({
    'api.json': openapi({ paths: { '/a': { $ref: 'path.json' } } }),
    'path.json': '{"get": {"summary": "A", "summary": "B"}}',
  });
  const { found } = await readSource('api.json', { cwd: root });
  expect(found).toMatchObject([
    { name: 'duplicate-key', origin: { file: 'path.json', line: 1, column: 26 } },
  ]);
});

test.each<[text: string, keys: string[]]>([
  ['{"a": ":b", "c": " : d", "e": "\\":\\"", "f\\\\": 1}', []],
  ['{"a"\n:1, "a" : 2, "a":3}', ['a', 'a']],
  ['{"a": 1, "\\u0061": 2}', ['a']],
  ['{"f\\\\": 1, "f\\\\": 2, "x": ":"}', ['f\\']],
  ['{"__proto__": 1, "__proto__": 2}', ['__proto__']],
])('the duplicate keys of %s', (text, keys) => {
  expect(findDuplicateKeys(text).map(({ key }) => key)).toEqual(keys);
});

test('a document full of them is told so in few words', () => {
  const text = `{${'"a": 1,'.repeat(5000)} "a": 1}`;
  expect(findDuplicateKeys(text)).toHaveLength(20);
});
