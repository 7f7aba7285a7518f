/**
 * Wrong input of a model and wrong answers of an API: each ends in helpful words, and the server continues.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Received } from '../support/loopback.ts';
import { type Served, serveDocument } from './serve-document.ts';

const ok = (type: string, body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const GOOD = ok('application/json', '{"id":1}');

/** How the API answers `GET /bad/{how}`, without doing harm. Those that fail: runtime/api-calls.test.ts. */
const ANSWERS: Record<string, { answer: string; words: string }> = {
  'sends more bytes than it says': { answer: `${GOOD}HTTP/1.1 200 OK\r\n\r\ngarbage`, words: '{"id":1}' },
  'sends a text for JSON': { answer: ok('application/json', 'Busy.'), words: 'Busy.' },
};

/** The argument's JSON, and what the one who gave it is told. */
const ARGUMENTS: [says: string, tool: string, args: object | string, words: RegExp][] = [
  ['a wrong type', 'get_thing', { id: 'one' }, /`id` must be an integer but is "one"/],
  ['an unknown name', 'get_thing', { id: 1, fliter: {} }, /`fliter` [^]*`?filter`?/],
  [
    'text that is no JSON',
    'get_thing',
    { id: 1, filter: '{a:1}' },
    /`filter` must be an object but is "\{a:1\}"/,
  ],
  ['a dot segment', 'get_named', { name: '..' }, /Refused: an argument makes a segment /],
  ['an empty text in a path', 'get_named', { name: '' }, /Refused: the path .* needs a value for "name"/],
  ['no base64', 'upload', { body: 'not base64!' }, /"body" must hold bytes: as base64, or as a data: URI/],
];

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const query = (name: string, schema: object, more: object = {}): object => ({
  name,
  in: 'query',
  schema,
  ...more,
});
const inPath = (name: string, type: string): object => ({
  name,
  in: 'path',
  required: true,
  schema: { type },
});
const responses = { 200: { description: 'Fine.', ...json({ type: 'object' }) } };

const document = {
  openapi: '3.1.1',
  info: { title: 'Bad', version: '1' },
  servers: [{ url: 'http://localhost' }],
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'get_thing',
        parameters: [
          inPath('id', 'integer'),
          query('filter', { type: 'object' }, { style: 'deepObject' }),
          query('tags', { type: 'array', items: { type: 'string' } }),
        ],
        responses,
      },
    },
    '/named/{name}': { get: { operationId: 'get_named', parameters: [inPath('name', 'string')], responses } },
    '/pairs/{pairs}': {
      get: { operationId: 'get_pairs', parameters: [inPath('pairs', 'object')], responses },
    },
    '/bad/{how}': { get: { operationId: 'get_bad', parameters: [inPath('how', 'string')], responses } },
    '/things': {
      post: {
        operationId: 'create',
        requestBody: json({
          type: 'object',
          properties: { name: { type: 'string' }, data: {}, tree: { $ref: '#/components/schemas/Tree' } },
        }),
        responses,
      },
    },
    '/files': {
      post: {
        operationId: 'upload',
        requestBody: { required: true, content: { 'application/octet-stream': {} } },
        responses,
      },
    },
  },
  components: {
    schemas: { Tree: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  },
};

function answer({ line }: Received): string {
  const how = /^GET \/bad\/([^ ?]+)/.exec(line)?.[1];
  return (how === undefined ? undefined : ANSWERS[decodeURIComponent(how)]?.answer) ?? GOOD;
}

let served: Served;
beforeAll(async () => {
  served = await serveDocument(document, answer);
});
afterAll(() => served.close());

async function goesOn(): Promise<void> {
  const { words, isError } = await served.call('get_thing', { id: 1 });
  expect([words, isError]).toEqual(['{"id":1}', false]);
}

test.each(Object.entries(ANSWERS))('an API that %s', async (how, want) => {
  const { words, isError } = await served.call('get_bad', { how });
  expect([words, isError]).toEqual([want.words, false]);
  await goesOn();
});

describe('a model that gives', () => {
  test.each(ARGUMENTS)('%s', async (_, tool, args, want) => {
    const { words, isError, sent } = await served.call(tool, args);
    expect(words).toMatch(want);
    expect([isError, sent]).toEqual([true, []]);
    await goesOn();
  });

  test('an object as text is understood', async () => {
    const { sent } = await served.call('get_thing', { id: '1', filter: '{"a":"x"}', tags: '["t"]' });
    expect(sent).toEqual(['GET /things/1?filter%5Ba%5D=x&tags=t']);
    await goesOn();
  });
});
