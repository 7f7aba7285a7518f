// Answers that are a sequence: read item by item, and answered also where they never end.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpBinding } from '../../../templates/runtime/contract/bindings.ts';
import { toToolResult } from '../../../templates/runtime/upstream/tool-result.ts';
import { EventReader } from '../../../templates/runtime/upstream/stream-answer.ts';
import { call, httpServer, rawServer, refusal } from './loopback.ts';

const get: HttpBinding = { kind: 'http', method: 'GET', path: '/x', parameters: [] };
const ndjson = 'application/x-ndjson';
const events = 'text/event-stream';

/** The URL of an API that answers each request so. */
async function api(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<string> {
  const server = await httpServer((request, response) => answer(response, request));
  onTestFinished(server.close);
  return server.url;
}

/** An API that sends this, and nothing more, but does not end. */
function endless(mediaType: string, text: string): Promise<string> {
  return api((response) => void response.writeHead(200, { 'content-type': mediaType }).write(text));
}

test.each<[string, string, string, unknown[]]>([
  ['lines', ndjson, '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ['no break at the end, blank lines, CR', ndjson, '1\r\n\r\n2', [1, 2]],
  ['application/jsonl', 'application/jsonl; charset=utf-8', 'null\n"ä"\n', [null, 'ä']],
  ['a line that is not JSON', ndjson, '{"a":1}\n{"a":\n[2]\n', [{ a: 1 }, '{"a":', [2]]],
  ['nothing', ndjson, '', []],
  ['a byte order mark', ndjson, '\uFEFF1\n', [1]],
  ['RFC 7464', 'application/json-seq', '\u001E{"a":\n1}\n\u001E2\n', [{ a: 1 }, 2]],
  ['RFC 8142', 'application/geo+json-seq', '\u001E1\n\u001E2\n', [1, 2]],
  ['another charset', `${ndjson}; charset=latin1`, Buffer.from('"ä"', 'latin1').toString('latin1'), ['ä']],
  ['events', events, 'data: 1\n\ndata: {"a":2}\n\n', [{ data: 1 }, { data: { a: 2 } }]],
  [
    'events with names and ids',
    events,
    ': hello\nevent: put\nid: 7\nretry: 10\ndata: {}\n\nid\ndata:x\n\n',
    [
      { event: 'put', id: '7', data: {} },
      { id: '', data: 'x' },
    ],
  ],
  ['data of several lines', events, 'data: {"a":\ndata: 1}\n\n', [{ data: { a: 1 } }]],
  [
    'the end of a stream of OpenAI',
    events,
    'data: {}\n\ndata: [DONE]\n\n',
    [{ data: {} }, { data: '[DONE]' }],
  ],
  ['an event without data is none', events, 'event: x\n\ndata\n\n', [{ data: '' }]],
  ['no blank line at the end', events, 'data: 1\n\ndata: 2', [{ data: 1 }, { data: 2 }]],
  ['a carriage return at the end', events, 'data: 1\r\rdata: [2\r', [{ data: 1 }, { data: '[2' }]],
])('%s', async (_what, mediaType, text, want) => {
  const url = await api((response) => {
    const body = mediaType.includes('latin1') ? Buffer.from(text, 'latin1') : text;
    response.writeHead(200, { 'content-type': mediaType }).end(body);
  });
  const answer = await call(url, get);
  expect(toToolResult(answer, get)).toEqual({
    content: [{ type: 'text', text: JSON.stringify(want) }],
    structuredContent: want,
  });
});

const stream = 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\rid: 3\ndata: x\ndata: y\n\n';

test.each([1, 2, 3, 5, 7, 100])('events in pieces of %i characters are the same events', (size) => {
  const reader = new EventReader();
  const pieces = stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  expect([...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]).toEqual([
    { event: 'a', data: '1' },
    { data: '2' },
    { id: '3', data: 'x\ny' },
  ]);
});

test('a compressed sequence is read', async () => {
  const url = await api((response) => {
    response.writeHead(200, { 'content-type': events, 'content-encoding': 'gzip' });
    response.end(gzipSync('data: 1\n\n'));
  });
  expect((await call(url, get)).body).toEqual({ kind: 'json', value: [{ data: 1 }] });
});

const advice = 'Ask for less: a narrower question or a single item, if the API has a tool for it.';

test.each<[string, string, string, object, unknown[], string]>([
  [
    'items',
    events,
    'data: 1\n\ndata: 2\n\ndata: 3\n\n',
    { streamItems: 2 },
    [{ data: 1 }, { data: 2 }],
    'the first 2 items (API_STREAM_ITEMS sets how many are read)',
  ],
  [
    'bytes',
    ndjson,
    '111\n222\n3',
    { responseBytes: 8 },
    [111, 222],
    'the first 2 items (API_RESPONSE_BYTES sets how much is read)',
  ],
  ['time', ndjson, '1\n', { streamMs: 50 }, [1], 'the first item (API_STREAM_MS sets how long is read)'],
  [
    'time, without an item',
    events,
    ': wait\n\n',
    { streamMs: 50 },
    [],
    'nothing: no item came in time (API_STREAM_MS sets how long is read)',
  ],
  [
    'the time of the whole call',
    ndjson,
    '1\n',
    { timeoutMs: 300 },
    [1],
    'the first item (API_STREAM_MS sets how long is read)',
  ],
])(
  'a sequence without end stops at its limit of %s, with a result',
  async (_, type, text, limits, want, part) => {
    const closed: Promise<unknown>[] = [];
    const url = await api((response) => {
      closed.push(once(response, 'close'));
      response.writeHead(200, { 'content-type': type }).write(text);
    });
    expect(toToolResult(await call(url, get, {}, { limits }), get)).toEqual({
      content: [
        { type: 'text', text: JSON.stringify(want) },
        { type: 'text', text: `The answer was not read to its end. Shown: ${part}. ${advice}` },
      ],
      structuredContent: want,
    });
    // The API is not left writing for nobody.
    await Promise.all(closed);
  },
);

test('as many items as are read, and no more, is all of them', async () => {
  const url = await api((response) => {
    response.writeHead(200, { 'content-type': ndjson }).end('1\n2\n');
  });
  const answer = await call(url, get, {}, { limits: { streamItems: 2 } });
  expect([answer.truncated, answer.body]).toEqual([undefined, { kind: 'json', value: [1, 2] }]);
});

test('what came before the connection broke off is the answer, without another try', async () => {
  const chunk = '2\r\n1\n\r\n';
  const upstream = await rawServer((_received, socket) => {
    socket.end(`HTTP/1.1 200 OK\r\nContent-Type: ${ndjson}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`);
    return undefined;
  });
  onTestFinished(upstream.close);
  const result = toToolResult(await call(upstream.url, get), get);
  expect(result.structuredContent).toEqual([1]);
  expect(result.content[1]).toMatchObject({
    text: expect.stringContaining(
      'Shown: the first item, which came before the API broke off the connection.',
    ),
  });
  expect(upstream.requests).toHaveLength(1);
});

test('Retry-After of a refused stream is waited for', async () => {
  let asked = 0;
  const url = await api((response) => {
    asked += 1;
    const [status, headers] = asked === 1 ? [503, { 'retry-after': '0' }] : [200, {}];
    response.writeHead(status, { 'content-type': events, ...headers }).end('data: 1\n\n');
  });
  expect((await call(url, get)).body).toEqual({ kind: 'json', value: [{ data: 1 }] });
  expect(asked).toBe(2);
});

test('credentials are shown in no item', async () => {
  const api = {
    securitySchemes: { k: { type: 'apiKey' as const, in: 'query' as const, name: 'k', env: { key: 'K' } } },
    security: [{ k: [] }],
  };
  const url = await endless(
    events,
    'event: topsecret\nid: topsecret\ndata: {"k":"topsecret"}\n\ndata: 1\n\n',
  );
  const settings = { env: { K: 'topsecret' } };
  const { body } = await call(url, get, {}, { api, settings, limits: { streamItems: 1 } });
  expect(body).toMatchObject({
    value: [{ event: '[redacted]', id: '[redacted]', data: { k: '[redacted]' } }],
  });
});

test('a list that is too long loses items from its end, and more may have been to come', async () => {
  const url = await endless(ndjson, '1111\n2222\n3333\n4444\n');
  const limits = { streamItems: 3, resultCharacters: 12 };
  const result = toToolResult(await call(url, get, {}, { limits }), get);
  expect(result.structuredContent).toEqual([1111, 2222]);
  expect(result.content[1]).toMatchObject({
    text: expect.stringContaining('Shown: the first 2 of more than 3 items.'),
  });
});

const docker = '{"stream":"Step 1\\n"}\r\n{"aux":{"ID":"sha256:1"}}\r\n';

test.each<[string, string, string, unknown]>([
  ['Docker: a build', 'application/json', docker, [{ stream: 'Step 1\n' }, { aux: { ID: 'sha256:1' } }]],
  ['without anything between', 'application/json', '{"a":"}{\\""}[1]{}', [{ a: '}{"' }, [1], {}]],
  ['texts and numbers', 'application/json; charset=utf-8', '"a"\n1\ntrue null\n2', ['a', 1, true, null, 2]],
  ['without a type', '', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ['Spring', 'application/stream+json', '{"a":1}\n{"a":\n2}{}', [{ a: 1 }, { a: 2 }, {}]],
  ['Kubernetes: a watch', 'application/json;stream=watch', '{"type":"ADDED"}\n', [{ type: 'ADDED' }]],
])('JSON texts that follow each other are a list: %s', async (_, mediaType, text, want) => {
  const url = await api((response) => {
    response.writeHead(200, mediaType === '' ? {} : { 'content-type': mediaType }).end(text);
  });
  const answer = await call(url, get);
  expect(answer.isList).toBe(true);
  expect(toToolResult(answer, get)).toEqual({
    content: [{ type: 'text', text: JSON.stringify(want) }],
    structuredContent: want,
  });
});

test.each<[string, string, object, unknown, string]>([
  [
    'a broken rest',
    '{"a":1}\n{"a":2}{"a":',
    {},
    [{ a: 1 }, { a: 2 }],
    'the first 2 JSON texts. What follows is no whole JSON: {"a":',
  ],
  [
    'words after it',
    '{"a":1}<br>Warning',
    {},
    { a: 1 },
    'the first JSON text. What follows is no whole JSON: <br>Warning',
  ],
  [
    'its size',
    '{"a":1}\n{"a":2}{"a":3}',
    { responseBytes: 17 },
    [{ a: 1 }, { a: 2 }],
    'the first 2 JSON texts (API_RESPONSE_BYTES sets how much is read)',
  ],
])(
  'of JSON texts that are cut by %s, those that came whole are the answer',
  async (_, text, limits, want, part) => {
    const url = await api((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    const result = toToolResult(await call(url, get, {}, { limits }), get);
    expect(result).toEqual({
      content: [
        { type: 'text', text: JSON.stringify(want) },
        { type: 'text', text: `The answer was not read to its end. Shown: ${part}. ${advice}` },
      ],
      structuredContent: want,
    });
  },
);

const inTime = 'which came in time (API_TIMEOUT_MS sets how long is waited)';

test.each<[string, string, unknown, string]>([
  ['application/json', '{"a":1}\n{"a":2}\n{"a"', [{ a: 1 }, { a: 2 }], `the first 2 JSON texts, ${inTime}`],
  ['application/json', '{"a":1}\n', { a: 1 }, `the first JSON text, ${inTime}`],
  [
    'application/stream+json',
    '{"a":1}{"a',
    [{ a: 1 }],
    'the first item (API_STREAM_MS sets how long is read)',
  ],
])(
  'what came of JSON texts without end is the answer when the time is over: %s',
  async (type, text, want, part) => {
    const url = await endless(type, text);
    const result = toToolResult(await call(url, get, {}, { limits: { timeoutMs: 300 } }), get);
    expect(result.structuredContent).toEqual(want);
    expect(result.content[1]).toMatchObject({ text: expect.stringContaining(`Shown: ${part}.`) });
  },
);

test('what came of JSON texts is the answer when the connection breaks; half of one is an error', async () => {
  const broken = async (text: string): Promise<string> =>
    api((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(text, () => response.destroy());
    });
  const result = toToolResult(await call(await broken('{"a":1}\n{"a":2}\n{"a"'), get), get);
  expect(result.structuredContent).toEqual([{ a: 1 }, { a: 2 }]);
  const part = 'Shown: the first 2 JSON texts, which came before the API broke off the connection.';
  expect(result.content[1]).toMatchObject({ text: expect.stringContaining(part) });
  expect((await refusal(call(await broken('{"a":1'), get))).code).toBe('network');
});

test.each(['[{"a":1},', '{"a":', '', 'OK', ' 12'])(
  'an answer without a whole JSON text is none when the time is over: %s',
  async (text) => {
    const url = await endless('application/json', text);
    const failed = await refusal(call(url, get, {}, { limits: { timeoutMs: 200 } }));
    expect(failed.code).toBe('timeout');
  },
);
