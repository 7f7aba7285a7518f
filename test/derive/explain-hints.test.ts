import { expect, test } from 'vitest';
import { explainHints } from '../../src/derive/explain-hints.ts';
import type { Tool } from '../../src/model/server-model.ts';

type Annotations = NonNullable<Tool['annotations']>;
type Explained = Parameters<typeof explainHints>[0];

const http = (method: string, path: string, annotations: Annotations, name = 'tool'): Explained => ({
  name,
  annotations,
  binding: { kind: 'http', method, path, parameters: [] },
});
const code = (annotations: Annotations): Explained => ({
  name: 'tool',
  annotations,
  binding: { kind: 'function' } as Tool['binding'],
});

const READS = { readOnlyHint: true, destructiveHint: false, openWorldHint: true };
const WRITES = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
const ADDS = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };

test.each<[string, Explained, RegExp, RegExp]>([
  ['a GET', http('GET', '/pets', READS), /safe method of HTTP/, /since it only reads/],
  [
    'a GET that deletes',
    http('get', '/pets/clear', WRITES),
    /says "clear", so it may change/,
    /says "clear"/,
  ],
  ['a GET by its name', http('GET', '/x', WRITES, 'deletePets'), /says "delete"/, /says "delete"/],
  [
    'a GET that is said to write',
    http('GET', '/pets', WRITES),
    /API states that GET \/pets may change/,
    /may overwrite/,
  ],
  [
    'a POST that is said to read',
    http('POST', '/find', READS),
    /API states that POST \/find only reads/,
    /only reads/,
  ],
  ['a POST that adds', http('POST', '/pets', ADDS), /uses a method that changes data/, /adds data/],
  ['a PUT', http('PUT', '/pets', WRITES), /uses a method that changes data/, /may overwrite/],
  ['a DELETE', http('DELETE', '/pets', WRITES), /uses a method that changes data/, /deletes data/],
  ['a function that reads', code(READS), /declared to only read/, /since it only reads/],
  ['a function that adds', code(ADDS), /not declared to only read/, /declared to only add/],
  ['a tool that searches', { name: 'search_tools', annotations: READS }, /only read/, /only read/],
  ['a tool that calls any', { name: 'call_x', annotations: WRITES }, /also one that/, /changes or deletes/],
  ['a function', code(WRITES), /not declared to only read/, /not declared to only add/],
])('%s', (_, tool, reading, destruction) => {
  const { readOnlyHint, destructiveHint } = explainHints(tool);
  expect(readOnlyHint).toMatch(reading);
  expect(destructiveHint).toMatch(destruction);
});

test.each<[Annotations, RegExp]>([
  [READS, /reads from an API outside of the client/],
  [{ ...READS, openWorldHint: false }, /changes no public or foreign system, since it only reads/],
  [WRITES, /which others may see/],
  [{ ...WRITES, openWorldHint: false }, /API states that PUT \/pets changes no public/],
])('the world of %j', (annotations, words) => {
  expect(explainHints(http('PUT', '/pets', annotations)).openWorldHint).toMatch(words);
});

test.each([true, false])('the world of a function: %s', (openWorldHint) => {
  expect(explainHints(code({ openWorldHint })).openWorldHint).toMatch(
    openWorldHint ? /may reach/ : /changes no/,
  );
});
