// The five tools of the search surface: what they list, find and describe, whom they refuse, and that a called tool goes the same road.
import { expect, onTestFinished, test, vi } from 'vitest';
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import type { Bindings, HttpBinding } from '../../../templates/runtime/contract/bindings.ts';
import {
  type Catalog,
  type ListedTool,
  SURFACE_TOOLS,
  type SurfaceName,
} from '../../../templates/runtime/contract/json-schema.ts';
import { printIndex } from '../../../templates/runtime/contract/search-index.ts';
import type { Audit, RequestContext } from '../../../templates/runtime/core/call.ts';
import { createServer } from '../../../templates/runtime/core/server-instance.ts';
import { createServerHandle } from '../../../templates/runtime/main/own-code.ts';
import { Channel, Session } from '../../../templates/runtime/core/session.ts';
import type { ExtraTool, Handlers } from '../../../templates/runtime/definition.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { createAudit } from '../../../templates/runtime/audit/open-audit.ts';
import * as oauth from '../../../templates/runtime/oauth/index.ts';
import { readReceived } from '../../../templates/runtime/protocol/json-rpc.ts';
import { META } from '../../../templates/runtime/protocol/revisions.ts';
import { SearchIndex } from '../../../templates/runtime/search/open-index.ts';
import { openSurface } from '../../../templates/runtime/search/index.ts';
import { makeSurfaceTools } from '../../../templates/runtime/search/tools.ts';
import { callerOf } from '../../support/caller.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { hello, newCatalog } from '../core/harness.ts';

const hints = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { destructiveHint: true },
};

function tool(name: string, access: keyof typeof hints | undefined, description: string): ListedTool {
  const inputSchema = {
    type: 'object' as const,
    properties: { id: { type: 'integer' as const, description: 'Number of the pet' } },
    required: ['id'],
    additionalProperties: false,
  };
  const listed = { name, title: description, description, inputSchema };
  return access === undefined ? listed : { ...listed, annotations: hints[access] };
}

const tools = [
  tool('get_pet', 'read', 'Read one pet'),
  tool('add_pet', 'write', 'Take in a pet'),
  tool('delete_pet', 'destructive', 'Remove a pet'),
  tool('groom', undefined, 'Groom an animal'),
  tool('close_shop', 'read', 'Audit of the closed shop'),
];

const request: HttpBinding = { kind: 'http', method: 'GET', path: '/pets/{id}', parameters: [] };
const bindings = Object.fromEntries(
  tools.map(({ name }) => [name, { do: request, ...(name === 'close_shop' ? { scopes: ['admin'] } : {}) }]),
) as Bindings['tools'];

interface Options {
  surfaces?: readonly SurfaceName[];
  catalog?: Partial<Catalog>;
  handlers?: Handlers<object>;
  scopes?: string[];
  audit?: Audit;
  isModern?: boolean;
  endpoint?: SurfaceName;
  pinned?: string[];
  repairs?: boolean;
  headers?: (name: string) => string | undefined;
}

interface Result {
  content: { text: string }[];
  structuredContent?: { tools: { name: string; access: string; summary: string; signature?: string }[] };
  isError?: boolean;
  tools?: ListedTool[];
}

