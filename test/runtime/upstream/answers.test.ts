import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HttpBinding } from '../../../templates/runtime/contract/bindings.ts';
import { defaultUpstreamLimits } from '../../../templates/runtime/contract/feature.ts';
import type { Json } from '../../../templates/runtime/contract/json-schema.ts';
import type { LooseResult, UpstreamAnswer } from '../../../templates/runtime/core/handler-result.ts';
import { limitAnswer } from '../../../templates/runtime/upstream/read-answer.ts';
import { toResourceContents, toToolResult } from '../../../templates/runtime/upstream/tool-result.ts';
import { UpstreamError } from '../../../templates/runtime/upstream/upstream-error.ts';
import { call, headerOf, httpServer, rawServer } from './loopback.ts';

const get: HttpBinding = { kind: 'http', method: 'GET', path: '/x', parameters: [] };

/** The answer to one response as the API gives it. */
async function answerOf(
  status: number,
  headers: Record<string, string>,
  body: string | Buffer = '',
  limits: Parameters<typeof call>[3] = {},
): Promise<UpstreamAnswer> {
  const upstream = await httpServer((_request, response) => {
    response.writeHead(status, headers).end(body);
  });
  try {
    return await call(upstream.url, get, {}, limits);
  } finally {
    await upstream.close();
  }
}

async function resultOf(...given: Parameters<typeof answerOf>): Promise<LooseResult> {
  return toToolResult(await answerOf(...given), get);
}

const json = { 'content-type': 'application/json; charset=utf-8' };

test.each<[string, Record<string, string>, string | Buffer, LooseResult]>([
  ['a word for JSON', json, 'OK', { content: [{ type: 'text', text: 'OK' }] }],
  ['no type, JSON that is none', {}, '{"a":', { content: [{ type: 'text', text: '{"a":' }] }],
  [
    'Latin-1',
    { 'content-type': 'text/plain; charset="ISO-8859-1"' },
    Buffer.from('ä', 'latin1'),
    { content: [{ type: 'text', text: 'ä' }] },
  ],
  [
    'an unknown charset',
    { 'content-type': 'text/plain; charset=klingon' },
    'ä',
    { content: [{ type: 'text', text: 'ä' }] },
  ],
  ['a byte order mark', json, '\uFEFF{}', { content: [{ type: 'text', text: '{}' }], structuredContent: {} }],
  ['no type, text', {}, 'hello', { content: [{ type: 'text', text: 'hello' }] }],
  [
    'image',
    { 'content-type': 'image/png' },
    Buffer.from([137, 80]),
    { content: [{ type: 'image', data: 'iVA=', mimeType: 'image/png' }] },
  ],
  [
    'audio',
    { 'content-type': 'Audio/MPEG; x=y' },
    Buffer.from([0]),
    { content: [{ type: 'audio', data: 'AA==', mimeType: 'audio/mpeg' }] },
  ],
])('%s', async (_, headers, body, want) => {
  expect(await resultOf(200, headers, body)).toEqual(want);
});

test.each<[string, string, string, string]>([
  ['text/csv; charset=utf-8; header=present', 'a,b', 'text/csv', 'a,b'],
  ['application/atom+xml', '<a/>', 'application/atom+xml', '<a/>'],
  ['Text/HTML', '<p>', 'text/html', '<p>'],
  ['image/svg+xml', '<svg/>', 'image/svg+xml', '<svg/>'],
  ['text/markdown; charset=ISO-8859-1', '\u00e4', 'text/markdown', '\u00e4'],
  ['application/yaml', 'a: 1', 'application/yaml', 'a: 1'],
])('text of a type of its own is an embedded resource: %s', async (mediaType, body, mimeType, text) => {
  const bytes = Buffer.from(body, mediaType.includes('8859') ? 'latin1' : 'utf8');
  const answer = await answerOf(200, { 'content-type': mediaType }, bytes);
  expect(toToolResult(answer, get)).toEqual({
    content: [{ type: 'resource', resource: { uri: answer.url, mimeType, text } }],
  });
});

test.each<[number, Record<string, string>, string, string[]]>([
  [
    404,
    { 'content-type': 'application/problem+json' },
    '{"title":"Gone","detail":"No pet 7","status":404}',
    ['The API answered 404 Not Found: Gone: No pet 7', '{"title":"Gone","detail":"No pet 7","status":404}'],
  ],
  [422, json, '{"message":"name is too long"}', ['422 Unprocessable Entity: name is too long']],
  [400, json, '{"error":{"message":"bad cursor"}}', ['400 Bad Request: bad cursor']],
  [401, json, '{"error":"invalid_token","error_description":"expired"}', ['401 Unauthorized: expired']],
  [
    500,
    { 'content-type': 'text/html' },
    '<h1>Oops</h1><script>x()</script><p>later',
    ['500 Internal', 'Oops later'],
  ],
  [
    500,
    { 'content-type': 'text/html' },
    '<p>a<SCRIPT>x("<script>")</script>c<style>d',
    ['500 Internal Server Error\na c'],
  ],
  [418, {}, '', ["The API answered 418 I'm a Teapot"]],
  [429, { 'retry-after': '60' }, '', ['429 Too Many Requests', 'retry-after: 60']],
  [304, {}, '', ['304 Not Modified']],
  [409, { location: '/pets/7' }, '', ['409 Conflict\nlocation: /pets/7']],
  [403, { 'content-type': 'image/png' }, 'abc', ['403 Forbidden', '3 bytes of image/png']],
])('%i is an error with words', async (status, headers, body, want) => {
  const result = await resultOf(status, headers, body);
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toBeUndefined();
  const [content] = result.content;
  for (const words of want) expect(content?.type === 'text' && content.text).toContain(words);
});

