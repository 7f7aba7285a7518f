// The five tools of the search surface: what they list, find and describe, whom they refuse, and that a called tool goes the same road.
import { readFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Feature } from '../../templates/runtime/feature.ts';
import { makeIndex } from '../../templates/runtime/features/search/search-index.ts';
import { isSurfaceTool, listSurfaceTools } from '../../templates/runtime/features/search/tools.ts';
import type { Server } from '../../templates/runtime/server.ts';
import type { Context, ExtraTool, ServerHandle, ToolInfo } from '../../templates/runtime/types.ts';
import { hello, makeHttpClient, meta, modern, modernHead, ready } from './client.ts';
import { makeClient, makeServer, type Parts } from './core.ts';
import { serve } from './http.ts';

const SURFACE = listSurfaceTools('', 0, false).map(({ name }) => name);
const HINTS = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { destructiveHint: true },
};

function tool(name: string, access: keyof typeof HINTS | undefined, description: string): ToolInfo {
  const inputSchema = {
    type: 'object',
    properties: { id: { type: 'integer', description: 'Number of the pet' } },
    required: ['id'],
    additionalProperties: false,
  };
  const listed = { name, title: description, description, inputSchema };
  return access === undefined ? listed : { ...listed, annotations: HINTS[access] };
}

const tools = [
  tool('get_pet', 'read', 'Read one pet'),
  tool('add_pet', 'write', 'Take in a pet'),
  tool('delete_pet', 'destructive', 'Remove a pet'),
  tool('groom', undefined, 'Groom an animal'),
  tool('close_shop', 'read', 'Audit of the closed shop'),
];
const all = tools.map(({ name }) => name);
const request = { kind: 'http', method: 'GET', path: '/pets/{id}', parameters: [] };

interface Result {
  content: { text: string }[];
  structuredContent?: { tools: { name: string; access: string; summary: string; signature?: string }[] };
  isError?: boolean;
  tools?: ToolInfo[];
}

interface Options extends Parts {
  pinned?: string[];
  isModern?: boolean;
}

async function open({ pinned = [], isModern = false, ...parts }: Options = {}) {
  const called: unknown[] = [];
  const handler = (name: string) => (args: unknown) => {
    called.push({ name, args });
    return `did ${name}`;
  };
  const listed = (parts.catalog as { tools?: ToolInfo[] } | undefined)?.tools ?? tools;
  const server = makeServer(
    {
      info: { name: 'pets', title: 'Pets', version: '1' },
      search: makeIndex(listed, pinned).print(),
      ...parts,
      catalog: { tools, ...parts.catalog },
      bindings: {
        tools: Object.fromEntries(listed.map(({ name }) => [name, { do: request }])),
        ...parts.bindings,
      },
      handlers: {
        tools: Object.fromEntries(listed.map(({ name }) => [name, handler(name)])),
        ...parts.handlers,
      },
      flags: { surface: 'search', ...parts.flags },
    },
    [],
  );
  await server.start();
  onTestFinished(() => server.close());
  const { send } = makeClient(server, []);
  if (!isModern) {
    await send(hello());
    await send(ready);
  }
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    const message = isModern ? modern(method, params, ++id) : { jsonrpc: '2.0', id: ++id, method, params };
    return (await send(message)) as { result: Result; error?: { code: number; message: string } };
  };
  const call = async (name: string, args: object) =>
    (await ask('tools/call', { name, arguments: args })).result;
  const words = async (name: string, args: object): Promise<string> => {
    const { content, isError } = await call(name, args);
    return `${isError === true ? 'error: ' : ''}${content.map(({ text }) => text).join('\n')}`;
  };
  return { server, ask, call, words, called };
}

const names = ({ tools: listed = [] }: Result): string[] => listed.map(({ name }) => name);

test.each<[string, Parts['flags'], string[], string[]]>([
  ['search', {}, [], SURFACE],
  ['search', {}, ['get_pet'], [...SURFACE, 'get_pet']],
  ['search', { pin: ['op:add_pet', 'op:groom'] }, [], [...SURFACE, 'add_pet', 'groom']],
  ['both', {}, [], [...SURFACE, ...all]],
  ['tools', {}, [], all],
  ['search', { 'read-only': true }, [], ['search_tools', 'describe_tool', 'call_read_tool']],
])('--surface %s with %j and pinned %j lists %j', async (surface, flags, pinned, want) => {
  for (const isModern of [false, true]) {
    const { ask } = await open({ pinned, isModern, flags: { surface, ...flags } });
    expect(names((await ask('tools/list')).result)).toEqual(want);
  }
});

