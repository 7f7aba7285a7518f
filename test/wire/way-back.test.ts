/**
 * The way back: a document and the API's answer in, the result out. Nothing that the API said is lost, both halves of a
 * result say it, and both official clients take the structure.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Served, serveDocument } from './serve-document.ts';

interface Answer {
  /** Default 200. */
  status?: number;
  head?: readonly string[];
  /** A text is sent as it is; anything else as JSON, and its media type. */
  body?: unknown;
}

interface Row {
  says: string;
  /** Of the answer 200 in JSON. */
  schema?: object;
  /** Replaces what `schema` would make. */
  responses?: object;
  /** Further members of the Operation Object. */
  operation?: object;
  method?: string;
  /** Behind the row's own name. */
  path?: string;
  args?: Record<string, unknown>;
  answer: Answer;
  /** The texts of all blocks; default the JSON of the answer alone. `{origin}` is the API's. */
  texts?: readonly string[];
  /** `none`: there is no structure. */
  structure?: object | 'none';
  /** The text of the error. */
  error?: RegExp;
}

const rows = (table: readonly Row[]): readonly Row[] => table;

function documentOf(table: readonly Row[]): object {
  const paths: Record<string, object> = {};
  for (const [index, { schema, responses, operation, method = 'get', path = '' }] of table.entries()) {
    const content = schema === undefined ? {} : { content: { 'application/json': { schema } } };
    const own = {
      operationId: `row${index}`,
      responses: responses ?? { 200: { description: 'Fine.', ...content } },
      ...operation,
    };
    paths[`/row${index}${path}`] = { [method]: own };
  }
  const securitySchemes = { key: { type: 'apiKey', in: 'query', name: 'key' } };
  const info = { title: 'Way back', version: '1' };
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: 'http://localhost/v1' }],
    paths,
    components: { securitySchemes },
  };
}

function answerText({ status = 200, head = [], body }: Answer): string {
  const isText = typeof body === 'string' || body === undefined;
  const text = isText ? (body ?? '') : JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} X`,
    ...(isText ? [] : ['Content-Type: application/json']),
    ...head,
    ...(status === 204 ? [] : [`Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

interface Result {
  content: { text?: string; resource?: { text?: string } }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

type Parts = Parameters<typeof serveDocument>[2];

function prove(what: string, table: readonly Row[], parts: Parts = {}): void {
  describe(what, () => {
    let served: Served;
    let clients: Awaited<ReturnType<Served['clients']>>;
    let origin = '';
    const reported: unknown[] = [];
    beforeAll(async () => {
      served = await serveDocument(
        documentOf(table),
        ({ line, headers }) => {
          origin = `http://${/^host: (.*)$/im.exec(headers.join('\n'))?.[1] ?? ''}`;
          const { answer } = table[Number(/\/row(\d+)/.exec(line)?.[1])] ?? { answer: { status: 500 } };
          return answerText(answer).replaceAll('{origin}', origin);
        },
        { reported, ...parts },
      );
      clients = await served.clients();
    });
    afterAll(() => served.close());

    test.each(table.map((row, index) => ({ ...row, index })))('$says', async ({ index, ...row }) => {
      const name = `row${index}`;
      const { args = {} } = row;
      const { text } = await served.call(name, args);
      const { result } = JSON.parse(text) as { result: Result };
      const { content, structuredContent, isError } = result;
      const texts = content.map((block) => block.text ?? block.resource?.text ?? '');
      if (row.error === undefined) {
        expect(isError, texts.join('\n')).toBeUndefined();
        const want = row.texts ?? [JSON.stringify(row.answer.body)];
        expect(texts).toEqual(want.map((one) => one.replaceAll('{origin}', origin)));
        const { structure = row.answer.body as object } = row;
        const wanted = JSON.stringify(structure).replaceAll('{origin}', origin);
        expect(structuredContent).toEqual(structure === 'none' ? undefined : JSON.parse(wanted));
      } else {
        expect(isError, text).toBe(true);
        expect(texts.join('\n')).toMatch(row.error);
        expect(structuredContent).toBeUndefined();
      }
      const { outputSchema } = served.tools.find((tool) => tool.name === name) ?? {};
      if (outputSchema !== undefined && isError !== true) {
        const validate = new Ajv2020({ strict: false }).compile(outputSchema);
        validate(structuredContent);
        expect(validate.errors).toBeNull();
      }
      // They throw where the structure is absent, or doesn't match.
      for (const client of clients) {
        const called = await client.callTool({ name, arguments: args });
        expect(called.structuredContent).toEqual(structuredContent);
      }
    });
  });
}

const pet = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    price: { type: 'number' },
    sold: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    owner: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
  },
};
const pets = { type: 'array', items: pet };
const page = { type: 'object', properties: { data: pets, total: { type: 'integer' } } };
const map = { type: 'object', additionalProperties: { type: 'integer' } };
const drifted = (value: object, moved: object): object => ({ ...value, _response: { drifted: moved } });