test('a long error page is cut, and says so', async () => {
  const [content] = (await resultOf(500, { 'content-type': 'text/plain' }, 'x'.repeat(9000))).content;
  expect(content?.type === 'text' && content.text).toMatch(/x… \(5000 more characters\)$/);
});

const limits = { limits: { resultCharacters: 100 } };

test('a long list stays JSON and says what is missing', async () => {
  const result = await resultOf(
    200,
    json,
    JSON.stringify(Array.from({ length: 500 }, (_, index) => index)),
    limits,
  );
  expect(Array.isArray(result.structuredContent) && result.structuredContent.length).toBe(36);
  expect(result.content[1]).toEqual({
    type: 'text',
    text:
      'The answer is too long and was cut. Shown: the first 36 of 500 items. ' +
      'Ask for less: a narrower question or a single item, if the API has a tool for it.',
  });
});

test('the list inside an envelope is cut, and what narrows the question is named', async () => {
  const items = Array.from({ length: 90 }, () => 'item');
  const answer = await answerOf(200, json, JSON.stringify({ total: 90, items, next: 'c' }), limits);
  const names = ['limit', 'X-Trace', 'per_page', 'color', '$select', 'page[size]', 'pageToken'];
  const parameters = names.map((name) => ({ argument: name, name, in: 'query' as const }));
  const result = toToolResult(answer, { ...get, parameters });
  expect(result.structuredContent).toMatchObject({ total: 90, next: 'c' });
  const [, note] = result.content;
  expect(note?.type === 'text' && note.text).toMatch(/the first \d+ of 90 items of "items"/);
  expect(note?.type === 'text' && note.text).toContain(
    'with: limit, per_page, $select, page[size], pageToken.',
  );
});

test.each<[string, Record<string, string>]>([
  ['untyped', {}],
  ['UTF-8', { 'content-type': 'text/plain' }],
  ['another charset', { 'content-type': 'text/plain; charset=shift_jis' }],
])('a character that is cut off with the rest of the answer is left out: %s', async (_what, headers) => {
  const bytes = headers['content-type']?.includes('shift_jis')
    ? Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea])
    : Buffer.from('日本語');
  const responseBytes = bytes.length - 1;
  const { body } = await answerOf(200, headers, bytes, { limits: { responseBytes } });
  expect(body).toEqual({ kind: 'text', text: '日本' });
});

test('no character is cut in half', async () => {
  const text = `${'x'.repeat(99)}😀${'x'.repeat(9_000)}`;
  const inJson = `${'x'.repeat(96)}😀${'x'.repeat(9_000)}`;
  const want: [type: string, body: string, shown: string, note: string][] = [
    ['text/plain', text, text.slice(0, 99), 'the first 99 of 9,101 characters'],
    ['application/json', `"${inJson}"`, `"${inJson.slice(0, 96)}…"`, 'the first 96 of 9,098 characters'],
  ];
  for (const [type, body, shown, note] of want) {
    const { content } = await resultOf(200, { 'content-type': type }, body, limits);
    expect(content[0]).toEqual({ type: 'text', text: shown });
    expect(content[1]).toMatchObject({ text: expect.stringContaining(note) });
  }
  const page = await resultOf(500, { 'content-type': 'text/plain' }, `${'x'.repeat(3_999)}😀`);
  expect(page.content[0]).toMatchObject({ text: expect.stringMatching(/x… \(2 more characters\)$/) });
});

const { value: long } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, 12_345, 'id-1'),
    fc.string({ unit: 'binary', maxLength: 2_000, size: 'max' }),
    fc.array(tie('value')),
    fc.dictionary(fc.string({ maxLength: 9 }), tie('value'), { noNullPrototype: true }),
  ),
}));

test('JSON that is cut is within its limit, and JSON wherever a part of it can be cut', () => {
  fc.assert(
    fc.property(long, fc.integer({ min: 30, max: 3_000 }), (value, resultCharacters) => {
      const json = JSON.parse(JSON.stringify(value)) as Json;
      const answer = {
        status: 200,
        ok: true,
        headers: {},
        url: 'http://x/',
        body: { kind: 'json', value: json },
      };
      const given = answer as UpstreamAnswer;
      const limited = limitAnswer(given, { ...defaultUpstreamLimits, resultCharacters });
      if (JSON.stringify(json).length <= resultCharacters) {
        expect(limited).toBe(given);
        return;
      }
      expect(limited.cut).toMatch(/^The answer is too long and was cut\. Shown: the first /);
      const { body } = limited;
      const text = body.kind === 'json' ? JSON.stringify(body.value) : body.kind === 'text' ? body.text : '';
      expect(text.length).toBeLessThanOrEqual(resultCharacters);
      if (body.kind === 'json') expect(body.value).not.toEqual(json);
    }),
    { numRuns: Number(process.env['FC_RUNS'] ?? 300) },
  );
});