test.each([
  [undefined, SURFACE, 200],
  ['search', SURFACE, 200],
  ['tools', all, 200],
  ['both', [], 404],
  ['constructor', [], 404],
])('over HTTP ?surface=%s lists %j', async (surface, want, status) => {
  const { server } = await open({ flags: { surface: 'search,tools', transport: 'http' } });
  const { url } = await serve({ server }, []);
  const { send } = makeHttpClient(url);
  const query = surface === undefined ? '' : `?surface=${surface}`;
  const head = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...modernHead('tools/list'),
  };
  const answer = await send('POST', `/mcp${query}`, head, JSON.stringify(modern('tools/list')));
  expect(answer.status).toBe(status);
  expect(names((answer.json.result ?? {}) as unknown as Result)).toEqual(want);
});

test('the list of the surface stays within 600 tokens, and has all hints of each tool', async () => {
  const { ask } = await open({ info: { name: 'x', title: 'A long title '.repeat(200), version: '1' } });
  const { tools: listed = [] } = (await ask('tools/list')).result;
  expect(JSON.stringify(listed).length / 4).toBeLessThanOrEqual(600);
  for (const { title, annotations } of listed) {
    expect(title).toBeTruthy();
    expect(Object.keys(annotations ?? {}).toSorted()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
  }
});

test('what is found has its access and its summary, the first its signature, in text as in structure', async () => {
  const { call } = await open();
  const { content, structuredContent } = await call('search_tools', { query: 'remove a pet' });
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  const [first, ...others] = structuredContent?.tools ?? [];
  expect(first).toEqual({
    name: 'delete_pet',
    access: 'destructive',
    summary: 'Remove a pet',
    signature: 'delete_pet(arguments: {\n  id: integer; // Number of the pet\n})',
  });
  expect(others.every(({ signature }) => signature === undefined)).toBe(true);
});

test('a title that repeats the name gives way to the description; characters stay whole', async () => {
  const inputSchema = { type: 'object' };
  const described = [
    { name: 'wipe_all', title: 'Wipe all', description: 'Empties the shop. For good.', inputSchema },
    { name: 'wipe_one', title: `Wipe${'😀'.repeat(60)}`, inputSchema },
  ];
  const { call } = await open({ catalog: { tools: described } });
  const { structuredContent } = await call('search_tools', { query: 'wipe' });
  const summaries = structuredContent?.tools.map(({ summary }) => summary) ?? [];
  expect(summaries).toContain('Empties the shop');
  expect(summaries).toContain(`Wipe${'😀'.repeat(53)}…`);
});

test.each([
  ['DELETE-PET', undefined, 'delete_pet'],
  ['deletePet', 1, 'delete_pet'],
  ['close_shop', 1, 'close_shop'],
])('the name %s finds its tool first, of %s', async (query, limit, want) => {
  const { call } = await open();
  const { structuredContent } = await call('search_tools', { query, ...(limit && { limit }) });
  expect(structuredContent?.tools[0]?.name).toBe(want);
  expect(structuredContent?.tools.length).toBeLessThanOrEqual(limit ?? 8);
});

test('a question without a match is answered with some names, or the groups', async () => {
  const { call } = await open();
  const { structuredContent } = await call('search_tools', { query: 'grom xyz' });
  expect(structuredContent).toMatchObject({ tools: [], names: all });
  const tagged = makeIndex(
    tools.map((listed) => ({ ...listed, tags: ['shop'] })),
    [],
  ).print();
  const grouped = await open({ search: tagged });
  const { structuredContent: other } = await grouped.call('search_tools', { query: 'xyz' });
  expect(other).toMatchObject({ tools: [], groups: ['shop (5)'] });
});

test.each<[string, object, string]>([
  ['call_read_tool', { name: 'get_pet', arguments: { id: 1 } }, 'did get_pet'],
  ['call_write_tool', { name: 'add_pet', arguments: { id: 1 } }, 'did add_pet'],
  ['call_destructive_tool', { name: 'delete_pet', arguments: { id: 1 } }, 'did delete_pet'],
  ['call_read_tool', { name: 'get_pet', arguments: '{"id":1}' }, 'did get_pet'],
  ['call_read_tool', { name: 'get_pet', arguments: { id: '1' } }, 'did get_pet'],
  ['get_pet', { id: 1 }, 'did get_pet'],
])('%s %j calls, in both eras', async (name, args, want) => {
  for (const isModern of [false, true]) {
    const { words, called } = await open({ isModern });
    expect(await words(name, args)).toBe(want);
    expect(called).toEqual([{ name: want.slice('did '.length), args: { id: 1 } }]);
  }
});

const signature = 'get_pet(arguments: {\n  id: integer; // Number of the pet\n})';
const notCalled = (name: string, by: string) =>
  new RegExp(`^error: ${name} was not called, .* Call it by ${by}\\.$`);

test.each<[string, object, string | RegExp]>([
  ['call_read_tool', { name: 'add_pet', arguments: { id: 1 } }, notCalled('add_pet', 'call_write_tool')],
  [
    'call_read_tool',
    { name: 'delete_pet', arguments: { id: 1 } },
    notCalled('delete_pet', 'call_destructive_tool'),
  ],
  [
    'call_read_tool',
    { name: 'get_pets', arguments: {} },
    'error: Unknown tool: get_pets. Did you mean "get_pet"? search_tools finds tools.',
  ],
  [
    'call_read_tool',
    { name: 'search_tools', arguments: { query: 'pet' } },
    'error: Call search_tools by its own name.',
  ],
  [
    'call_destructive_tool',
    { name: 'call_read_tool', arguments: { name: 'get_pet' } },
    'error: Call call_read_tool by its own name.',
  ],
  [
    'call_read_tool',
    { name: 'get_pet', id: 1 },
    /^error: The arguments of call_read_tool do not match[^]*`id`/,
  ],
  [
    'call_read_tool',
    { name: 'get_pet', arguments: [1] },
    /^error: The arguments of call_read_tool do not match/,
  ],
  [
    'call_read_tool',
    { name: 'get_pet', arguments: { ids: 1 } },
    new RegExp(`^error: The arguments of get_pet do not match[^]*${signature.replace(/[(){}?]/g, '\\$&')}$`),
  ],
  ['describe_tool', { name: 'nothing' }, 'error: Unknown tool: nothing. search_tools finds tools.'],
  ['describe_tool', { name: 'get_pet', path: '/body/x' }, 'error: There is nothing at /body/x. At /: id.'],
  ['search_tools', { query: 'pet', limit: 21 }, /^error: The arguments of search_tools do not match/],
])('%s %j is refused, and nothing is called', async (name, args, want) => {
  for (const isModern of [false, true]) {
    const { words, called } = await open({ isModern });
    if (typeof want === 'string') expect(await words(name, args)).toBe(want);
    else expect(await words(name, args)).toMatch(want);
    expect(called).toEqual([]);
  }
});

test('with --repair off, arguments are an object', async () => {
  const { words, called } = await open({ repairs: false });
  expect(await words('call_read_tool', { name: 'get_pet', arguments: '{"id":1}' })).toMatch(/^error: /);
  expect(await words('call_read_tool', { name: 'get_pet', arguments: null })).toMatch(/^error: /);
  expect(called).toEqual([]);
});

test('a description has the access, how to call, and the signature', async () => {
  const { words } = await open();
  expect(await words('describe_tool', { name: 'get_pet' })).toBe(
    `get_pet: read; call it by call_read_tool\nRead one pet\n${signature}`,
  );
  expect(await words('describe_tool', { name: 'get_pet', path: '/id' })).toBe(
    'get_pet /id: integer // Number of the pet',
  );
});

test.each<[string, Parts]>([
  ['the start leaves out', { flags: { exclude: ['op:delete_pet'] } }],
  ['--read-only leaves out', { flags: { 'read-only': true } }],
  [
    'another feature hides from the caller',
    {
      features: [
        {
          name: 'hiding',
          catalog: { list: (_, items) => items.filter((item) => (item as ToolInfo).name !== 'delete_pet') },
        } satisfies Feature,
      ],
    },
  ],
])('tools that %s are neither found nor described', async (_, parts) => {
  const { call, words, called } = await open(parts);
  const { structuredContent } = await call('search_tools', { query: 'delete_pet', limit: 20 });
  expect(structuredContent?.tools.map(({ name }) => name)).not.toContain('delete_pet');
  expect(structuredContent?.tools.map(({ name }) => name)).toContain('get_pet');
  expect(await words('describe_tool', { name: 'delete_pet' })).toContain('Unknown tool: delete_pet');
  expect(called).toEqual([]);
});

test('the audit log has the name and the arguments of the tool that was called', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-search-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'audit.jsonl');
  const { words, server } = await open({ flags: { audit: file } });
  await words('call_read_tool', { name: 'get_pet', arguments: { id: 1 } });
  await words('call_read_tool', { name: 'delete_pet', arguments: { id: 1 } });
  await server.close();
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { tool: 'get_pet', outcome: 'ok', arguments: { id: 'number' } },
    { tool: 'call_read_tool', outcome: 'tool-error', arguments: { name: 'string' } },
  ]);
});