prove(
  'drift',
  rows([
    { says: 'what fits is as it came', schema: pet, answer: { body: { id: 1, name: 'Rex' } } },
    { says: 'an integer as text', schema: pet, answer: { body: { id: '1' } } },
    {
      says: 'null for everything',
      schema: pet,
      answer: { body: { id: null, name: null, tags: null, owner: null } },
    },
    { says: 'a member that is required is absent', schema: pet, answer: { body: { name: 'Rex' } } },
    {
      says: 'a number for text',
      schema: pet,
      answer: { body: { id: 1, name: 7 } },
      structure: drifted({ id: 1 }, { name: 7 }),
    },
    {
      says: 'a member of an item',
      schema: page,
      answer: { body: { data: [{ id: 1 }, { id: 2, name: [] }] } },
      structure: drifted({}, { data: [{ id: 1 }, { id: 2, name: [] }] }),
    },
    {
      says: 'an item takes its list along',
      schema: pet,
      answer: { body: { id: 1, tags: ['a', 2] } },
      structure: drifted({ id: 1 }, { tags: ['a', 2] }),
    },
    {
      says: 'names with slashes and tildes',
      schema: { type: 'object', properties: { 'a/b~c': { type: 'string' } } },
      answer: { body: { 'a/b~c': 1, d: 2 } },
      structure: drifted({ d: 2 }, { 'a/b~c': 1 }),
    },
    {
      says: 'a value of a map',
      schema: map,
      answer: { body: { a: 1, b: {} } },
      structure: drifted({ a: 1 }, { b: {} }),
    },
    {
      says: 'a list where an object was promised',
      schema: pet,
      answer: { body: [{ id: 1 }] },
      structure: drifted({}, { '': [{ id: 1 }] }),
    },
    {
      says: 'a list is wrapped',
      schema: pets,
      answer: { body: [{ id: 1 }] },
      structure: { result: [{ id: 1 }] },
    },
    {
      says: 'an object where a list was promised',
      schema: pets,
      answer: { body: { data: [{ id: 1 }] } },
      structure: drifted({}, { result: { data: [{ id: 1 }] } }),
    },
    {
      says: 'integers beyond 2^53 where text is promised',
      schema: pet,
      answer: { head: ['Content-Type: application/json'], body: '{"name":9007199254740993}' },
      texts: ['{"name":9007199254740993}'],
      structure: drifted({}, { name: Number('9007199254740993') }),
    },
    {
      says: 'no schema: an object is the structure',
      answer: { body: { a: 1 } },
    },
    { says: 'no schema: anything else is its result', answer: { body: [1] }, structure: { result: [1] } },
    {
      says: 'no schema: text has no structure',
      answer: { head: ['Content-Type: text/plain'], body: 'hi' },
      texts: ['hi'],
      structure: 'none',
    },
  ]),
);

