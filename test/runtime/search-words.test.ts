// What questions find, and the arguments of what was found as a short type: which is first, what is shown, what is cut.
import { beforeAll, expect, test } from 'vitest';
import { type IndexedTool, makeIndex } from '../../templates/runtime/features/search/search-index.ts';
import type { Schema, SchemaObject } from '../../templates/runtime/types.ts';
import { hello, ready } from './client.ts';
import { makeClient, makeServer } from './core.ts';

function tool(operation: string, description: string, more: Partial<IndexedTool> = {}): IndexedTool {
  const [method = '', path = ''] = operation.split(' ');
  return {
    name: operation.replaceAll(/\W+/g, '_'),
    description,
    inputSchema: { type: 'object', properties: {} },
    binding: { kind: 'http', method, path, parameters: [] },
    ...more,
  };
}

/** Calls tools of the search surface. */
async function open(tools: IndexedTool[]) {
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const server = makeServer(
    {
      search: makeIndex(tools, []).print(),
      catalog: { tools: listed },
      bindings: { tools: Object.fromEntries(tools.map(({ name, binding }) => [name, { do: binding }])) },
      flags: { surface: 'search' },
    },
    [],
  );
  await server.start();
  const { send } = makeClient(server, []);
  await send(hello());
  await send(ready);
  let id = 0;
  return async (name: string, args: object) => {
    const params = { name, arguments: args };
    const reply = await send({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params });
    return (reply as { result: { content: { text: string }[]; structuredContent?: unknown } }).result;
  };
}

type Call = Awaited<ReturnType<typeof open>>;

async function find(call: Call, query: string): Promise<string[]> {
  const { structuredContent } = await call('search_tools', { query, limit: 20 });
  return (structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

let call: Call;
beforeAll(async () => {
  call = await open([
    tool('GET /invoices', 'List invoices'),
    tool('POST /invoices', 'Create an invoice'),
    tool('GET /invoices/{id}', 'Retrieve an invoice'),
    tool('PATCH /invoices/{id}', 'Update an invoice'),
    tool('DELETE /invoices/{id}', 'Delete an invoice'),
    tool('GET /invoices/{id}/lines', 'List the lines of an invoice'),
    tool('POST /invoices/{id}/approvals', 'Create an approval'),
    tool('GET /playlists', 'List playlists'),
    tool('GET /me/playlists', 'List playlists of the current user'),
    tool('DELETE /webhooks/{id}', 'Delete a webhook'),
    tool('GET /leases', 'List leases', { about: 'A lock for the election of a leader.' }),
    tool('GET /account', 'Retrieve the account'),
    tool('DELETE /session', 'End the session'),
    tool('GET /plugins', 'List plugins'),
    tool('GET /issuetypeschemes', 'List all'),
    tool('GET /settings', 'Retrieve the settings'),
  ]);
});
const nameOf = (operation: string): string => operation.replaceAll(/\W+/g, '_');

test.each([
  ['list invoices', 'GET /invoices'],
  ['create an invoice', 'POST /invoices'],
  ['show one invoice', 'GET /invoices/{id}'],
  ['throw the invoice away', 'DELETE /invoices/{id}'],
  ['please delete that invoice', 'DELETE /invoices/{id}'],
  // Other words, other forms, and words that are one.
  ['show me that bill', 'GET /invoices/{id}'],
  ['delete the web hook', 'DELETE /webhooks/{id}'],
  ['who is the leader', 'GET /leases'],
  ['what issue type schemes are there', 'GET /issuetypeschemes'],
  // Words that mean another together, and what somebody no longer wants.
  ['how many bills are there', 'GET /invoices'],
  ["we don't need the invoice", 'DELETE /invoices/{id}'],
])('%s: %s', async (question, want) => {
  expect((await find(call, question))[0]).toBe(nameOf(want));
});

test.each([
  ['未付款的订单', 'GET /orders'],
  ['ユーザーの一覧を見たい', 'GET /users'],
])('scripts without spaces: %s', async (question, want) => {
  const unspaced = [
    tool('GET /orders', '查询所有未付款的订单并按日期排序'),
    tool('GET /users', 'APIユーザーの一覧を新しい順に取得します'),
  ];
  expect((await find(await open(unspaced), question))[0]).toBe(nameOf(want));
});

test('a question is answered by tools that read before those that delete, an order by those that write', async () => {
  const names = await find(call, 'is the webhook or the invoice there');
  expect(names.at(-1)).toMatch(/^(?:DELETE|PATCH|POST)_/);
  expect(names.indexOf('GET_invoices_id_')).toBeLessThan(names.indexOf('DELETE_invoices_id_'));
  expect((await find(call, 'adjust the invoice'))[0]).toMatch(/^(?:POST|PATCH)_/);
  expect(await find(call, 'quux')).toEqual([]);
});

// The arguments of a tool.

async function describeTool(inputSchema: SchemaObject, path?: string): Promise<string> {
  const ask = await open([tool('GET /t', 'T', { name: 't', inputSchema })]);
  const { content } = await ask('describe_tool', { name: 't', ...(path !== undefined && { path }) });
  return content.map(({ text }) => text).join('\n');
}

test.each<[string, Schema, string]>([
  ['any', true, 'any;'],
  ['a choice', { enum: ['a', 'b'] }, '"a" | "b";'],
  ['a list or null', { type: ['array', 'null'], items: { type: 'string' } }, 'string[] | null;'],
  ['a list', { type: 'array', items: { type: 'string' } }, 'string[];'],
  [
    'facts',
    { type: 'integer', minimum: 1, maximum: 9, default: 2, description: 'How\n many' },
    'integer; // How many; default 2; from 1; to 9',
  ],
  [
    'a list of objects of two kinds',
    {
      type: 'array',
      items: { anyOf: [{ properties: { a: { const: '|}' } } }, { properties: { b: true } }] },
    },
    '({ a?: "|}" } | { b?: any })[];',
  ],
  [
    'a tuple with more items',
    { prefixItems: [{ type: 'string' }], items: { enum: [1, 2] } },
    '[string, ...(1 | 2)[]];',
  ],
  [
    'an object with other members',
    { type: 'object', properties: { a: true }, additionalProperties: { type: 'integer' } },
    '{ a?: any; [key]: integer };',
  ],
  [
    'members whose names have a pattern',
    { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    '{ [/^x-/]: string };',
  ],
  [
    'alternatives in a part',
    {
      allOf: [
        { properties: { a: true } },
        { anyOf: [{ properties: { b: true } }, { properties: { c: true } }] },
      ],
    },
    '{ a?: any } & ({ b?: any } | { c?: any });',
  ],
  [
    'alternatives that only bound',
    { type: 'string', anyOf: [{ minLength: 2 }, { pattern: 'a' }] },
    'string;',
  ],
  ['a strange key', { type: 'object', properties: { 'a b': true } }, '{ "a b"?: any };'],
])('%s', async (_, schema, want) => {
  const text = await describeTool({ type: 'object', properties: { x: schema as SchemaObject } });
  expect(text).toContain(`t(arguments: {\n  x?: ${want}\n})`);
});

const node: SchemaObject = {
  type: 'object',
  properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string', description: 'Its name' } },
};
const root: SchemaObject = {
  type: 'object',
  properties: {
    body: { $ref: '#/$defs/node' },
    list: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'string' }] } },
    map: { type: 'object', additionalProperties: { type: 'integer' } },
    pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    'a/b': { type: 'string' },
  },
  $defs: { node },
};

