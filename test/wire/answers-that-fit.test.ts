/** `x-mcp.output` and `fields`: a document, arguments and the API's answer in; what clients get out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context, Handlers } from '../../templates/runtime/types.ts';
import type { CompileOptions } from '../../src/api/options.ts';
import { type Served, serveDocument } from './serve-document.ts';

const User = {
  type: 'object',
  required: ['login'],
  properties: { login: { type: 'string' }, id: { type: 'integer' }, mail: { type: 'string' } },
};
const Repo = {
  type: 'object',
  required: ['id', 'name', 'owner'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    'full.name': { type: 'string' },
    owner: { anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }] },
    labels: {
      type: 'array',
      items: { type: 'object', properties: { text: { type: 'string' }, colour: {} } },
    },
    meta: { type: 'object', additionalProperties: true },
    parent: { $ref: '#/components/schemas/Repo' },
  },
};
const Page = {
  type: 'object',
  required: ['items'],
  properties: {
    total: { type: 'integer' },
    items: { type: 'array', items: { $ref: '#/components/schemas/Repo' } },
  },
};
const ann = { login: 'ann', id: 1, mail: 'a@b.c' };
const repo = {
  id: 7,
  name: 'x',
  'full.name': 'ann/x',
  owner: ann,
  labels: [
    { text: 'a', colour: 1 },
    { text: 'b', colour: 2 },
  ],
  meta: { any: { thing: 1 } },
};
const page = { total: 1, items: [repo, { ...repo, id: 8, owner: null }] };
const of = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const list = { type: 'array', items: of('Repo') };

interface Row {
  says: string;
  schema?: object;
  xMcp?: object;
  operation?: object;
  args?: Record<string, unknown>;
  status?: number;
  head?: readonly string[];
  body: unknown;
  /** The structure, and the text where that is not the structure's JSON. */
  structure?: object;
  text?: string;
  /** The words of an error. `sends: false`: nothing reached the API. */
  error?: RegExp;
  sends?: boolean;
}