test('a tool that is called by way of the surface may run as a task', async () => {
  const listed = {
    ...tool('get_pet', 'read', 'Read one pet'),
    execution: { taskSupport: 'required' as const },
  };
  const { ask } = await open({ catalog: { tools: [listed] } });
  const params = { name: 'call_read_tool', arguments: { name: 'get_pet', arguments: { id: 1 } } };
  expect((await ask('tools/call', params)).error?.message).toBe('The tool get_pet runs as a task only.');
  const { result } = await ask('tools/call', { ...params, task: {} });
  const { taskId } = (result as unknown as { task: { taskId: string } }).task;
  expect((await ask('tasks/result', { taskId })).result).toMatchObject({
    content: [{ text: 'did get_pet' }],
  });
});

test('headers of a modern request repeat the name that was sent', async () => {
  const { server, called } = await open();
  const { url } = await serve({ server }, []);
  const { post } = makeHttpClient(url);
  const params = { name: 'call_read_tool', arguments: { name: 'get_pet', arguments: { id: 1 } } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } };
  expect((await post(message, modernHead('tools/call', 'get_pet'))).status).toBe(400);
  expect((await post(message, modernHead('tools/call', 'call_read_tool'))).status).toBe(200);
  expect(called).toHaveLength(1);
});

test('a tool that code adds at run time is found and called, until it is removed', async () => {
  const { server, call, words } = await open({ handlers: { started: () => undefined } });
  const handle = server.parts<(of: Server) => ServerHandle>('handle')['changes']?.(server);
  if (handle === undefined) throw new Error('no handle');
  const find = async () =>
    (await call('search_tools', { query: 'feed the python' })).structuredContent?.tools[0]?.name;
  expect(await find()).not.toBe('feed_snake');
  const added = { name: 'feed_snake', description: 'Feed the python', inputSchema: { type: 'object' } };
  handle.addTool({ ...added, handler: () => 'fed' });
  expect(await find()).toBe('feed_snake');
  expect(await words('call_destructive_tool', { name: 'feed_snake' })).toBe('fed');
  handle.removeTool('feed_snake');
  expect(await words('call_destructive_tool', { name: 'feed_snake' })).toContain('Unknown tool: feed_snake');
});