test.each([
  ['/body', 'next?: { next?: { next?: { next?: {…}; name?: string }; name?: string }; name?: string };'],
  ['/list/*/name', 'string // Its name'],
  ['/pair/1', 'integer'],
  ['/pair/*', 'string | integer'],
  ['/a~1b', 'string'],
  ['/nobody', 'There is nothing at /nobody. Did you mean /body? At /: body, list, map, pair, a/b.'],
  ['/body/nam/first', 'There is nothing at /body/nam/first. Did you mean /body/name? At /body: next, name.'],
  ['/__proto__', 'There is nothing at /__proto__. At /: body, list, map, pair, a/b.'],
])('the path %s leads to %j', async (path, want) => {
  expect(await describeTool(root, path)).toContain(want);
});

/** Each object has five of the next level. */
function deep(levels: number): SchemaObject {
  if (levels === 0) return { type: 'string', description: 'A description of one of many members'.repeat(5) };
  const members = ['a', 'b', 'c', 'd', 'e'].map((name) => [name, deep(levels - 1)] as const);
  return { type: 'object', properties: Object.fromEntries(members) };
}

test('whatever the schema, a description has a bounded length, and the required argument', async () => {
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`argument_${at}`, deep(3)]));
  const values = Array.from({ length: 9_000 }, (_, at) => `value ${at}`);
  for (const properties of [{ body: deep(6) }, wide, { e: { enum: values } }]) {
    const [name = ''] = Object.keys(properties);
    const text = await describeTool({ type: 'object', properties, required: [name] });
    expect(text.length).toBeLessThan(9_000);
    expect(text).toContain(name);
  }
});

const Filter = {
  oneOf: ['and', 'or', 'not'].map((op) => ({
    type: 'object',
    properties: { op: { const: op }, args: { type: 'array', items: { $ref: '#/$defs/Filter' } } },
  })),
};

test('a path of many steps is refused, and one through a schema that contains itself three times ends', async () => {
  const inputSchema = {
    type: 'object',
    properties: { filter: { $ref: '#/$defs/Filter' } },
    $defs: { Filter },
  } as SchemaObject;
  expect(await describeTool(inputSchema, `/filter${'/args/0'.repeat(19)}/op`)).toContain(
    '"and" | "or" | "not"',
  );
  expect(await describeTool(inputSchema, `/filter${'/args/0'.repeat(130)}`)).toContain('at most 40 steps');
});