const rows: readonly Row[] = [
  {
    says: 'select keeps names, in the order of the answer, through lists and into objects',
    schema: of('Page'),
    xMcp: { output: { select: ['items.owner.login', 'items.id'] } },
    body: page,
    structure: {
      items: [
        { id: 7, owner: { login: 'ann' } },
        { id: 8, owner: null },
      ],
    },
  },
  {
    says: 'both: drop is applied to what was selected',
    schema: of('Repo'),
    xMcp: { output: { select: ['id', 'owner'], drop: ['owner.mail'] } },
    body: repo,
    structure: { id: 7, owner: { login: 'ann', id: 1 } },
  },
  {
    says: 'an integer that a double would round, and a member called __proto__',
    schema: { type: 'object' },
    xMcp: { output: { select: ['big', '__proto__'] } },
    body: '{"big":12345678901234567890,"__proto__":{"a":1},"b":1}',
    text: '{"big":12345678901234567890,"__proto__":{"a":1}}',
  },
  {
    says: 'drop removes names',
    schema: of('Repo'),
    xMcp: { output: { drop: ['owner.mail', 'labels.colour', 'meta', 'full\\.name'] } },
    body: repo,
    structure: { id: 7, name: 'x', owner: { login: 'ann', id: 1 }, labels: [{ text: 'a' }, { text: 'b' }] },
  },
  {
    says: 'a longer name beside a shorter one that holds it',
    schema: of('Repo'),
    xMcp: { output: { select: ['owner.login', 'owner', 'owner.id'] } },
    body: repo,
    structure: { owner: ann },
  },
  {
    says: 'no answer but a success is cut',
    schema: of('Repo'),
    xMcp: { output: { select: ['id'] } },
    status: 422,
    body: { message: 'Not this way', owner: ann },
    error: /^The API answered 422 .*: Not this way\n\{"message":"Not this way","owner":\{"login":"ann"/,
  },
  {
    says: 'fields picks names',
    schema: of('Page'),
    xMcp: { fields: true },
    args: { fields: ['items.name', 'total'] },
    body: page,
    structure: { total: 1, items: [{ name: 'x' }, { name: 'x' }] },
  },
  {
    says: 'an empty list of fields is none',
    schema: of('Repo'),
    xMcp: { fields: true },
    args: { fields: [] },
    body: repo,
    structure: repo,
  },
  {
    says: 'fields of what was kept',
    schema: of('Repo'),
    xMcp: { fields: true, output: { drop: ['owner.mail'] } },
    args: { fields: ['owner'] },
    body: repo,
    structure: { owner: { login: 'ann', id: 1 } },
  },
  {
    says: 'texts are no objects',
    operation: {
      responses: { 200: { description: 'Fine.', content: { 'text/plain': { schema: { type: 'string' } } } } },
    },
    xMcp: { output: { select: ['id'] } },
    head: ['Content-Type: text/plain'],
    body: 'words',
    text: 'words',
  },
  {
    says: 'what was dropped is no field',
    schema: of('Repo'),
    xMcp: { fields: true, output: { drop: ['owner.mail'] } },
    args: { fields: ['owner.mail'] },
    body: repo,
    error: /no member "owner.mail"/,
    sends: false,
  },
  {
    says: 'an unknown name is an error with the nearest one, and nothing is sent',
    schema: of('Repo'),
    xMcp: { fields: true },
    args: { fields: ['id', 'ownr.login', 'nane'] },
    body: repo,
    error:
      /no member "ownr.login". Did you mean "owner.login"\? .*"nane". Did you mean "name"\? Nothing was sent. `fields` takes: id, name, full\\.name, owner, labels, meta, parent\.$/,
    sends: false,
  },
  {
    says: 'a name at the wrong place is found',
    schema: of('Page'),
    xMcp: { fields: true },
    args: { fields: ['login'] },
    body: page,
    error: /no member "login". Did you mean "items.owner.login"\?/,
    sends: false,
  },
  {
    says: 'an open object has any name',
    schema: of('Repo'),
    xMcp: { fields: true },
    args: { fields: ['meta.any.thing'] },
    body: repo,
    structure: { meta: { any: { thing: 1 } } },
  },
  {
    says: 'deep inside a schema that holds itself any name is taken',
    schema: of('Repo'),
    xMcp: { fields: true },
    args: { fields: ['parent.parent.parent.parent.parent.x', 'id'] },
    body: repo,
    structure: { id: 7 },
  },
  {
    says: 'the listed schema calls a list `result`, and so may fields',
    schema: list,
    xMcp: { fields: true },
    args: { fields: ['result.id'] },
    body: [repo],
    structure: { result: [{ id: 7 }] },
    text: '[{"id":7}]',
  },
  {
    says: 'the API has an argument `fields`: it is sent, and the other one is not',
    schema: of('Repo'),
    xMcp: { fields: true },
    operation: { parameters: [{ name: 'fields', in: 'query', schema: { type: 'string' } }] },
    args: { fields: 'a', result_fields: ['id'] },
    body: repo,
    structure: { id: 7 },
  },
  {
    says: 'what stands beside an answer stays',
    schema: of('Repo'),
    xMcp: { output: { select: ['id'] } },
    head: ['Retry-After: 5'],
    body: repo,
    structure: { id: 7, _response: { headers: { 'retry-after': '5' } } },
    text: '{"id":7}\nretry-after: 5',
  },
  {
    says: 'an answer is cut to its limits after what is kept was chosen',
    schema: of('Page'),
    xMcp: { output: { select: ['items.id'] } },
    body: { items: Array.from({ length: 400 }, () => ({ ...repo, name: 'y'.repeat(1000) })) },
    structure: { items: Array.from({ length: 400 }, () => ({ id: 7 })) },
  },
];

function documentOf(table: readonly Row[], root: object = {}): object {
  const paths: Record<string, object> = {};
  for (const [index, { schema, xMcp, operation }] of table.entries()) {
    const content = { 'application/json': { schema } };
    paths[`/row${index}`] = {
      get: {
        operationId: `row${index}`,
        responses: { 200: { description: 'Fine.', content } },
        ...(xMcp && { 'x-mcp': xMcp }),
        ...operation,
      },
    };
  }
  const info = { title: 'Fit', version: '1' };
  const servers = [{ url: 'http://localhost' }];
  return { openapi: '3.1.0', info, servers, paths, components: { schemas: { User, Repo, Page } }, ...root };
}

function answerText({ status = 200, head = ['Content-Type: application/json'], body }: Row): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = head.some((line) => line.startsWith('Content-Type')) ? [] : ['Content-Type: application/json'];
  const lines = [...head, ...type, `Content-Length: ${Buffer.byteLength(text)}`];
  return `HTTP/1.1 ${status} X\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
}

const answers =
  (table: readonly Row[]) =>
  ({ line }: { line: string }) =>
    answerText(table[Number(/row(\d+)/.exec(line)?.[1])] ?? { says: '', body: {} });

const structureIn = (text: string): unknown =>
  (JSON.parse(text) as { result: { structuredContent?: unknown } }).result.structuredContent;

describe.each<[string, Partial<CompileOptions>]>([
  ['loose', {}],
  ['strict', { outputSchema: 'strict' }],
  ['without output schemas', { outputSchema: 'off' }],
])('%s', (mode, options) => {
  let served: Served;
  const said: unknown[] = [];

  beforeAll(async () => {
    served = await serveDocument(documentOf(rows), answers(rows), {
      options,
      reported: said,
      env: { API_RESULT_CHARACTERS: '20000' },
    });
  });
  afterAll(() => served.close());

  test.each(rows.map((row, index) => [row.says, row, index] as const))('%s', async (_says, row, index) => {
    const { structure, text = JSON.stringify(structure), error, sends = true } = row;
    // Without a listed schema only a list has no structure of its own.
    const got = await served.call(`row${index}`, row.args ?? {});
    expect(got.sent).toHaveLength(sends ? 1 : 0);
    expect(got.isError).toBe(error !== undefined);
    if (error !== undefined) return expect(got.words).toMatch(error);
    expect(got.words).toBe(text);
    if (structure !== undefined && (mode !== 'without output schemas' || !('result' in structure)))
      expect(structureIn(got.text)).toEqual(structure);
  });

  test('nothing drifts from the listed schemas', () => {
    expect(said).toEqual([]);
  });
});

/** A document of one operation with all that may stand around it. */
const one = (xMcp: object, more: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'Fit', version: '1' },
  servers: [{ url: 'http://localhost' }],
  paths: {
    '/repos/{id}': {
      get: {
        operationId: 'read',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'Fine.', content: { 'application/json': more } } },
        'x-mcp': { resource: true, ...xMcp },
      },
    },
  },
  components: { schemas: { User, Repo, Page } },
});

const both = { fields: true, output: { drop: ['owner.mail'] } };

/** `own` is an operation whose tool is code of the project. */
const withHandlers = async (handlers: Handlers<object>): Promise<Served> => {
  const { paths, ...rest } = one(both, { schema: of('Repo') }) as { paths: object };
  const query = { name: 'how', in: 'query', schema: { type: 'string' } };
  const own = { operationId: 'own', parameters: [query], responses: { 204: { description: 'Done.' } } };
  return serveDocument(
    { ...rest, paths: { ...paths, '/own': { get: own } } },
    () => answerText({ says: '', body: repo }),
    { handlers },
  );
};

test('a resource and code of the server get the whole answer; a tool called by code does not', async () => {
  const tools = {
    own: async ({ how }: { how?: string }, { call, api }: Context): Promise<unknown> => {
      if (how === 'call') return call('read', { id: 1, fields: ['owner'] });
      return api['fit']?.['read']?.({ id: 1 });
    },
  };
  const served = await withHandlers({ tools });
  const [resource] = (await served.read('fit://repos/1')) as { text: string }[];
  expect(resource?.text).toBe(JSON.stringify(repo));
  expect((await served.call('own', { how: 'api' })).words).toBe(JSON.stringify(repo));
  expect((await served.call('own', { how: 'call' })).words).toBe('{"owner":{"login":"ann","id":1}}');
  await served.close();
});

test('a hook sees the whole answer, and what it returns is cut', async () => {
  const seen: unknown[] = [];
  const served = await withHandlers({
    afterResponse: (answer) => {
      seen.push(answer.body);
      return { ...answer, body: { kind: 'json', value: { ...repo, name: 'changed' } } };
    },
  });
  const { words } = await served.call('read', { id: 1, fields: ['name', 'owner'] });
  expect(words).toBe('{"name":"changed","owner":{"login":"ann","id":1}}');
  expect(seen).toMatchObject([{ kind: 'json', value: repo }]);
  await served.close();
});

const closed = { ...User, additionalProperties: false };

test.each<[string, object, object, string]>([
  ['its example', { schema: closed, example: { login: 'ann', id: 7 } }, {}, '{"login":"ann","id":7}'],
  [
    'a sample in place of an example that has more',
    { schema: closed, example: ann },
    {},
    '{"login":"sample","id":1}',
  ],
])('--mock answers alike: %s', async (_says, content, args, want) => {
  const xMcp = { fields: true, output: { drop: ['mail'] } };
  const options: Partial<CompileOptions> = { outputSchema: 'strict' };
  const served = await serveDocument(one(xMcp, content), undefined, { isMock: true, options });
  expect((await served.call('read', { id: 1, ...args })).words).toBe(want);
  const unknown = await served.call('read', { id: 1, fields: ['mail'] });
  expect([unknown.isError, unknown.words]).toEqual([true, expect.stringMatching(/no member "mail"/)]);
  await served.close();
});

test('the tools that search pass the argument on', async () => {
  const served = await serveDocument(
    one(both, { schema: of('Repo') }),
    () => answerText({ says: '', body: repo }),
    { surface: 'search' },
  );
  const described = await served.call('describe_tool', { name: 'read' });
  expect(described.words).toMatch(/fields\?: string\[\]/);
  const called = await served.call('call_read_tool', { name: 'read', arguments: { id: 1, fields: ['id'] } });
  expect(called.words).toBe('{"id":7}');
  await served.close();
});