test('JSON longer than what is read is text that says so', async () => {
  const result = await resultOf(200, json, `["${'x'.repeat(2000)}"]`, { limits: { responseBytes: 500 } });
  expect(result.structuredContent).toBeUndefined();
  expect(result.content[1]).toMatchObject({ text: expect.stringContaining('only its first 500 characters') });
});

test('an image longer than what is read is not half an image', async () => {
  const headers = { 'content-type': 'image/png' };
  const result = await resultOf(200, headers, Buffer.alloc(2000), { limits: { responseBytes: 500 } });
  expect(result.content.map((one) => one.type)).toEqual(['text', 'text']);
  expect(result.content[1]).toMatchObject({ text: expect.stringContaining('longer than 500 bytes') });
});

test.each([
  [6_000_000, ['image']],
  [6_000_001, ['text', 'text']],
])(
  'an image of %i bytes is handed over only if clients take it, else a note names --files',
  async (size, want) => {
    const { content } = await resultOf(200, { 'content-type': 'image/jpeg' }, Buffer.alloc(size));
    expect(content.map(({ type }) => type)).toEqual(want);
    const [first, note] = content;
    if (first?.type === 'image') expect(first.data.length).toBeLessThan(8 * 1024 * 1024 - 64 * 1024);
    else
      expect(note).toMatchObject({
        text: expect.stringMatching(
          /^The answer is too long.* it has 6,000,001 bytes, .* --files <folder>\. /,
        ),
      });
  },
);

test.each<[string, Record<string, string>, string | Buffer, unknown]>([
  ['JSON', json, '{ "a": 1 }', { mimeType: 'application/json', text: '{"a":1}' }],
  ['text', { 'content-type': 'text/html; charset=utf-8' }, '<p>', { mimeType: 'text/html', text: '<p>' }],
  ['bytes', { 'content-type': 'image/png' }, Buffer.from([0]), { mimeType: 'image/png', blob: 'AA==' }],
  ['nothing', {}, '', { mimeType: 'text/plain', text: '' }],
])('as a resource: %s', async (_, headers, body, want) => {
  const contents = toResourceContents(await answerOf(200, headers, body), 'pets://1');
  expect(contents).toEqual([{ uri: 'pets://1', ...(want as object) }]);
});

test.each([
  [
    'a list',
    json,
    '[1111,2222,3333]',
    { resultCharacters: 12 },
    [{ mimeType: 'application/json', text: '[1111,2222]' }, 'the first 2 of 3 items'],
  ],
  [
    'a text',
    { 'content-type': 'text/markdown' },
    'abcdef',
    { resultCharacters: 4 },
    [{ mimeType: 'text/markdown', text: 'abcd' }, 'the first 4 of 6 characters'],
  ],
  [
    'an image',
    { 'content-type': 'image/png' },
    Buffer.alloc(9),
    { responseBytes: 8 },
    [
      'nothing of it: it is longer than 8 bytes. A tool saves such answers as files if this server is started with --files <folder>',
    ],
  ],
])(
  'as a resource, %s that was cut says so where a model reads it',
  async (_, headers, body, limits, want) => {
    const contents = toResourceContents(await answerOf(200, headers, body, { limits }), 'pets://1');
    const note = (cut: string) => ({
      mimeType: 'text/plain',
      text: `The answer is too long and was cut. Shown: ${cut}.`,
    });
    expect(contents).toEqual(
      want.map((one) => ({ uri: 'pets://1', ...(typeof one === 'string' ? note(one) : one) })),
    );
  },
);

test('a resource that can not be read throws the API’s words', async () => {
  const answer = await answerOf(404, json, '{"message":"no such pet"}');
  expect(() => toResourceContents(answer, 'pets://1')).toThrow(UpstreamError);
  expect(() => toResourceContents(answer, 'pets://1')).toThrow(/404 Not Found: no such pet/);
});

test.each([
  [undefined, 'application/json, */*;q=0.8'],
  [[], 'application/json, */*;q=0.8'],
  [['application/json'], 'application/json'],
  [['application/xml', 'application/json'], 'application/json, application/xml;q=0.9'],
  [['image/png', 'image/jpeg'], 'image/png, image/jpeg'],
])('Accept for %j', async (accept, want) => {
  const upstream = await rawServer();
  await call(upstream.url, { ...get, result: accept === undefined ? {} : { accept } });
  await upstream.close();
  expect(headerOf(upstream.requests[0], 'Accept')).toBe(want);
});
