/** An API's answer in, the MCP result out. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeJson } from '../../templates/runtime/json-rpc.ts';
import type { SchemaObject } from '../../templates/runtime/types.ts';
import { openApi, json, type Reply, resultOf, textOf } from './api.ts';

const text = (value: unknown): object => ({ type: 'text', text: value });
const typed = (type: string, body: string | Buffer, headers: Reply['headers'] = {}): Reply => ({
  headers: { 'content-type': type, ...headers },
  body,
});

const only = (block: object): object => ({ content: [block] });
const embedded = (mimeType: string, contents: object): object =>
  only({ type: 'resource', resource: { uri: 'URL/a', mimeType, ...contents } });
const noted = (shown: string, note: string, structure: object): object => ({
  content: [text(shown), text(note)],
  structuredContent: { ...structure, _response: { notes: [note] } },
});
const INVALID = 'Some bytes of the answer are not valid utf-8. Each is shown as \uFFFD.';
const XML = '<?xml version="1.0" encoding="ISO-8859-2"?><a>ą</a>';
const latin = (body: string): Buffer => Buffer.from(body, 'latin1');

test.each<[what: string, reply: Reply, want: object]>([
  [
    'JSON by suffix',
    typed('application/hal+json', '{"a":1}'),
    { ...only(text('{"a":1}')), structuredContent: { a: 1 } },
  ],
  ['a byte order mark', json('\uFEFF{}'), { ...only(text('{}')), structuredContent: {} }],
  ['no type, JSON', { body: ' {"a":1}' }, { ...only(text(' {"a":1}')), structuredContent: { a: 1 } }],
  ['no type, JSON that is none', { body: '{"a":' }, only(text('{"a":'))],
  [
    'a type without a slash',
    typed('json', '{"a":1}'),
    { ...only(text('{"a":1}')), structuredContent: { a: 1 } },
  ],
  ['no type, bytes', { body: Buffer.from([255, 0]) }, embedded('application/octet-stream', { blob: '/wA=' })],
  ['text that looks like JSON', typed('text/plain', '{"a":1}'), only(text('{"a":1}'))],
  ['windows-1252', typed('text/plain; charset=windows-1252', Buffer.from([128])), only(text('€'))],
  ['Latin-1', typed('text/plain; charset="ISO-8859-1"', latin('ä')), only(text('ä'))],
  ['an unknown charset', typed('text/plain; charset=klingon', 'ä'), only(text('ä'))],
  [
    'invalid UTF-8',
    typed('text/plain', Buffer.from([97, 255, 98])),
    noted('a\uFFFDb', INVALID, { result: 'a\uFFFDb' }),
  ],
  [
    'JSON is UTF-8 whatever its charset says',
    typed('application/json; charset=iso-8859-1', '{"a":"ä"}'),
    { ...only(text('{"a":"ä"}')), structuredContent: { a: 'ä' } },
  ],
  [
    'JSON that is not UTF-8 is read by its charset, with a note',
    typed('application/json; charset=iso-8859-1', latin('{"a":"ä"}')),
    noted('{"a":"ä"}', "The API's JSON is not UTF-8 and was read as windows-1252.", { a: 'ä' }),
  ],
  [
    'JSON in UTF-16, by its byte order mark',
    typed('application/json', Buffer.from('\uFEFF[1]', 'utf16le')),
    noted('[1]', "The API's JSON is not UTF-8 and was read as utf-16le.", { result: [1] }),
  ],
  [
    'text in UTF-16, by its byte order mark',
    typed('text/plain', Buffer.from('\uFEFFä', 'utf16le').swap16()),
    only(text('ä')),
  ],
  [
    'XML by its declaration',
    typed('application/xml', latin(XML.replace('ą', '\xb1'))),
    embedded('application/xml', { text: XML }),
  ],
  [
    'XML by its charset, which wins over the declaration',
    typed('text/xml; charset=utf-8', XML),
    embedded('text/xml', { text: XML }),
  ],
  ['a word for JSON', json('OK'), only(text('OK'))],
  ['a page for JSON', json('<p>Sign in</p>'), expect.objectContaining({ isError: true }) as object],
  ['text of a type', typed('text/csv; header=present', 'a,b'), embedded('text/csv', { text: 'a,b' })],
  [
    'nothing of a type',
    { status: 200, headers: { 'content-type': 'application/json' } },
    only(text('200 OK')),
  ],
  ['YAML', typed('application/yaml', 'a: 1'), embedded('application/yaml', { text: 'a: 1' })],
  [
    'an image',
    typed('image/png', Buffer.from([137, 80])),
    only({ type: 'image', data: 'iVA=', mimeType: 'image/png' }),
  ],
  [
    'a sound',
    typed('Audio/MPEG; x=y', Buffer.from([0])),
    only({ type: 'audio', data: 'AA==', mimeType: 'audio/mpeg' }),
  ],
  ...['gzip', 'x-gzip'].map((coding): [string, Reply, object] => [
    coding,
    typed('text/plain', gzipSync('hällo'), { 'content-encoding': coding }),
    only(text('hällo')),
  ]),
  [
    'Brotli',
    typed('text/plain', brotliCompressSync('hällo'), { 'content-encoding': 'BR' }),
    only(text('hällo')),
  ],
  [
    'a coding of nothing',
    { status: 204, headers: { 'content-encoding': 'gzip' } },
    only(text('204 No Content')),
  ],
])('%s', async (_, reply, want) => {
  const { url, call } = await openApi({ answer: () => reply });
  const expected = writeJson(want);
  const result = await call();
  if (expected.includes('URL/a')) expect(writeJson(result)).toBe(expected.replace('URL', url));
  else expect(result).toEqual(want);
});

test('the version of a resource is told where an operation takes it', async () => {
  const reply = json({ a: 1 }, { headers: { etag: '"1"', 'last-modified': 'x' } });
  const binding = { result: { showsVersion: true } };
  expect((await resultOf(reply, { binding })).content[1]).toEqual(text('etag: "1"\nlast-modified: x'));
  expect((await resultOf(reply)).content).toEqual([text('{"a":1}')]);
});

test.each(['text/plain', 'text/html; charset=utf-8'])(
  'JSON as %s is JSON where the document promises JSON',
  async (type) => {
    const promised = { result: { accept: ['application/json'] } };
    expect(await resultOf(typed(type, '{"created":true}'), { binding: promised })).toEqual({
      content: [text('{"created":true}')],
      structuredContent: { created: true },
    });
    const either = { result: { accept: ['application/json', 'text/plain'] } };
    expect(await resultOf(typed(type, '{"created":true}'), { binding: either })).not.toHaveProperty(
      'structuredContent',
    );
  },
);

test('a plain text that is no JSON is a text', async () => {
  const promised = { result: { accept: ['application/json'] } };
  expect((await resultOf(typed('text/plain', '{created'), { binding: promised })).isError).toBeUndefined();
});

test('bytes that are no JSON are an error that says so', async () => {
  const result = await resultOf(typed('application/json', Buffer.from([0x25, 0xff, 0xfe, 0x00])));
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain('The API says that this is JSON, but it is not');
});

// Errors.

test.each<[status: number, reply: Reply, want: (string | RegExp)[]]>([
  [
    404,
    typed('application/problem+json', '{"title":"Gone","detail":"No pet 7","status":404}'),
    ['The API answered 404 Not Found: Gone: No pet 7\n{"title":"Gone","detail":"No pet 7","status":404}'],
  ],
  [422, json({ message: 'name is too long' }), ['422 Unprocessable Entity: name is too long']],
  [400, json({ error: { message: 'bad cursor' } }), ['400 Bad Request: bad cursor']],
  [
    401,
    json({ error: 'invalid_token', error_description: 'expired' }),
    ['401 Unauthorized: expired', 'Check API_HEADERS in the environment of this MCP server.'],
  ],
  [400, json({ error: 'no such thing' }), ['400 Bad Request: no such thing']],
  [
    500,
    typed('text/html', '<h1>Oops</h1><script>x()</script><p>later'),
    [/500 Internal Server Error\nOops later$/],
  ],
  [418, {}, [/^The API answered 418 I'm a Teapot$/]],
  [429, { headers: { 'retry-after': '60' } }, ['429 Too Many Requests\nretry-after: 60']],
  [403, typed('image/png', 'abc'), ['403 Forbidden\n(3 bytes of image/png)']],
  [500, typed('text/plain', `${'x'.repeat(3_999)}😀`), [/x… \(2 more characters\)$/]],
])('%i with %j is an error', async (status, reply, want) => {
  const result = await resultOf({ ...reply, status });
  expect(result).toMatchObject({ isError: true });
  expect(result.structuredContent).toBeUndefined();
  for (const part of want)
    expect(textOf(result)).toEqual(
      typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part),
    );
});

const securitySchemes = { key: { type: 'bearer', env: { token: 'TOKEN' } } };
test.each<
  [
    status: number,
    env: Record<string, string>,
    security: Record<string, string[]>[],
    want: string | undefined,
  ]
>([
  [401, { TOKEN: 'token-secret' }, [{ key: [] }], 'Check TOKEN (key) in the environment of this MCP server.'],
  [403, { TOKEN: 'token-secret' }, [{ key: [] }], undefined],
])('after %i with %j the credentials are told of: %j', async (status, env, security, want) => {
  const shown = textOf(await resultOf({ status }, { env, api: { securitySchemes, security } }));
  if (want === undefined) expect(shown).toMatch(/^The API answered \d+ [\w ]+$/);
  else expect(shown).toContain(want);
});

test('a resource is the answer, a missing one is none, and another failure is an error', async () => {
  const read = async (reply: Reply) => (await openApi({ answer: () => reply })).read();
  const contents = { uri: 'x://y', mimeType: 'application/json', text: '{"a":1}' };
  expect(await read(json({ a: 1 }))).toMatchObject({ result: { contents: [contents] } });
  expect(await read(typed('image/png', Buffer.from([0])))).toMatchObject({
    result: { contents: [{ uri: 'x://y', mimeType: 'image/png', blob: 'AA==' }] },
  });
  expect(await read({})).toMatchObject({
    result: { contents: [{ uri: 'x://y', mimeType: 'text/plain', text: '' }] },
  });
  expect(await read({ status: 404 })).toMatchObject({ error: { code: -32002 } });
  expect(await read(json({ message: 'no' }, { status: 500 }))).toMatchObject({
    error: { message: expect.stringContaining('500 Internal Server Error: no') as string },
  });
  const { read: readCut } = await openApi({
    answer: () => typed('text/plain', 'abcdef'),
    env: { API_RESPONSE_BYTES: '4' },
  });
  expect(await readCut()).toMatchObject({
    result: {
      contents: [
        { text: 'abcd' },
        { mimeType: 'text/plain', text: expect.stringContaining('only its first 4 characters') as string },
      ],
    },
  });
});

// Redaction.

const SECRET = 'q7+<é/"x\'&=% Q';
const entity = (base: 'x' | '', pad = ''): string =>
  Array.from(
    SECRET,
    (one) => `&#${base}${pad}${(one.codePointAt(0) ?? 0).toString(base === 'x' ? 16 : 10)};`,
  ).join('');

test.each<[what: string, spelling: string]>([
  ['as it is', SECRET],
  ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
  [
    'in JSON of PHP',
    JSON.stringify(SECRET)
      .slice(1, -1)
      .replaceAll('/', '\\/')
      .replace('é', '\\u00e9')
      .replace('<', '\\u003C')
      .replace('&', '\\u0026'),
  ],
  ['in a URL', encodeURIComponent(SECRET)],
  ['in a URL in a URL', encodeURIComponent(encodeURIComponent(SECRET))],
  ['in a form', new URLSearchParams([['', SECRET]]).toString().slice(1)],
  [
    'in XML',
    SECRET.replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  ],
  ['in decimal entities', entity('')],
  ['in hexadecimal entities', entity('x', '00')],
  ['in XML in XML', SECRET.replaceAll('&', '&amp;amp;').replaceAll('<', '&amp;lt;')],
  ...[0, 1, 2].map((before): [string, string] => [
    `in Base64, behind ${before} bytes`,
    Buffer.from('x'.repeat(before) + SECRET)
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1),
  ]),
  ['in Base64 of URLs', Buffer.from(SECRET).toString('base64url')],
])('a secret %s', async (_, spelling) => {
  const api = {
    securitySchemes: { key: { type: 'apiKey', in: 'query' as const, name: 'key', env: { key: 'API_WORD' } } },
    security: [{ key: [] }],
  };
  const result = await resultOf(typed('text/plain', `before ${spelling} behind`), {
    api,
    env: { API_WORD: SECRET },
  });
  expect(textOf(result)).toMatch(/^before .{0,3}\[redacted\].{0,4} behind$/);
});

test.each<[what: string, parts: object, reply: (target: string, headers: object) => Reply, want: object]>([
  [
    'in values, numbers and names of JSON',
    { env: { API_HEADERS: 'X-Key: 12345678' } },
    () => json('{"a":"12345678","b":12345678,"k12345678":1}'),
    { structuredContent: { a: '[redacted]', b: '[redacted]', 'k[redacted]': 1 } },
  ],
  [
    'in headers',
    { env: { API_HEADERS: 'X-Key: key-secret' } },
    () => ({ status: 201, headers: { location: '/a?key=key-secret', allow: 'GET' } }),
    { content: [text('201 Created'), text('location: /a?key=[redacted]\nallow: GET')] },
  ],
  [
    'in bytes',
    { env: { API_HEADERS: 'X-Key: key-secret' } },
    () => typed('image/png', 'key-secret'),
    {
      content: [{ type: 'image', data: Buffer.from('[redacted]').toString('base64'), mimeType: 'image/png' }],
    },
  ],
  [
    'a token without its scheme, and the password of Basic',
    { env: { API_HEADERS: `Authorization: Basic ${Buffer.from('ada:pass-secret').toString('base64')}` } },
    () => typed('text/plain', 'pass-secret of ada'),
    { content: [text('[redacted] of ada')] },
  ],
  [
    'a header of the configuration',
    { env: { WORD: 'word-secret' }, api: { headers: { 'X-A': 'Token ${WORD}' } } },
    () => typed('text/plain', 'word-secret'),
    { content: [text('[redacted]')] },
  ],
  [
    'one too short to tell from other words',
    { env: { API_HEADERS: 'X-Key: abcde' } },
    () => typed('text/plain', 'abcde'),
    { content: [text('abcde')] },
  ],
  [
    'no words of other headers',
    { env: { API_HEADERS: 'Accept-Language: english\nCookie: a=cookie-secret' } },
    () => typed('application/vnd.english+json', '{"a":"english","b":"a=cookie-secret"}'),
    { structuredContent: { a: 'english', b: '[redacted]' } },
  ],
  [
    'not in the media type',
    { env: { API_HEADERS: 'X-Key: text/csv' } },
    () => typed('text/csv', 'a,b'),
    { content: [{ type: 'resource', resource: { mimeType: 'text/csv', text: 'a,b' } }] },
  ],
  [
    'of those that begin alike the longest',
    { env: { API_HEADERS: 'X-Key: secret\nX-Other-Key: secret-2' } },
    () => typed('text/plain', 'secret-2 secret'),
    { content: [text('[redacted] [redacted]')] },
  ],
])('secrets: %s', async (_, parts, reply, want) => {
  const { call } = await openApi({ ...parts, answer: ({ target, headers }) => reply(target, headers) });
  expect(await call()).toMatchObject(want);
});

test('secrets of a base URL, in the text and in the URL of the answer', async () => {
  const upstream = await openApi({
    answer: ({ target, headers }) =>
      typed(
        'text/csv',
        `${target} of ${String(headers['authorization'])}, lovelace, top secret/1, 2024-01-01`,
      ),
  });
  const base = upstream.url.replace('//', '//ada:lovelace@');
  const { call } = await openApi({ baseUrl: `${base}/v1?api_key=top%20secret%2F1&api-version=2024-01-01` });
  const query = '/v1/a?api_key=[redacted]&api-version=2024-01-01';
  expect((await call()).content).toEqual([
    {
      type: 'resource',
      resource: {
        uri: upstream.url + query,
        mimeType: 'text/csv',
        text: `${query} of Basic [redacted], [redacted], [redacted], 2024-01-01`,
      },
    },
  ]);
});

test.each(['an ordinary text of an API; ', '&#97;', 'YWFh'])(
  'a secret behind 10 MB of %j is found',
  async (unit) => {
    const { createRedactor } = await import('../../templates/runtime/results.ts');
    const redact = createRedactor(['top-secret/1', 'aaaaaaaaaaaaaaaa-b']);
    const text = redact(`${unit.repeat(10_000_000 / unit.length)} top-secret/1`);
    expect(text.endsWith(' [redacted]')).toBe(true);
  },
);

test.each([100, 4_000, 16_000])('a token of %i characters is found', async (length) => {
  const token = Buffer.alloc(length, 'tok3n-').toString('base64url').slice(0, length);
  const spelled = [token, encodeURIComponent(token), Buffer.from(token).toString('base64')];
  const { call } = await openApi({
    env: { API_HEADERS: `X-Key: ${token}` },
    answer: () => json(JSON.stringify(spelled)),
  });
  expect(textOf(await call())).toMatch(
    /^\["\[redacted\]","\[redacted\]","[\w=]{0,4}\[redacted\][\w=]{0,4}"\]$/,
  );
});

test('a key that no expression can hold is in no message, and is not sent', async () => {
  const { call, requests } = await openApi({ env: { API_HEADERS: `X-Key: ${'@+=/'.repeat(2_000)}` } });
  const refusal = textOf(await call());
  expect(refusal).toMatch(/^A credential is too long to be kept out of answers/);
  expect(refusal).not.toContain('@');
  expect(requests).toHaveLength(0);
});

// Bounds, and the cut.

test('an image whose headers are longer than the limit stays whole', async () => {
  const image = typed('image/png', Buffer.alloc(50), { link: `</${'x'.repeat(150)}>; rel="next"` });
  const { content } = await resultOf(image, { env: { API_RESULT_CHARACTERS: '100' } });
  expect(content[0]).toMatchObject({ type: 'image', data: Buffer.alloc(50).toString('base64') });
});

test('an endless answer and a bomb are cut while they are read', async () => {
  const env = { API_RESPONSE_BYTES: '5000' };
  const endless = await openApi({
    env,
    answer: (_request, _index, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1_000), () => setImmediate(more));
      };
      more();
      return undefined;
    },
  });
  const cut = text('The answer is too long and was cut. Shown: only its first 5,000 characters.');
  expect((await endless.call()).content).toEqual([text('x'.repeat(5_000)), cut]);
  const bomb = gzipSync(Buffer.alloc(20_000_000, 'x'));
  expect(
    (await resultOf(typed('text/plain', bomb, { 'content-encoding': 'gzip' }), { env })).content,
  ).toEqual([text('x'.repeat(5_000)), cut]);
  const list = await resultOf(json(`["${'x'.repeat(9_000)}"]`), { env });
  expect(list).toMatchObject({ content: [text(`["${'x'.repeat(4_998)}`), cut] });
  const image = await resultOf(typed('image/png', Buffer.alloc(9_000)), { env });
  expect(textOf(image)).toMatch(/nothing of its 5,000 bytes or more/);
  expect(image.content.map(({ type }) => type)).not.toContain('image');
});

test.each([
  ['text/plain', Buffer.from('日本語'), 8],
  ['text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]), 5],
])('a character that is cut off with the rest of the answer is left out: %s', async (type, body, most) => {
  const { content } = await resultOf(typed(type, body), { env: { API_RESPONSE_BYTES: String(most) } });
  expect(content[0]).toEqual(text('日本'));
});

test('an image is handed over up to 6 MB', async () => {
  const typesOf = async (size: number) =>
    (await resultOf(typed('image/png', Buffer.alloc(size)))).content.map(({ type }) => type);
  // The schemas of MCP that judge each message match the text by an expression, whose stack a larger one would fill.
  expect(await typesOf(1_000_000)).toEqual(['image']);
  expect(await typesOf(6_000_001)).not.toContain('image');
});

const listOf = (count: number): string => `[${Array.from({ length: count }, () => '1').join()}]`;

test.each([
  ['a list', listOf(100_001)],
  ['objects', `[${'{},'.repeat(80_000)}0]`],
  ['levels', '['.repeat(40_000) + ']'.repeat(40_000)],
])('of more members or levels no structure is made: %s', async (_, body) => {
  const result = await resultOf(json(body), { env: { API_RESULT_CHARACTERS: '1000000' } });
  expect(result.content).toEqual([
    text(body),
    text('The answer has more than 100,000 members or 500 levels, so it is shown as text.'),
  ]);
});

test('100,000 members, and brackets in strings, are JSON', async () => {
  const env = { API_RESULT_CHARACTERS: '1000000' };
  const body = JSON.stringify(['[,{\\"'.repeat(80_000)]);
  expect(await resultOf(json(body), { env })).toMatchObject({
    structuredContent: { result: [expect.any(String)] },
  });
  const { structuredContent } = await resultOf(json(listOf(99_000)), { env });
  expect(structuredContent).toMatchObject({ result: expect.any(Array) as unknown[] });
});

const cutAt = (most: number) => ({ env: { API_RESULT_CHARACTERS: String(most) } });
test('a resource of an API is cut as a tool is', async () => {
  const reply = typed('text/plain', 'x'.repeat(500));
  const { read } = await openApi({ answer: () => reply, ...cutAt(100) });
  const uri = 'x://y';
  expect(await read()).toMatchObject({
    result: {
      contents: [
        { uri, text: 'x'.repeat(100) },
        { uri, text: `${CUT}the first 100 of 500 characters. Ask for less.` },
      ],
    },
  });
});

test.each([33, 34, 35, 36])(
  'an answer that fits without its blanks is whole: %i characters',
  async (most) => {
    const spaced = '{"items": [{"id": "1"}, {"id": "2"}]}';
    const { content } = await resultOf(json(spaced), cutAt(most));
    expect(content).toEqual([text('{"items":[{"id":"1"},{"id":"2"}]}')]);
  },
);

const CUT = 'The answer is too long and was cut. Shown: ';

test.each<
  [what: string, reply: Reply, most: number, shown: string | RegExp, note: string, structure: unknown]
>([
  [
    'a list in an envelope',
    json({ total: 90, items: Array.from({ length: 90 }, () => 'item'), next: 'c' }),
    100,
    /^\{"total":90,"items":\[("item",?)+\],"next":"c"\}$/,
    'of 90 items of "items".',
    { total: 90, next: 'c' },
  ],
  [
    'a list inside lists',
    json({ a: [{ b: { c: Array.from({ length: 90 }, () => 'item') } }] }),
    100,
    /^\{"a":\[\{"b":\{"c":\[("item",?)+\]\}\}\]\}$/,
    'of 90 items of "a.0.b.c".',
    { a: expect.any(Array) as unknown },
  ],
  [
    'the longest list',
    json({ few: ['a'], many: Array.from({ length: 90 }, () => 'item') }),
    100,
    /^\{"few":\["a"\],"many"/,
    'of 90 items of "many".',
    { few: ['a'] },
  ],
  [
    'a list of one long item',
    json(['x'.repeat(200)]),
    100,
    `["${'x'.repeat(98)}`,
    'the first 100 of 204 characters.',
    undefined,
  ],
  [
    'half a character',
    typed('text/plain', `${'x'.repeat(99)}😀😀`),
    100,
    'x'.repeat(99),
    'the first 100 of 103 characters.',
    undefined,
  ],
])('the cut of %s', async (_, reply, most, shown, note, structure) => {
  const { content, structuredContent } = await resultOf(reply, cutAt(most));
  expect(content[0]?.text).toEqual(typeof shown === 'string' ? shown : expect.stringMatching(shown));
  expect(content[0]?.text?.length).toBeLessThanOrEqual(most);
  expect(content).toHaveLength(2);
  expect(content[1]?.text).toMatch(new RegExp(`^${CUT}.*Ask for less\\.$`));
  expect(content[1]?.text).toContain(note);
  if (structure === undefined) expect(structuredContent).toBeUndefined();
  else
    expect(structuredContent).toMatchObject({
      ...(structure as object),
      _response: { notes: [content[1]?.text] },
    });
});

test.each<[string, SchemaObject, unknown, object | undefined]>([
  [
    'a structure that has room for the note',
    { type: 'object', properties: { a: { type: 'string' } } },
    { a: 'x'.repeat(200) },
    { structuredContent: { _response: { notes: [expect.stringContaining(CUT) as string] } } },
  ],
  [
    'the member that the schema has for it',
    { type: 'object', properties: { _response: { type: 'string' }, _response_2: {} }, required: [] },
    { a: 'x'.repeat(200) },
    { structuredContent: { _response_2: { notes: [expect.stringContaining(CUT) as string] } } },
  ],
  [
    'an error, where only all of it fits',
    { type: 'object', properties: { a: { type: 'string', minLength: 150 } }, required: ['a'] },
    { a: 'x'.repeat(200) },
    { isError: true },
  ],
])('a tool with an output schema: what is cut is %s', async (_, output, value, want) => {
  const result = await resultOf(json(value), { ...cutAt(100), output });
  expect(result).toMatchObject({ content: [{ text: expect.any(String) as string }, {}], ...want });
  expect(result.content[0]?.text?.length).toBeLessThanOrEqual(100);
});

test('what is not cut: errors, results of handlers, embedded text keeps its type', async () => {
  const long = 'x'.repeat(200);
  expect(textOf(await resultOf(json({ message: long }, { status: 400 }), cutAt(100)))).toContain(long);
  const { call } = await openApi({ ...cutAt(100), handlers: { tools: { tool: () => long } } });
  expect(await call()).toEqual({ content: [text(long)] });
  const passing = await openApi({
    ...cutAt(100),
    answer: () => typed('text/plain', long),
    handlers: { tools: { tool: (_: object, __: object, next: () => unknown) => next() } },
  });
  expect(textOf(await passing.call())).toContain(CUT);
  expect((await resultOf(typed('text/csv', long), cutAt(100))).content).toMatchObject([
    { type: 'resource', resource: { mimeType: 'text/csv', text: 'x'.repeat(100) } },
    { type: 'text' },
  ]);
  const told = await resultOf(
    json([long, 'y'.repeat(60)].reverse(), { headers: { allow: 'GET' } }),
    cutAt(100),
  );
  expect(told.content.map((block) => block.text?.slice(0, 20))).toEqual([
    `["${'y'.repeat(18)}`,
    'allow: GET',
    CUT.slice(0, 20),
  ]);
});

test('older clients get the text alone', async () => {
  expect(await resultOf(json({ a: 1 }), { revision: '2025-03-26' })).toEqual({ content: [text('{"a":1}')] });
});

test('a resource that is too long stays JSON', async () => {
  const pets = Array.from({ length: 50 }, (_, id) => ({ id }));
  const shown = async (body: object): Promise<unknown> =>
    (await (await openApi({ ...cutAt(100), answer: () => json(body) })).read()).result;
  const note = { uri: 'x://y', mimeType: 'text/plain' };
  expect(await shown({ pets })).toMatchObject({
    contents: [
      { mimeType: 'application/json', text: JSON.stringify({ pets: pets.slice(0, 10) }) },
      { ...note, text: expect.stringContaining('the first 10 of 50 items of "pets". Ask for less.') },
    ],
  });
  expect(await shown({ text: 'x'.repeat(200) })).toMatchObject({
    contents: [{ mimeType: 'text/plain' }, { ...note, text: expect.stringContaining('the first 100 of') }],
  });
});