async function open(options: Options = {}) {
  const called: unknown[] = [];
  const handler = (name: string) => (args: unknown) => {
    called.push({ name, args });
    return `did ${name}`;
  };
  const own = Object.fromEntries(tools.map(({ name }) => [name, handler(name)]));
  const reported: unknown[] = [];
  const server = createServer({
    definition: {
      info: { name: 'pets', title: 'Pets', version: '1' },
      features: allFeatures,
      handlers: { tools: own, ...options.handlers },
      ...(options.scopes === undefined ? {} : { auth: { runtime: () => Promise.resolve(oauth) } }),
    },
    catalog: newCatalog({ tools, ...options.catalog }),
    readBindings: () =>
      JSON.stringify({ tools: bindings, resources: {}, resourceTemplates: {}, prompts: {}, completions: [] }),
    env: {},
    limits: DEFAULT_LIMITS,
    audit: options.audit,
    ...(options.repairs === undefined ? {} : { repairs: options.repairs }),
    report: (thrown) => reported.push(thrown),
  });
  const { surfaces = ['search'] } = options;
  server.surface = openSurface(server, surfaces, printIndex(tools, options.pinned ?? []));
  const core = createCheckedCore(server);
  const session = new Session('info', undefined, options.endpoint);
  const isModern = options.isModern === true;
  const context: RequestContext = {
    channel: isModern ? new Channel(undefined, options.endpoint) : session,
    session: isModern ? undefined : session,
    caller: options.scopes && callerOf('alice', options.scopes),
    send: async () => undefined,
    ...(options.headers === undefined ? {} : { headers: options.headers }),
  };
  let id = 0;
  const send = async (method: string, given: object) => {
    const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} };
    const params = isModern ? { ...given, _meta } : given;
    const answer = await core(readReceived({ jsonrpc: '2.0', id: ++id, method, params }), context);
    if (answer === undefined || Array.isArray(answer)) throw new Error('not answered by one message');
    return answer;
  };
  if (!isModern) {
    await send('initialize', hello('2025-11-25'));
    await core(readReceived({ jsonrpc: '2.0', method: 'notifications/initialized' }), context);
  }
  const ask = async (method: string, params: object): Promise<Result> => {
    const answer = await send(method, params);
    if (answer.kind === 'error') throw new Error(answer.message);
    return JSON.parse(
      [answer.result]
        .flat()
        .map((part) => (typeof part === 'string' ? part : part.text))
        .join(''),
    ) as Result;
  };
  const call = async (name: string, args: object) => ask('tools/call', { name, arguments: args });
  const words = async (name: string, args: object): Promise<string> => {
    const { content, isError } = await call(name, args);
    return `${isError === true ? 'error: ' : ''}${content.map(({ text }) => text).join('\n')}`;
  };
  return { server, send, ask, call, words, called, reported };
}

const names = ({ tools: listed = [] }: Result): string[] => listed.map(({ name }) => name);
const all = tools.map(({ name }) => name);

test.each<[SurfaceName[], SurfaceName | undefined, string[], string[]]>([
  [['search'], undefined, [], [...SURFACE_TOOLS]],
  [['search'], undefined, ['get_pet'], [...SURFACE_TOOLS, 'get_pet']],
  [['both'], undefined, [], [...SURFACE_TOOLS, ...all]],
  [['search', 'tools'], undefined, [], [...SURFACE_TOOLS]],
  [['search', 'tools'], 'tools', [], all],
  [['tools', 'both'], 'both', [], [...SURFACE_TOOLS, ...all]],
])('%j lists, at the endpoint %s and pinned %j: %j', async (surfaces, endpoint, pinned, want) => {
  for (const isModern of [false, true]) {
    const { ask } = await open({
      surfaces,
      pinned,
      isModern,
      ...(endpoint === undefined ? {} : { endpoint }),
    });
    expect(names(await ask('tools/list', {}))).toEqual(want);
  }
});