test('the names of the five are reserved', async () => {
  const extraTools = [{ ...tool('search_tools', 'read', ''), handler: () => '' }];
  await expect(open({ handlers: { extraTools } })).rejects.toThrow('search_tools needs another name');
  expect(SURFACE.every(isSurfaceTool)).toBe(true);
});

test('code calls tools of the surface as clients do', async () => {
  const relay = (name: string, target: string): ExtraTool => ({
    name,
    inputSchema: { type: 'object' },
    handler: (_, context: Context) => context.call('call_read_tool', { name: target, arguments: { id: 1 } }),
  });
  const extraTools = [relay('relay', 'get_pet'), relay('sneak', 'delete_pet')];
  const { words, called } = await open({ handlers: { extraTools } });
  expect(await words('call_destructive_tool', { name: 'relay' })).toBe('did get_pet');
  expect(await words('call_destructive_tool', { name: 'sneak' })).toContain('delete_pet was not called');
  expect(called).toEqual([{ name: 'get_pet', args: { id: 1 } }]);
});

test.each<[NonNullable<Parts['flags']>, string]>([
  [{ surface: 'all' }, '--surface must be tools, search, both'],
  [{ surface: 'tools,search' }, 'over HTTP only'],
  [{ surface: 'both', pin: ['op:get_pet'] }, '--pin goes with --surface search'],
  [{ pin: ['op:get_pets'] }, 'matches nothing. Did you mean op:get_pet?'],
])('%j is refused', async (flags, message) => {
  await expect(open({ flags })).rejects.toThrow(message);
});
