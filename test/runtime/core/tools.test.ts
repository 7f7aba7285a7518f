import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { ListedTool } from '../../../templates/runtime/contract/json-schema.ts';
import { openServer, type ServerParts } from './harness.ts';
import { type FakeApi, startApi } from './upstream-fake.ts';

const pet: ListedTool = {
  name: 'get_pet',
  inputSchema: {
    type: 'object',
    properties: { petId: { type: 'integer' }, filter: { type: 'object' } },
    required: ['petId'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      tags: { type: 'array', items: { type: 'object', properties: { n: { type: 'string' } } } },
    },
  },
};

const get = (path: string, more: Partial<HttpBinding> = {}): HttpBinding => ({
  kind: 'http',
  method: 'GET',
  path,
  parameters: [],
  ...more,
});

const petBinding = get('/pets/{petId}', { parameters: [{ argument: 'petId', name: 'petId', in: 'path' }] });

let api: FakeApi;
const answers = new Map<string, { status?: number; json?: unknown; text?: string }>();
beforeAll(async () => {
  api = await startApi((target) => answers.get(target) ?? { status: 404, json: { message: 'no such pet' } });
});
afterAll(() => api.close());

const withApi = (more: ServerParts = {}): ServerParts => ({
  catalog: { tools: [pet] },
  bindings: { upstream: { servers: [], securitySchemes: {} }, tools: { get_pet: { do: petBinding } } },
  baseUrl: api.url,
  ...more,
});

test('a call is one request, and its answer text and structure', async () => {
  answers.set('GET /pets/1', { json: { id: 1, extra: true } });
  const { result } = await (
    await openServer(withApi())
  ).ask('tools/call', { name: 'get_pet', arguments: { petId: 1 } });
  expect(result).toEqual({
    content: [{ type: 'text', text: '{"id":1,"extra":true}' }],
    structuredContent: { id: 1, extra: true },
  });
});

test('an API that can not be reached is a tool error', async () => {
  const server = await openServer(withApi({ baseUrl: undefined }));
  const { result } = await server.ask('tools/call', { name: 'get_pet', arguments: { petId: 1 } });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('API_BASE_URL') }],
  });
  expect(server.reported).toEqual([]);
});

test('arguments written as JSON texts are read where the schema wants objects', async () => {
  let got: unknown;
  const handlers = { tools: { get_pet: (args: object) => void (got = args) } };
  const server = await openServer(withApi({ handlers }));
  await server.ask('tools/call', { name: 'get_pet', arguments: { petId: 1, filter: '{"a":"{}"}' } });
  expect(got).toEqual({ petId: 1, filter: { a: '{}' } });
});

test('an override takes the place of the request', async () => {
  const before = api.requests.length;
  const handlers = { tools: { get_pet: () => ({ id: 5 }) } };
  const server = await openServer(withApi({ handlers }));
  expect((await server.ask('tools/call', { name: 'get_pet', arguments: { petId: 1 } })).result).toEqual({
    content: [{ type: 'text', text: '{"id":5}' }],
    structuredContent: { id: 5 },
  });
  expect(api.requests).toHaveLength(before);
});

const strict: ListedTool = {
  name: 'get_pet',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
};
const wrapping: ListedTool = {
  name: 'get_pet',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { result: { type: 'array', items: { type: 'integer' } } } },
};
const loose: ListedTool = {
  ...strict,
  outputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
};
const note = (fault: string) => ({
  type: 'text',
  text: `This is an error because the answer does not match the output schema of get_pet: ${fault}.`,
});

test.each<[string, ListedTool, unknown, object]>([
  [
    'a text',
    loose,
    'hello',
    { content: [{ type: 'text', text: 'hello' }, note('The answer is no object')], isError: true },
  ],
  ['nothing', loose, undefined, { content: [note('The answer is no object')], isError: true }],
  [
    'content alone',
    loose,
    { content: [{ type: 'text', text: 'b' }] },
    { content: [{ type: 'text', text: 'b' }, note('The answer is no object')], isError: true },
  ],
  [
    'an object of which nothing fits',
    loose,
    { id: 'one' },
    {
      content: [{ type: 'text', text: '{"id":"one"}' }, { text: expect.stringContaining('`id`') }],
      isError: true,
    },
  ],
  [
    'an object of which a part fits',
    loose,
    { id: 'one', name: 'Rex' },
    {
      content: [{ type: 'text', text: '{"id":"one","name":"Rex"}' }],
      structuredContent: { name: 'Rex', _response: { drifted: { '/id': 'one' } } },
    },
  ],
  [
    'an object that lacks what is required',
    strict,
    { name: 'Rex' },
    {
      content: [{ type: 'text', text: '{"name":"Rex"}' }, { text: expect.stringContaining('`id`') }],
      isError: true,
    },
  ],
  [
    'a text where a list is wrapped',
    wrapping,
    'hello',
    {
      content: [{ type: 'text', text: 'hello' }, { text: expect.stringContaining('`result`') }],
      isError: true,
    },
  ],
])('a handler that answers %s for an output schema is told of it once', async (_, tool, returned, want) => {
  const handlers = { tools: { get_pet: () => returned } };
  const server = await openServer({ catalog: { tools: [tool] }, handlers });
  for (let count = 0; count < 2; count++) {
    const { result } = await server.ask('tools/call', { name: 'get_pet' });
    expect(result).toMatchObject(want);
    expect(Object.keys(result ?? {}).sort()).toEqual(Object.keys(want).sort());
  }
  expect(server.reported).toEqual([expect.stringContaining('The code of get_pet does not answer')]);
});