prove(
  'answers that are no JSON',
  rows([
    { says: '204', schema: pet, answer: { status: 204 }, texts: ['204 No Content'], structure: {} },
    {
      says: 'plain text',
      schema: pet,
      answer: { head: ['Content-Type: text/plain'], body: 'OK' },
      texts: ['OK'],
      structure: drifted({}, { '': 'OK' }),
    },
    {
      says: 'bytes',
      schema: pet,
      answer: { head: ['Content-Type: application/pdf'], body: '%PDF' },
      texts: [''],
      structure: drifted({}, { '': 'See the content of this result.' }),
    },
    {
      says: 'JSON that breaks off',
      schema: pet,
      answer: { head: ['Content-Type: application/json'], body: '{"id":' },
      error: /^The API answered 200 OK\n\{"id":\nThe API says that this is JSON, but it is not/,
    },
    {
      says: 'a page of HTML that was promised',
      responses: { 200: { description: 'A page.', content: { 'text/html': {}, 'application/json': {} } } },
      answer: { head: ['Content-Type: text/html'], body: '<p>Hello' },
      texts: ['<p>Hello'],
      structure: 'none',
    },
  ]),
);

const headers = { 'X-Cost': { schema: { type: 'integer' } }, 'Set-Cookie': { schema: { type: 'string' } } };
const declared = (status: string): object => ({
  200: { description: 'Fine.', content: { 'application/json': { schema: pet } } },
  [status]: { description: 'Fine.', headers, content: { 'application/json': { schema: pet } } },
});
const told = (value: object, response: object): object => ({ ...value, _response: response });

prove(
  'headers',
  rows([
    {
      says: 'headers of the connection, of caches and of cookies say nothing',
      schema: pet,
      answer: {
        head: ['Date: now', 'Server: x', 'Set-Cookie: a=b', 'Cache-Control: no-store', 'X-Other: 1'],
        body: { id: 1 },
      },
    },
    ...(
      [
        ['Allow', 'GET'],
        ['Location', '/pets/1'],
        ['Operation-Location', '/jobs/1'],
        ['Azure-AsyncOperation-Location', '/jobs/2'],
        ['X-Total-Count', '70'],
        ['Content-Range', 'items 0-9/70'],
        ['Retry-After', '5'],
        ['RateLimit-Remaining', '3'],
        ['X-RateLimit-Reset', '60'],
        ['X-Rate-Limit-Limit', '100'],
        ['Content-Disposition', 'attachment; filename="a.json"'],
        ['Link', '</v2>; rel="successor-version"'],
      ] as const
    ).map(([name, value]): Row => ({
      says: name,
      schema: pet,
      answer: { head: [`${name}: ${value}`], body: { id: 1 } },
      texts: ['{"id":1}', `${name.toLowerCase()}: ${value}`],
      structure: told({ id: 1 }, { headers: { [name.toLowerCase()]: value } }),
    })),
    {
      says: 'a declared one, but no cookie',
      responses: declared('200'),
      answer: { head: ['X-Cost: 3', 'Set-Cookie: a=b'], body: { id: 1 } },
      texts: ['{"id":1}', 'x-cost: 3'],
      structure: told({ id: 1 }, { headers: { 'x-cost': '3' } }),
    },
    {
      says: 'one that is declared for a range of statuses',
      responses: declared('2XX'),
      answer: { status: 202, head: ['X-Cost: 3'], body: { id: 1 } },
      texts: ['{"id":1}', 'x-cost: 3'],
      structure: told({ id: 1 }, { headers: { 'x-cost': '3' } }),
    },
    {
      says: 'one that is declared for errors',
      responses: declared('default'),
      answer: { status: 409, head: ['X-Cost: 3', 'Allow: GET'], body: { message: 'no' } },
      error: /^The API answered 409 Conflict: no\n\{"message":"no"\}\nx-cost: 3\nallow: GET$/,
    },
    {
      says: 'beside a list',
      schema: pets,
      answer: { head: ['X-Total-Count: 7'], body: [] },
      texts: ['[]', 'x-total-count: 7'],
      structure: told({ result: [] }, { headers: { 'x-total-count': '7' } }),
    },
    {
      says: 'beside drift',
      schema: pet,
      answer: { head: ['Allow: GET'], body: { id: 1, name: 2 } },
      texts: ['{"id":1,"name":2}', 'allow: GET'],
      structure: told({ id: 1 }, { headers: { allow: 'GET' }, drifted: { name: 2 } }),
    },
    {
      says: 'a schema that has the name',
      schema: { type: 'object', properties: { _response: { type: 'string' } } },
      answer: { head: ['Allow: GET'], body: { _response: 'mine' } },
      texts: ['{"_response":"mine"}', 'allow: GET'],
      structure: { _response: 'mine', _response_2: { headers: { allow: 'GET' } } },
    },
    {
      says: 'an answer that has the name, of another type',
      schema: pet,
      answer: { body: { id: 1, _response: 'mine' } },
      structure: told({ id: 1 }, { drifted: { _response: 'mine' } }),
    },
    {
      says: 'of HEAD: all but those of the connection',
      method: 'head',
      answer: { head: ['ETag: "v1"', 'X-Other: 1', 'Date: now'] },
      texts: ['200 OK', 'etag: "v1"\nx-other: 1\ncontent-length: 0'],
      structure: told({}, { headers: { etag: '"v1"', 'x-other': '1', 'content-length': '0' } }),
    },
    {
      says: 'declared ones of a text, whose structure would be absent otherwise',
      responses: {
        200: {
          description: 'Fine.',
          headers: { 'Api-Version': { schema: { type: 'string' } } },
          content: { 'text/plain': {} },
        },
      },
      answer: { head: ['Content-Type: text/plain', 'Api-Version: 1.41', 'X-Other: 1'], body: 'OK' },
      texts: ['OK', 'api-version: 1.41'],
      structure: told({ result: 'OK' }, { headers: { 'api-version': '1.41' } }),
    },
    {
      says: 'of an image, which a structure would hide',
      answer: { head: ['Content-Type: image/png', 'Allow: GET'], body: 'PNG' },
      texts: ['', 'allow: GET'],
      structure: 'none',
    },
    {
      says: 'of an empty answer, with its status',
      answer: { status: 201, head: ['Location: /pets/7'] },
      texts: ['201 Created', 'location: /pets/7'],
      structure: told({}, { headers: { location: '/pets/7' } }),
    },
  ]),
);

prove(
  'a strict schema',
  rows([
    {
      says: 'a member that does not fit',
      schema: pet,
      answer: { body: { id: 1, price: '9.90' } },
      structure: drifted({ id: 1 }, { price: '9.90' }),
    },
    {
      says: 'a closed object',
      schema: { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
      answer: { head: ['Allow: GET'], body: { a: 'x', b: 1 } },
      texts: ['{"a":"x","b":1}', 'allow: GET'],
      structure: told({ a: 'x' }, { headers: { allow: 'GET' }, drifted: { b: 1 } }),
    },
    {
      says: 'a required member',
      schema: pet,
      answer: { body: { name: 'Rex' } },
      error:
        /^\{"name":"Rex"\}\nThis is an error because the answer does not match the output schema of row\d: .*`id`/,
    },
    {
      says: '204 that the document declares',
      responses: {
        200: { description: 'Fine.', content: { 'application/json': { schema: pet } } },
        204: { description: 'None.' },
      },
      answer: { status: 204, head: ['Allow: GET'] },
      texts: ['204 No Content', 'allow: GET'],
      structure: told({}, { headers: { allow: 'GET' } }),
    },
    {
      says: '204 that it does not',
      schema: pet,
      answer: { status: 204 },
      error: /^204 No Content\nThis is an error .*: `id` is required but missing\.$/,
    },
  ]),
  { options: { outputSchema: 'strict' } },
);

const long = 'x'.repeat(900);
const cut = 'The answer is too long and was cut. Shown: the first 600 of 900 characters. Ask for less.';

prove(
  'what is too long',
  rows([
    {
      says: 'text, where an object was promised, beside what the headers say',
      schema: pet,
      answer: { head: ['Content-Type: text/plain', 'Allow: GET'], body: long },
      texts: ['x'.repeat(600), 'allow: GET', cut],
      structure: told({}, { notes: [cut] }),
    },
  ]),
  { env: { API_RESULT_CHARACTERS: '600' } },
);

test('drift is reported once for each tool', async () => {
  const reported: unknown[] = [];
  const table = rows([
    { says: '', schema: pet, answer: { body: { id: {} } } },
    { says: '', schema: pet, answer: { body: { id: 1 } } },
  ]);
  const served = await serveDocument(
    documentOf(table),
    ({ line }) => answerText(table[Number(/\/row(\d+)/.exec(line)?.[1])]?.answer ?? {}),
    { reported },
  );
  for (const name of ['row0', 'row0', 'row1']) await served.call(name, {});
  await served.close();
  expect(reported).toEqual([
    expect.stringMatching(/^row0 does not answer what its output schema promises\. `id`/),
  ]);
});