test('the list of the surface stays within 600 tokens, and says all hints of each tool', async () => {
  const { ask } = await open();
  const { tools: listed = [] } = await ask('tools/list', {});
  expect(JSON.stringify(listed).length / 4).toBeLessThanOrEqual(600);
  expect(
    JSON.stringify(makeSurfaceTools('A long title '.repeat(200), 99, false)).length / 4,
  ).toBeLessThanOrEqual(600);
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

test('what is found says its access and its summary, the first with its signature, in text as in structure', async () => {
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
  const inputSchema = { type: 'object' as const };
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

test('where no tool searches, none is named: a tool is described for calling it by its own name', async () => {
  const { words, call, called } = await open({ surfaces: ['tools'], catalog: { describes: true } });
  expect(await words('describe_tool', { name: 'add_pet' })).toMatch(
    /^add_pet: write; call it by its own name\n/,
  );
  expect(await words('describe_tool', { name: 'nothing' })).toBe('error: Unknown tool: nothing.');
  await expect(call('call_destructive_tool', { name: 'get_pet', arguments: { id: 1 } })).rejects.toThrow(
    'Unknown tool: call_destructive_tool',
  );
  expect(called).toEqual([]);
});

test.each([
  ['delete_pet', undefined, 'delete_pet'],
  ['DELETE-PET', undefined, 'delete_pet'],
  ['deletePet', 1, 'delete_pet'],
  ['close_shop', 1, 'close_shop'],
])('the name %s finds its tool first, of %s', async (query, limit, want) => {
  const { call } = await open();
  const { structuredContent } = await call(
    'search_tools',
    limit === undefined ? { query } : { query, limit },
  );
  expect(structuredContent?.tools[0]?.name).toBe(want);
  expect(structuredContent?.tools.length).toBeLessThanOrEqual(limit ?? 8);
});

test('a question without a match is answered with the nearest words and some names', async () => {
  const { call } = await open();
  const { structuredContent } = await call('search_tools', { query: 'grom xyz' });
  expect(structuredContent).toMatchObject({ tools: [], words: ['groom'], names: all });
});

test('near words are sought for the first 20 of a question', async () => {
  const { call } = await open();
  const strange = Array.from({ length: 30 }, (_, at) => `gr${'qvwxz'.repeat(2)}${at}`);
  const sought = vi.spyOn(SearchIndex.prototype, 'wordsBeginningWith');
  const ask = async (words: string[]) => {
    sought.mockClear();
    const { structuredContent } = await call('search_tools', { query: words.join(' ') });
    return [structuredContent, sought.mock.calls.filter(([, most]) => most === 400).length];
  };
  expect(await ask([...strange.slice(0, 19), 'grom'])).toEqual([
    expect.objectContaining({ words: ['groom'] }),
    40,
  ]);
  expect(await ask([...strange, 'grom'])).toEqual([expect.objectContaining({ words: [] }), 40]);
  vi.restoreAllMocks();
});

test.each<[string, object, string]>([
  ['call_read_tool', { name: 'get_pet', arguments: { id: 1 } }, 'did get_pet'],
  ['call_write_tool', { name: 'get_pet', arguments: { id: 1 } }, 'did get_pet'],
  ['call_write_tool', { name: 'add_pet', arguments: { id: 1 } }, 'did add_pet'],
  ['call_destructive_tool', { name: 'get_pet', arguments: { id: 1 } }, 'did get_pet'],
  ['call_destructive_tool', { name: 'delete_pet', arguments: { id: 1 } }, 'did delete_pet'],
  ['call_destructive_tool', { name: 'groom', arguments: { id: 1 } }, 'did groom'],
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

test.each([
  ['close_shop', null, { repairs: true, called: [{}] }],
  ['get_pet', '{"id":1}', { repairs: true, called: [{ id: 1 }] }],
  ['close_shop', null, { repairs: false, called: [] }],
  ['get_pet', '{"id":1}', { repairs: false, called: [] }],
  ['get_pet', 'no json', { repairs: true, called: [] }],
])('arguments of %s as %j: %j, in one line of the audit log', async (name, given, want) => {
  const lines: string[] = [];
  const log = { add: (line: string) => lines.push(line) };
  const audit = createAudit({ server: 'pets', log, show: (args) => args, now: () => 0 });
  const handlers = { tools: {}, extraTools: [] as ExtraTool[] };
  const called: unknown[] = [];
  for (const { name: own, annotations } of tools)
    handlers.extraTools.push({
      ...{
        name: `own_${own}`,
        annotations: annotations ?? {},
        inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
      },
      handler: (args) => (called.push(args), 'done'),
    });
  const { words } = await open({ audit, repairs: want.repairs, handlers });
  await words('call_read_tool', { name: `own_${name}`, arguments: given });
  expect(called).toEqual(want.called);
  const tool = want.called.length > 0 ? `own_${name}` : 'call_read_tool';
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ tool }]);
});

const signature = 'get_pet(arguments: {\n  id: integer; // Number of the pet\n})';

test.each<[string, object, string | RegExp]>([
  [
    'call_read_tool',
    { name: 'add_pet', arguments: { id: 1 } },
    /^error: add_pet was not called, .* Call it by call_write_tool\.$/,
  ],
  [
    'call_read_tool',
    { name: 'delete_pet', arguments: { id: 1 } },
    /^error: delete_pet was not called, .* call_destructive_tool\.$/,
  ],
  [
    'call_read_tool',
    { name: 'groom', arguments: { id: 1 } },
    /^error: groom was not called, .* call_destructive_tool\.$/,
  ],
  [
    'call_write_tool',
    { name: 'delete_pet', arguments: { id: 1 } },
    /^error: delete_pet was not called, .* call_destructive_tool\.$/,
  ],
  [
    'call_write_tool',
    { name: 'groom', arguments: { id: 1 } },
    /^error: groom was not called, .* call_destructive_tool\.$/,
  ],
  [
    'call_read_tool',
    { name: 'get_pets', arguments: {} },
    'error: Unknown tool: get_pets. Did you mean "get_pet"? search_tools finds tools.',
  ],
  [
    'call_destructive_tool',
    { name: '__proto__' },
    'error: Unknown tool: __proto__. search_tools finds tools.',
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
    /^error: The arguments of call_read_tool do not match[^]*`id` is not a known property/,
  ],
  [
    'call_read_tool',
    { name: 'get_pet', arguments: [1] },
    /^error: The arguments of call_read_tool do not match/,
  ],
  [
    'call_read_tool',
    { arguments: {} },
    /^error: The arguments of call_read_tool do not match[^]*`name` is required/,
  ],
  [
    'call_read_tool',
    { name: 'get_pet', arguments: { ids: 1 } },
    new RegExp(`^error: The arguments of get_pet do not match[^]*${signature.replace(/[(){}?]/g, '\\$&')}$`),
  ],
  ['describe_tool', { name: 'nothing' }, 'error: Unknown tool: nothing. search_tools finds tools.'],
  ['describe_tool', { name: 'get_pet', path: '/body/x' }, 'error: get_pet has nothing at /body/x. At /: id.'],
  [
    'search_tools',
    { query: 'pet', limit: 21 },
    /^error: The arguments of search_tools do not match[^]*21|^error: The arguments of search_tools do not match/,
  ],
])('%s %j is refused, and nothing is called', async (name, args, want) => {
  for (const isModern of [false, true]) {
    const { words, called } = await open({ isModern });
    expect(await words(name, args)).toMatch(
      typeof want === 'string' ? new RegExp(`^${want.replace(/[.?()/]/g, '\\$&')}$`) : want,
    );
    expect(called).toEqual([]);
  }
});

test('resources and prompts are listed beside the surface as without it', async () => {
  const catalog = {
    resources: [{ uri: 'pets://all', name: 'all' }],
    prompts: [{ name: 'adopt' }],
  };
  for (const isModern of [false, true]) {
    const beside = await open({ catalog, isModern });
    const without = await open({ catalog, isModern, surfaces: ['tools'] });
    for (const method of ['resources/list', 'resources/templates/list', 'prompts/list'])
      expect(await beside.ask(method, {})).toEqual(await without.ask(method, {}));
    expect(await beside.ask('resources/list', {})).toMatchObject({ resources: catalog.resources });
  }
});

test('a description says the access, how to call, and the signature', async () => {
  const { words } = await open();
  expect(await words('describe_tool', { name: 'get_pet' })).toBe(
    `get_pet: read; call it by call_read_tool\nRead one pet\n${signature}`,
  );
  expect(await words('describe_tool', { name: 'get_pet', path: '/id' })).toBe(
    'get_pet /id: integer // Number of the pet',
  );
});

test('tools that the start leaves out exist in none of the five', async () => {
  const { server, call, words, called } = await open();
  server.catalog.changeItems('tools', (listed) => listed.filter(({ name }) => name !== 'delete_pet'));
  const { structuredContent } = await call('search_tools', { query: 'delete_pet', limit: 20 });
  expect(structuredContent?.tools.map(({ name }) => name)).not.toContain('delete_pet');
  expect(await words('describe_tool', { name: 'delete_pet' })).toContain('Unknown tool: delete_pet');
  expect(await words('call_destructive_tool', { name: 'delete_pet', arguments: { id: 1 } })).toContain(
    'Unknown tool: delete_pet',
  );
  expect(called).toEqual([]);
});

test('a tool that needs more scopes is neither found nor described, and a call of it asks for them as by name', async () => {
  const { call, words, send, called } = await open({ scopes: [] });
  const { structuredContent } = await call('search_tools', { query: 'close_shop' });
  expect(structuredContent?.tools.map(({ name }) => name)).not.toContain('close_shop');
  expect(await words('describe_tool', { name: 'close_shop' })).toContain('Unknown tool: close_shop');
  for (const params of [
    { name: 'close_shop', arguments: { id: 1 } },
    { name: 'call_read_tool', arguments: { name: 'close_shop', arguments: { id: 1 } } },
  ])
    expect(await send('tools/call', params)).toMatchObject({
      kind: 'error',
      origin: 'scope',
      scopes: ['admin'],
    });
  expect(called).toEqual([]);
  const allowed = await open({ scopes: ['admin'] });
  expect(await allowed.words('call_read_tool', { name: 'close_shop', arguments: { id: 1 } })).toBe(
    'did close_shop',
  );
  const found = await allowed.call('search_tools', { query: 'close_shop' });
  expect(found.structuredContent?.tools[0]?.name).toBe('close_shop');
});

test('the audit log has the name and the arguments of the tool that was called', async () => {
  const lines: string[] = [];
  const log = { add: (line: string) => lines.push(line) };
  const audit = createAudit({ server: 'pets', log, show: (args) => args, now: () => 0 });
  const { words } = await open({ audit });
  await words('call_read_tool', { name: 'get_pet', arguments: { id: 1 } });
  await words('call_read_tool', { name: 'delete_pet', arguments: { id: 1 } });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { tool: 'get_pet', outcome: 'ok', arguments: { id: 1 } },
    { tool: 'call_read_tool', outcome: 'tool-error', arguments: { name: 'delete_pet' } },
  ]);
});

test('headers of a modern request repeat the name that was sent', async () => {
  const named = (sent: string) => (name: string) =>
    ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': sent })[name];
  const args = { name: 'get_pet', arguments: { id: 1 } };
  const fine = await open({ isModern: true, headers: named('call_read_tool') });
  expect(await fine.words('call_read_tool', args)).toBe('did get_pet');
  const wrong = await open({ isModern: true, headers: named('get_pet') });
  expect(await wrong.send('tools/call', { name: 'call_read_tool', arguments: args })).toMatchObject({
    origin: 'header',
  });
  expect(wrong.called).toEqual([]);
});

test('a tool that code adds at run time is found and called, until it is removed', async () => {
  const { server, call, words } = await open({ handlers: { started: () => undefined } });
  const handle = await createServerHandle(server);
  onTestFinished(() => void server);
  const added = {
    name: 'feed_snake',
    description: 'Feed the python',
    inputSchema: { type: 'object' as const },
  };
  expect(
    (await call('search_tools', { query: 'feed the python' })).structuredContent?.tools[0]?.name,
  ).not.toBe('feed_snake');
  handle.addTool({ ...added, handler: () => 'fed' });
  expect((await call('search_tools', { query: 'feed the python' })).structuredContent?.tools[0]?.name).toBe(
    'feed_snake',
  );
  expect(await words('call_destructive_tool', { name: 'feed_snake' })).toBe('fed');
  handle.removeTool('feed_snake');
  expect(await words('call_destructive_tool', { name: 'feed_snake' })).toContain('Unknown tool: feed_snake');
  expect(() => handle.addTool({ ...added, name: 'search_tools', handler: () => '' })).toThrow(
    /searches or calls others/,
  );
});

test('code calls tools of the surface as clients do', async () => {
  const inputSchema = { type: 'object' as const };
  const { words, called } = await open({
    handlers: {
      extraTools: [
        {
          name: 'relay',
          inputSchema,
          handler: async (_, { call }) => call('call_read_tool', { name: 'get_pet', arguments: { id: 1 } }),
        },
        {
          name: 'sneak',
          inputSchema,
          handler: async (_, { call }) =>
            call('call_read_tool', { name: 'delete_pet', arguments: { id: 1 } }),
        },
      ],
    },
  });
  expect(await words('call_destructive_tool', { name: 'relay' })).toBe('did get_pet');
  expect(await words('call_destructive_tool', { name: 'sneak' })).toContain('delete_pet was not called');
  expect(called).toEqual([{ name: 'get_pet', args: { id: 1 } }]);
});

test('with --read-only, only what reads is listed, found and called', async () => {
  const { server, ask, call, words, send, called } = await open();
  server.catalog.hideWritingTools();
  expect(names(await ask('tools/list', {}))).toEqual(['search_tools', 'describe_tool', 'call_read_tool']);
  const { structuredContent } = await call('search_tools', { query: 'pet', limit: 20 });
  expect(structuredContent?.tools.map(({ name }) => name)).toEqual(['get_pet', 'close_shop']);
  expect(await words('describe_tool', { name: 'delete_pet' })).toContain('Unknown tool: delete_pet');
  for (const name of ['call_write_tool', 'call_destructive_tool', 'delete_pet'])
    expect(
      await send('tools/call', { name, arguments: { name: 'delete_pet', arguments: { id: 1 } } }),
    ).toMatchObject({
      kind: 'error',
    });
  expect(await words('call_read_tool', { name: 'get_pet', arguments: { id: 1 } })).toBe('did get_pet');
  expect(called).toHaveLength(1);
});

test('arguments that find no room in a description are listed by their first letters', async () => {
  const wide = (name: string, end: string): ListedTool => {
    const names = Array.from({ length: 400 }, (_, at) => `argument_${String(at).padStart(3, '0')}${end}`);
    return {
      name,
      inputSchema: { type: 'object', properties: Object.fromEntries(names.map((each) => [each, true])) },
    };
  };
  const end = '_of_a_tool_with_arguments_that_have_long_names';
  const { words } = await open({ catalog: { tools: [wide('get_pet', ''), wide('add_pet', end)] } });
  const whole = await words('describe_tool', { name: 'get_pet' });
  expect(whole).toContain('more: describe_tool lists those that begin with the letters of `path`\n');
  expect(whole).not.toContain('argument_399');
  const hundred = Array.from({ length: 100 }, (_, at) => `argument_${300 + at}`).join(', ');
  expect(await words('describe_tool', { name: 'get_pet', path: '/argument_3' })).toBe(
    `get_pet has at /, beginning with argument_3: ${hundred}`,
  );
  const some = await words('describe_tool', { name: 'add_pet', path: '/argument_' });
  expect(some).toMatch(/, \d+ more, which more letters list$/);
  expect(some.length).toBeLessThanOrEqual(4_200);
  expect(await words('describe_tool', { name: 'add_pet', path: '/argument_39' })).toContain(`_399${end}`);
  expect(await words('describe_tool', { name: 'add_pet', path: '/argument_399' })).toContain(
    `Did you mean /argument_399${end}?`,
  );
});
