// Answers that are a sequence: read item by item, and answered also where they never end.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type ApiParts, openApi, textOf, type ToolResult } from './api.ts';

const ndjson = 'application/x-ndjson';
const events = 'text/event-stream';
const output = { type: 'object', properties: { result: { type: 'array' } } };
const binding: ApiParts['binding'] = { result: { wrapped: true } };

/** What one call returns for these pieces; the API ends its answer only if told to. */
async function read(
  type: string,
  pieces: (string | Buffer)[],
  { ends = true, ...parts }: ApiParts & { ends?: boolean } = {},
): Promise<ToolResult & { closed: Promise<unknown> }> {
  let closed: Promise<unknown> = Promise.resolve();
  const { call } = await openApi({
    binding,
    output,
    ...parts,
    answer: (_, __, response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'content-type': type });
      const write = async (): Promise<void> => {
        for (const piece of pieces) {
          response.write(piece);
          // Each comes in a packet of its own.
          if (pieces.length > 1) await new Promise((resolve) => setTimeout(resolve, 2));
        }
        if (ends) response.end();
      };
      void write();
      return undefined;
    },
  });
  return { ...(await call()), closed };
}

const structure = (result: unknown[]) => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
  structuredContent: { result },
});

test.each<[string, string, string | Buffer, unknown[]]>([
  ['no break at the end, blank lines, CR', ndjson, '1\r\n\r\n2', [1, 2]],
  ['another name', 'application/jsonl; charset=utf-8', 'null\n"ä"\n', [null, 'ä']],
  ['a line that is not JSON', ndjson, '{"a":1}\n{"a":\n[2]\n', [{ a: 1 }, '{"a":', [2]]],
  ['a byte order mark', ndjson, '\uFEFF1\n', [1]],
  ['RFC 7464', 'application/json-seq', '\u001E{"a":\n1}\n\u001E2\n', [{ a: 1 }, 2]],
  ['RFC 8142', 'application/geo+json-seq', '\u001E1\n\u001E2\n', [1, 2]],
  ['UTF-8, whatever its charset says', `${ndjson}; charset=latin1`, '"ä"', ['ä']],
  [
    'names and ids of events',
    events,
    ': hello\nevent: put\nid: 7\nretry: 10\ndata: {}\n\nid\ndata:x\n\n',
    [
      { event: 'put', id: '7', data: {} },
      { id: '', data: 'x' },
    ],
  ],
  ['data of several lines', events, 'data: {"a":\ndata: 1}\n\n', [{ data: { a: 1 } }]],
  ['an event without data is none', events, 'event: x\n\ndata\n\n', [{ data: '' }]],
  ['no blank line at the end', events, 'data: 1\n\ndata: 2', [{ data: 1 }, { data: 2 }]],
  ['a carriage return at the end', events, 'data: 1\r\rdata: [2\r', [{ data: 1 }, { data: '[2' }]],
  [
    'texts without anything between',
    'application/stream+json',
    '{"a":"}{\\""}[1]{}',
    [{ a: '}{"' }, [1], {}],
  ],
  ['a watch of Kubernetes', 'application/json;stream=watch', '{"type":"ADDED"}\n', [{ type: 'ADDED' }]],
])('%s', async (_, type, text, want) => {
  expect(await read(type, [text])).toMatchObject(structure(want));
});

const text = 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\rid: 3\ndata: x\ndata: y\n\n';
const texts = '{"a":"}{\\""}\n[1,[2]]"x"';

test.each([1, 2, 3, 5, 7, 100])('pieces of %i characters are the same items', async (size) => {
  const cut = (whole: string): string[] => whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  expect(await read(events, cut(text))).toMatchObject(
    structure([{ event: 'a', data: 1 }, { data: 2 }, { id: '3', data: 'x\ny' }]),
  );
  expect(await read('application/stream+json', cut(texts))).toMatchObject(
    structure([{ a: '}{"' }, [1, [2]], 'x']),
  );
});

test.each<[string, string, string, Record<string, string>, unknown[], string]>([
  ['items', ndjson, '1\n2\n3\n', { API_STREAM_ITEMS: '2' }, [1, 2], 'the first 2 items (API_STREAM_ITEMS'],
  [
    'bytes',
    ndjson,
    '111\n222\n3',
    { API_RESPONSE_BYTES: '8' },
    [111, 222],
    'the first 2 items (API_RESPONSE_B',
  ],
  ['time', ndjson, '1\n', { API_STREAM_MS: '50' }, [1], 'the first 1 item (API_STREAM_MS'],
  [
    'the time of the call',
    ndjson,
    '1\n',
    { API_TIMEOUT_MS: '300' },
    [1],
    'the first 1 item (then the connection',
  ],
])(
  'a sequence without end stops at its limit of %s, with a result',
  async (_, type, body, env, want, words) => {
    const { closed, ...result } = await read(type, [body], { ends: false, env });
    expect(result.structuredContent).toMatchObject({ result: want });
    expect(textOf(result)).toContain(words);
    // The API is not left writing for nobody.
    await closed;
  },
);

test('as many items as are read, and no more, is all of them', async () => {
  const result = await read(ndjson, ['1\n2\n'], { env: { API_STREAM_ITEMS: '2' } });
  expect(result).toMatchObject(structure([1, 2]));
  expect(result.content).toHaveLength(1);
});

test('what came before the connection broke is the answer, without another try', async () => {
  const { call, requests } = await openApi({
    binding,
    output,
    answer: (_, __, response) => {
      response.writeHead(200, { 'content-type': ndjson });
      response.write('1\n', () => setTimeout(() => response.destroy(), 50));
      return undefined;
    },
  });
  const result = await call();
  expect(result.structuredContent).toMatchObject({ result: [1] });
  expect(textOf(result)).toContain('the first 1 item');
  expect(requests).toHaveLength(1);
});

test('credentials are shown in no item', async () => {
  const result = await read(events, ['event: topsecret\nid: topsecret\ndata: {"k":"topsecret"}\n\n'], {
    binding: { ...binding, security: [{ k: [] }] },
    api: { securitySchemes: { k: { type: 'apiKey', in: 'query', name: 'k', env: { key: 'K' } } } },
    env: { K: 'topsecret' },
  });
  const shown = '[redacted]';
  expect(result).toMatchObject(structure([{ event: shown, id: shown, data: { k: shown } }]));
});

test('an error is read whole, and exact integers stay', async () => {
  const { call } = await openApi({
    answer: () => ({ status: 400, headers: { 'content-type': ndjson }, body: '{"message":"no"}\n' }),
  });
  expect(textOf(await call())).toContain('The API answered 400 Bad Request');
  expect((await read(ndjson, ['12345678901234567890\n'])).content[0]?.text).toBe('[12345678901234567890]');
});

test('a client that asks for progress hears how many items have come', async () => {
  const { call, sent } = await openApi({
    binding,
    output,
    answer: () => ({ headers: { 'content-type': ndjson }, body: '1\n2\n' }),
  });
  await call({}, { _meta: { progressToken: 't' } });
  expect(sent).toMatchObject([{ method: 'notifications/progress', params: { progress: 2 } }]);
});