test.each<[string, unknown]>([
  ['an object that matches', { id: 1 }],
  ['a result that matches', { content: [], structuredContent: { id: 1 } }],
  ['an error', { content: [{ type: 'text', text: 'no' }], isError: true }],
])('a handler that answers %s for an output schema is told nothing', async (_, returned) => {
  const handlers = { tools: { get_pet: () => returned } };
  const server = await openServer({ catalog: { tools: [strict] }, handlers });
  await server.ask('tools/call', { name: 'get_pet' });
  expect(server.reported).toEqual([]);
});

test('hooks see the request and the answer, and what they throw is a tool error', async () => {
  answers.set('GET /pets/1', { json: { id: 1 } });
  answers.set('GET /pets/1?extra=1', { json: { id: 2 } });
  const handlers = {
    beforeRequest: ({ url }: { url: URL }) => url.searchParams.set('extra', '1'),
    afterResponse: () => undefined,
  };
  const server = await openServer(withApi({ handlers }));
  const call = { name: 'get_pet', arguments: { petId: 1 } };
  expect((await server.ask('tools/call', call)).result).toMatchObject({ structuredContent: { id: 2 } });
  const refusing = await openServer(
    withApi({
      handlers: {
        beforeRequest: ({ tool }: { tool?: string }) => {
          throw new Error(`no ${tool ?? 'tool'} today`);
        },
      },
    }),
  );
  expect((await refusing.ask('tools/call', call)).result).toEqual({
    content: [{ type: 'text', text: 'no get_pet today' }],
    isError: true,
  });
});

const block = { type: 'text' as const, text: 'b' };
test.each([
  ['a text', 'hello', { content: [{ type: 'text', text: 'hello' }] }],
  ['nothing', undefined, { content: [] }],
  ['a number', 7, { content: [{ type: 'text', text: '7' }] }],
  ['an object', { a: 1 }, { content: [{ type: 'text', text: '{"a":1}' }] }],
  ['an empty array', [], { content: [{ type: 'text', text: '[]' }] }],
  ['a block', block, { content: [block] }],
  ['blocks', [block, block], { content: [block, block] }],
  ['a result', { content: [block], isError: true }, { content: [block], isError: true }],
  [
    'data with a type',
    { type: 'text', size: 3 },
    { content: [{ type: 'text', text: '{"type":"text","size":3}' }] },
  ],
  ['data with content', { content: ['x'] }, { content: [{ type: 'text', text: '{"content":["x"]}' }] }],
])('a handler may return %s', async (_, returned, want) => {
  const handlers = {
    extraTools: [{ name: 'x', inputSchema: { type: 'object' as const }, handler: () => returned }],
  };
  const server = await openServer({ handlers });
  expect((await server.ask('tools/call', { name: 'x' })).result).toEqual(want);
});

const change: ListedTool = {
  name: 'change',
  inputSchema: {
    type: 'object',
    properties: { size: { type: 'integer' }, owner: { type: 'object' } },
    additionalProperties: false,
  },
};

function changing(more: ServerParts = {}): ServerParts {
  const readOnly = { names: ['id'], properties: { owner: { names: ['id'] } } };
  const properties = ['size', 'owner'].map((name) => ({ argument: name, name }));
  const work = get('/', {
    method: 'POST',
    body: { kind: 'json', mediaType: 'application/json', properties, readOnly },
    parameters: [{ argument: 'team', name: 'team', in: 'query' }],
    known: { team: { env: 'TEAM' } },
  });
  return withApi({
    catalog: { tools: [change] },
    bindings: { upstream: { servers: [], securitySchemes: {} }, tools: { change: { do: work } } },
    env: { TEAM: 'a b' },
    ...more,
  });
}

const callChange = async (args: object, more: ServerParts = {}) => {
  answers.set('POST /?team=a%20b', { json: {} });
  const { result } = await (
    await openServer(changing(more))
  ).ask('tools/call', { name: 'change', arguments: args });
  return { isError: result?.['isError'] === true, text: JSON.stringify(result?.['content']) };
};

test('read-only members that a model gives back are accepted', async () => {
  expect(await callChange({ id: 7, size: 1, owner: { id: 8 } })).toMatchObject({ isError: false });
  expect(await callChange({ di: 7 })).toMatchObject({ isError: true, text: expect.stringContaining('di') });
});

test('--repair off refuses what a repair would accept', async () => {
  expect(await callChange({ size: '1', owner: '{"id":8}' })).toMatchObject({ isError: false });
  expect(await callChange({ size: null })).toMatchObject({ isError: false });
  for (const args of [{ size: '1' }, { size: null }])
    expect(await callChange(args, { repairs: false })).toMatchObject({ isError: true });
  expect(await callChange({ id: 7 }, { repairs: false })).toMatchObject({ isError: false });
});

test('a variable of an argument that is not set is an error that names it', async () => {
  const { isError, text } = await callChange({ size: 1 }, { env: {} });
  expect(isError).toBe(true);
  expect(text).toContain('Set TEAM in the environment of this server.');
});
