/**
 * Wrong input of a model and wrong answers of an API: each ends in helpful words, and the server continues.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Received } from '../support/loopback.ts';
import { type Served, serveDocument } from './serve-document.ts';

const ok = (type: string, body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const GOOD = ok('application/json', '{"id":1}');

type Misbehaviour = (socket: Socket, target: string) => string | Buffer | undefined;

/** Writes all there is and closes the connection. */
const last =
  (text: string): Misbehaviour =>
  (socket) => {
    socket.end(text);
    return undefined;
  };

const endlessly =
  (head: string, more: string): Misbehaviour =>
  (socket) => {
    socket.write(head);
    const go = (): void => {
      if (!socket.destroyed) socket.write(more, () => setImmediate(go));
    };
    go();
    return undefined;
  };

const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'));

/** Those whose call ends by the time it may take. */
const HANGING: Record<string, Misbehaviour> = {
  hangs: () => undefined,
  'hangs in its body': () => 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
};

const BROKEN_OFF = /could not be used \(E\w+\)\. Try again later; a call that changes something may/;

/** How the API answers `GET /bad/{how}`, and what the one who asked is told. */
const ANSWERS: Record<string, { answer: Misbehaviour; isError: boolean; words: RegExp }> = {
  resets: {
    answer: (socket) => void socket.resetAndDestroy(),
    isError: true,
    words: BROKEN_OFF,
  },
  'is no HTTP': {
    answer: last('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
    isError: true,
    words: /\(HPE_INVALID_CONSTANT\)\. Its address may be wrong: check API_BASE_URL/,
  },
  'switches protocols': {
    answer: last('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    isError: true,
    words: /it switched protocols/,
  },
  'redirects to a file': {
    answer: () => 'HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n',
    isError: true,
    words: /^The API answered 302 Found\nlocation: file:/,
  },
  'sends bad JSON': {
    answer: () => ok('application/json', '{"id":'),
    isError: true,
    words:
      /^The API answered 200 OK\n\{"id":\nThe API says that this is JSON, but it is not: it may have been cut short/,
  },
  'names no media type': { answer: () => ok('json', '{"id":1}'), isError: false, words: /^\{"id":1\}$/ },
  'sends fewer bytes than it says': {
    answer: last('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"id":1}'),
    isError: true,
    words: BROKEN_OFF,
  },
  'sends more bytes than it says': {
    answer: () => `${GOOD}HTTP/1.1 200 OK\r\n\r\ngarbage`,
    isError: false,
    words: /^\{"id":1\}$/,
  },
  'sends a page for JSON': {
    answer: () => ok('text/html', '<p>Sign in</p>'),
    isError: false,
    words: /Sign in/,
  },
  'sends a text for JSON': {
    answer: () => ok('application/json', 'Busy.'),
    isError: false,
    words: /^Busy\.$/,
  },
  'sends an endless body': {
    answer: endlessly('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n', 'x'.repeat(65_536)),
    isError: false,
    words: /^xxx[^]*too long and was cut[^]*Ask for less/,
  },
  'sends endless headers': {
    answer: endlessly('HTTP/1.1 200 OK\r\n', `X: ${'x'.repeat(65_536)}\r\n`),
    isError: true,
    words: /\(HPE_HEADER_OVERFLOW\)/,
  },
  'sends a bomb': {
    answer: () => {
      const head = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n`;
      return Buffer.concat([Buffer.from(`${head}Content-Length: ${bomb.length}\r\n\r\n`), bomb]);
    },
    isError: false,
    words: /^xxx[^]*too long and was cut[^]*Ask for less/,
  },
  'sends no gzip': {
    answer: () => GOOD.replace('Content-Type', 'Content-Encoding: gzip\r\nContent-Type'),
    isError: true,
    words: /\(Z_DATA_ERROR\)\. Try again later/,
  },
  'sends another coding than was asked for': {
    answer: () => GOOD.replace('Content-Type', 'Content-Encoding: zstd\r\nContent-Type'),
    isError: true,
    words: /has the content coding "zstd"\)\. Try again later/,
  },
  'redirects 10,000 times': {
    answer: (_, target) => {
      const times = Number(/times=(\d+)/.exec(target)?.[1] ?? 0);
      return times === 10_000
        ? GOOD
        : `HTTP/1.1 302 Found\r\nLocation: ?times=${times + 1}\r\nContent-Length: 0\r\n\r\n`;
    },
    isError: true,
    words: /redirected more than 5 times\. Its address may be wrong: check API_BASE_URL/,
  },
  'sends JSON nested too deeply': {
    answer: () => ok('application/json', '['.repeat(100_000) + ']'.repeat(100_000)),
    isError: false,
    words: /^\[{60000}\n[^]*more than 100,000 members or 500 levels, so it is shown as text/,
  },
};

const folder = mkdtempSync(path.join(tmpdir(), 'mcpgen-bad-input-'));
const filesRoot = path.join(folder, 'root');
const OUTSIDE =
  /"body" names the file .* which lies outside the files folder; give a path relative to it, of a file in it/;

/** Names of files that are not sent: by a server whose folder is `filesRoot`. */
const FILES: [says: string, uri: string, words: RegExp][] = [
  ['above the folder', 'file:../secret', OUTSIDE],
  ['beside the folder, its name as a start', 'file:../root-2/secret', OUTSIDE],
  ['behind a symbolic link', 'file:out', OUTSIDE],
  ['behind a symbolic link to a folder', 'file:up/secret', OUTSIDE],
  ['by an absolute path', 'file:/etc/passwd', OUTSIDE],
  ['that is nowhere, by an absolute path', 'file:/no/such/file', OUTSIDE],
  ['with dots that are percent-encoded', `file://${filesRoot}/%2e%2e/secret`, OUTSIDE],
  [
    'with dots that are percent-encoded, where nothing is decoded',
    'file:%2e%2e/secret',
    /does not exist in the files folder; give a path relative to that folder/,
  ],
  ['with an encoded slash', 'file:///a%2Fb', /"body" names no file\. Give file:<path in the files folder>/],
  [
    'on another machine',
    'file://other/secret',
    /"body" names no file\. Give file:<path in the files folder>/,
  ],
  ['that is the folder', 'file:.', /is a folder; name a file in it/],
  [
    'that is missing',
    'file:missing.png',
    /missing\.png, which does not exist in the files folder; give a path/,
  ],
  ['without a name', 'file:', /"body" names no file\. Give file:<path in the files folder>/],
];

/** The argument's JSON, and what the one who gave it is told. */
const ARGUMENTS: [says: string, tool: string, args: object | string, words: RegExp][] = [
  ['a wrong type', 'get_thing', { id: 'one' }, /`id` must be an integer but is "one"/],
  ['nothing', 'get_thing', {}, /`id` is required but missing|`id` is missing/],
  ['an unknown name', 'get_thing', { id: 1, fliter: {} }, /`fliter` [^]*`?filter`?/],
  [
    'text that is no JSON',
    'get_thing',
    { id: 1, filter: '{a:1}' },
    /`filter` must be an object but is "\{a:1\}"/,
  ],
  ['a dot segment', 'get_named', { name: '..' }, /Refused: an argument makes a segment /],
  ['an empty text in a path', 'get_named', { name: '' }, /Refused: the path .* needs a value for "name"/],
  ['an empty object in a path', 'get_pairs', { pairs: {} }, /Refused: the path .* needs a value for "pairs"/],
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
    '/listed/{names}': {
      get: { operationId: 'get_listed', parameters: [inPath('names', 'array')], responses },
    },
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

function answer({ line }: Received, socket: Socket): string | Buffer | undefined {
  const how = /^GET \/bad\/([^ ?]+)/.exec(line)?.[1];
  if (how === undefined) return GOOD;
  const name = decodeURIComponent(how);
  return (HANGING[name] ?? ANSWERS[name]?.answer)?.(socket, line);
}

let served: Served;
beforeAll(async () => {
  mkdirSync(filesRoot);
  mkdirSync(path.join(folder, 'root-2'));
  for (const name of ['secret', 'root-2/secret']) writeFileSync(path.join(folder, name), 'secret');
  symlinkSync(path.join(folder, 'secret'), path.join(filesRoot, 'out'));
  symlinkSync(folder, path.join(filesRoot, 'up'));
  served = await serveDocument(document, answer, { filesRoot });
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

async function goesOn(server = served): Promise<void> {
  const { words, isError } = await server.call('get_thing', { id: 1 });
  expect([words, isError]).toEqual(['{"id":1}', false]);
}

describe('an API that', () => {
  test.each(Object.keys(HANGING))('%s', async (how) => {
    const hurried = await serveDocument(document, answer, { env: { API_TIMEOUT_MS: '1000' } });
    onTestFinished(hurried.close);
    const { words, isError } = await hurried.call('get_bad', { how });
    expect([words, isError]).toEqual([expect.stringMatching(/did not answer within 1 second/), true]);
    await goesOn(hurried);
  });

  test.each(Object.entries(ANSWERS))('%s', async (how, want) => {
    const { words, isError } = await served.call('get_bad', { how });
    expect(words).toMatch(want.words);
    expect(isError).toBe(want.isError);
    await goesOn();
  });
});

describe('a model that gives', () => {
  test.each(ARGUMENTS)('%s', async (_, tool, args, want) => {
    const { words, isError, sent } = await served.call(tool, args);
    expect(words).toMatch(want);
    expect([isError, sent]).toEqual([true, []]);
    await goesOn();
  });

  test.each(FILES)('a file %s', async (_, body, want) => {
    const { words, isError, sent } = await served.call('upload', { body });
    expect(words).toMatch(want);
    expect([isError, sent]).toEqual([true, []]);
    await goesOn();
  });

  test('a file to a server that has no files folder', async () => {
    const bare = await serveDocument(document, answer);
    onTestFinished(bare.close);
    const { words, isError, sent } = await bare.call('upload', { body: `file:${folder}/secret` });
    expect(words).toMatch(
      /may not read files: give the bytes as base64 or as a data: URI\. .*--files <folder>/,
    );
    expect([isError, sent]).toEqual([true, []]);
    await goesOn(bare);
  });

  test('an object as text is understood', async () => {
    const { sent } = await served.call('get_thing', { id: '1', filter: '{"a":"x"}', tags: '["t"]' });
    expect(sent).toEqual(['GET /things/1?filter%5Ba%5D=x&tags=t']);
    await goesOn();
  });

  test('10 MB is served', async () => {
    const name = 'x'.repeat(10_000_000);
    const { sent } = await served.call('create', { name });
    const [head, body] = sent[0]?.split('\n\n') ?? [];
    expect(head).toBe('POST /things\nContent-Type: application/json');
    expect(body === `{"name":"${name}"}`).toBe(true);
    await goesOn();
  });
});
