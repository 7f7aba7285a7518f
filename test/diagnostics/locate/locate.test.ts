import { expect, test } from 'vitest';
import { locateOrigin } from '../../../src/diagnostics/locate/locate.ts';
import type { SourceTexts } from '../../../src/diagnostics/locate/text-places.ts';
import type { DocumentOrigin } from '../../../src/model/origin.ts';

function textsOf(text: string): SourceTexts {
  return { textOf: (file) => (file === 'a' ? text : undefined) };
}

function at(pointer: string, file = 'a'): DocumentOrigin {
  return { kind: 'document', file, pointer };
}

const yaml = [
  '# a comment', // 1
  'openapi: 3.1.0', // 2
  'paths:', // 3
  '  /pets/{id}: # the path', // 4
  '    get:', // 5
  '      tags: [a, "b c"]', // 6
  '      parameters:', // 7
  '        - name: id', // 8
  '          in: path', // 9
  '        - &shared', // 10
  '          name: q', // 11
  '    put:', // 12
  '      <<: &base', // 13
  '        deprecated: true', // 14
  '      text: |', // 15
  '        one', // 16
  '        two', // 17
  '    post: *shared', // 18
  '"a/b~c":', // 19
  '  x: null', // 20
].join('\n');

const json = `{
  "openapi": "3.1.0",
  "paths": {
    "/pets/{id}": { "get": { "tags": ["a", "b \\"c"], "deep": [[1, {"x": {}}], true] } },
    "/a": {},
    "empty": []
  },
  "\\u0061/b~c": { "x": null }
}`;

test.each<[pointer: string, line: number, column: number, shown: string]>([
  ['/openapi', 2, 10, '3.1.0'],
  ['/paths', 3, 1, 'paths'],
  ['/paths/~1pets~1{id}', 4, 3, '/pets/{id}'],
  ['/paths/~1pets~1{id}/get/tags/1', 6, 17, '"b c"'],
  ['/a~1b~0c', 19, 1, '"a/b~c"'],
  ['/paths/~1pets~1{id}/get/parameters/0/in', 9, 15, 'path'],
  ['/paths/~1pets~1{id}/put/deprecated', 14, 21, 'true'],
  ['/paths/~1pets~1{id}/post/name', 11, 17, 'q'],
  ['/a~1b~0c/x', 20, 6, 'null'],
  ['/paths/~1pets~1{id}/get/responses', 5, 5, 'get'],
  ['/paths/~1pets~1{id}/get/tags/7', 6, 7, 'tags'],
])('YAML %s', (pointer, line, column, shown) => {
  const place = locateOrigin(textsOf(yaml), at(pointer));
  expect(place).toEqual({ line, column, length: shown.length });
  expect(yaml.split('\n')[line - 1]?.slice(column - 1)).toMatch(shown);
});

test.each<[pointer: string, line: number, column: number, shown: string]>([
  ['/openapi', 2, 14, '"3.1.0"'],
  ['/paths', 3, 3, '"paths"'],
  ['/paths/~1pets~1{id}', 4, 5, '"/pets/{id}"'],
  ['/paths/~1pets~1{id}/get/tags/1', 4, 44, '"b \\"c"'],
  ['/paths/~1pets~1{id}/get/deep/0/1/x', 4, 68, '"x"'],
  ['/paths/~1pets~1{id}/get/deep/1', 4, 79, 'true'],
  ['/a~1b~0c/x', 8, 24, 'null'],
  ['/paths/~1a/get', 5, 5, '"/a"'],
  ['/paths/empty/0', 6, 5, '"empty"'],
])('JSON %s', (pointer, line, column, shown) => {
  const place = locateOrigin(textsOf(json), at(pointer));
  expect(place).toEqual({ line, column, length: shown.length });
  expect(
    json
      .split('\n')
      [line - 1]?.slice(column - 1)
      .startsWith(shown),
  ).toBe(true);
});

test.each(['', '{', '{"a"', '{"a":', '["', '{"a": {"b": [1, ', 'a: [', '- - ['])(
  'a broken text %j has some place',
  (text) => {
    expect(locateOrigin(textsOf(text), at('/a/b/1'))).toMatchObject({ line: 1 });
  },
);

test('JSON: a string of many megabytes before a place, with escaped quotes', () => {
  const long = JSON.stringify('x\\"'.repeat(6_000_000));
  expect(locateOrigin(textsOf(`{"a": {"b": ${long}},\n"c": 1}`), at('/c'))).toMatchObject({
    line: 2,
    column: 6,
  });
});
