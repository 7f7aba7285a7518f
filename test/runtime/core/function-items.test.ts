// Functions beside tool calls: they list resources of templates, prepare a call, run at the start.
import { expect, test } from 'vitest';
import type { FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import { startOwnCode } from '../../../templates/runtime/main/own-code.ts';
import { META } from '../../../templates/runtime/protocol/revisions.ts';
import { ToolError } from '../../../templates/runtime/protocol/json-rpc.ts';
import { newServer, openServer, type ServerParts } from './harness.ts';
import type { FunctionModules } from '../../../templates/runtime/definition.ts';

const bound = (name: string, more: Partial<FunctionBinding> = {}): FunctionBinding => ({
  kind: 'function',
  module: 'app/a.ts',
  export: name,
  parameters: [],
  ...more,
});

function loadFunctions(module: object, traits: Partial<FunctionModules> = {}): FunctionModules {
  return {
    runtime: () => import('../../../templates/runtime/functions/index.ts'),
    modules: { 'app/a.ts': () => Promise.resolve(module) },
    ...traits,
  };
}

const template = {
  uriTemplate: 'a:pets/{id}',
  name: 'pet',
  title: 'A pet',
  mimeType: 'text/plain',
  annotations: { priority: 0.5 },
};

/** A template whose resources `list` lists, behind one resource of the catalog. */
function listing(list: () => unknown, parts: ServerParts = {}): ServerParts {
  return {
    catalog: { resources: [{ uri: 'a:all', name: 'all' }], resourceTemplates: [template] },
    bindings: { resourceTemplates: { [template.uriTemplate]: { do: bound('read'), list: bound('list') } } },
    functions: loadFunctions({ list }, { lists: true }),
    ...parts,
  };
}

const all = { uri: 'a:all', name: 'all' };
const said = { mimeType: 'text/plain', annotations: { priority: 0.5 } };

test.each([
  { title: 'URIs', listed: ['a:pets/1'], want: [{ uri: 'a:pets/1', name: 'a:pets/1', ...said }] },
  {
    title: 'variables',
    listed: [{ variables: { id: 'a/b c' }, name: 'b', title: 'B', size: 3, secret: 1 }],
    want: [{ uri: 'a:pets/a%2Fb%20c', name: 'b', title: 'B', size: 3, ...said }],
  },
  {
    title: 'what an item says of its own',
    listed: [{ uri: 'a:pets/1', mimeType: 'image/png', annotations: { audience: ['user'] }, icons: [] }],
    want: [
      {
        uri: 'a:pets/1',
        name: 'a:pets/1',
        mimeType: 'image/png',
        annotations: { audience: ['user'] },
        icons: [],
      },
    ],
  },
  {
    title: 'the first of two',
    listed: ['a:pets/1', { uri: 'a:pets/1', name: 'again' }],
    want: [{ uri: 'a:pets/1', name: 'a:pets/1', ...said }],
  },
  { title: 'none', listed: [], want: [] },
])('$title', async ({ listed, want }) => {
  const server = await openServer(listing(() => Promise.resolve(listed)));
  const { resources } = (await server.ask('resources/list')).result as { resources: unknown[] };
  expect(resources[0]).toEqual(all);
  expect(resources.slice(1)).toEqual(want);
  expect(server.reported).toEqual([]);
});

test('what the template does not read is left out, and the server is told', async () => {
  const server = await openServer(listing(() => ['a:cats/1', { variables: {} }, { id: 1 }, 'a:pets/1']));
  const { resources } = (await server.ask('resources/list')).result as { resources: { uri: string }[] };
  expect(resources.map(({ uri }) => uri)).toEqual(['a:all', 'a:pets/1']);
  expect(server.reported).toEqual([
    'a:cats/1 was listed, but a:pets/{id} does not read it.',
    'a:pets/ was listed, but a:pets/{id} does not read it.',
    '{"id":1} was listed, but a:pets/{id} does not read it.',
  ]);
});

test('what the function of the template does not take is left out', async () => {
  const schemas = { id: { type: 'integer' as const }, day: { type: 'string' as const } };
  const input = { type: 'object' as const, properties: schemas, required: ['id'] };
  const argumentCodec = { kind: 'object' as const, properties: { day: { kind: 'date' as const } } };
  const uriTemplate = 'a:pets/{id}{?day}';
  const by = bound('read', { parameters: ['id', 'day'], input, argumentCodec });
  const listed = ['a:pets/1', 'a:pets/one', 'a:pets/..', 'a:pets/2?day=2026-01-31', 'a:pets/2?day=soon'];
  const server = await openServer(
    listing(() => listed, {
      catalog: { resourceTemplates: [{ ...template, uriTemplate }] },
      bindings: { resourceTemplates: { [uriTemplate]: { do: by, list: bound('list'), schemas } } },
    }),
  );
  const { resources } = (await server.ask('resources/list')).result as { resources: { uri: string }[] };
  expect(resources.map(({ uri }) => uri)).toEqual(['a:pets/1', 'a:pets/2?day=2026-01-31']);
  const words = 'was listed, but a:pets/{id}{?day} does not read it';
  expect(server.reported).toEqual([
    `a:pets/one ${words}: \`id\` must be an integer but is "one".`,
    `a:pets/.. ${words}.`,
    `a:pets/2?day=soon ${words}: \`day\` must be a date and time such as 2026-01-31T09:00:00Z.`,
  ]);
});

test.each([
  { fault: new ToolError('Not today.'), words: 'Not today.' },
  { fault: new Error('a secret'), words: 'The list failed. The log of the server says why.' },
])('a list that fails is an error: $words', async ({ fault, words }) => {
  const server = await openServer(listing(() => Promise.reject(fault)));
  expect((await server.ask('resources/list')).error).toMatchObject({ code: -32603, message: words });
});

test('what is listed comes in pages', async () => {
  const ids = ['1', '2', '3'];
  const server = await openServer(
    listing(() => ids.map((id) => `a:pets/${id}`), { pageSize: 3 }),
    '2024-11-05',
  );
  const first = (await server.ask('resources/list')).result as { resources: object[]; nextCursor: string };
  expect(first.resources).toHaveLength(3);
  const last = (await server.ask('resources/list', { cursor: first.nextCursor })).result;
  expect(last).toEqual({ resources: [{ uri: 'a:pets/3', name: 'a:pets/3', ...said }] });
  const refused = await server.ask('resources/list', { cursor: 'mine' });
  expect(refused.error).toMatchObject({ code: -32602 });
});

test('what functions list, a client keeps to itself (2026-07-28)', async () => {
  const { ask } = newServer(listing(() => ['a:pets/1'], { limits: { readTtlMs: 7, listTtlMs: 8 } }));
  const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} };
  expect((await ask('resources/list', { _meta })).result).toMatchObject({
    ttlMs: 7,
    cacheScope: 'private',
    resources: [{}, { uri: 'a:pets/1' }],
  });
  const templates = (await ask('resources/templates/list', { _meta })).result;
  expect(templates).toMatchObject({ ttlMs: 8, cacheScope: 'public' });
});

test('a template that is not served has no list', async () => {
  const parts = listing(() => ['a:pets/1']);
  const server = await openServer({ ...parts, catalog: { ...parts.catalog, resourceTemplates: [] } });
  expect((await server.ask('resources/list')).result).toEqual({ resources: [all] });
});

const inputSchema = { type: 'object' as const, properties: { city: { type: 'string' as const } } };

test.each([
  { prepared: { budget: new Date(0) }, want: 'Bern 1970' },
  { prepared: { city: 'Oslo', budget: new Date(0) }, want: 'Oslo 1970' },
  { prepared: undefined, want: 'Bern undefined' },
])('what is prepared stands in for parameters: $prepared', async ({ prepared, want }) => {
  const server = await openServer({
    catalog: { tools: [{ name: 'book', inputSchema, execution: { taskSupport: 'optional' } }] },
    bindings: {
      tools: { book: { do: bound('book', { parameters: ['city', 'budget'] }), prepare: bound('ask') } },
    },
    functions: loadFunctions({
      ask: () => Promise.resolve(prepared),
      book: (city: string, budget?: Date) => `${city} ${String(budget?.getUTCFullYear())}`,
    }),
  });
  const { result } = await server.ask('tools/call', { name: 'book', arguments: { city: 'Bern' } });
  expect(result).toMatchObject({ content: [{ text: want }] });
});

test('a tool that a handler replaces is not prepared', async () => {
  let asked = 0;
  const server = await openServer({
    catalog: { tools: [{ name: 'book', inputSchema, execution: { taskSupport: 'optional' } }] },
    bindings: { tools: { book: { do: bound('book'), prepare: bound('ask') } } },
    functions: loadFunctions({ ask: () => (asked += 1) }),
    handlers: { tools: { book: () => 'mine' } },
  });
  const { result } = await server.ask('tools/call', { name: 'book', arguments: {} });
  expect([result?.['content'], asked]).toEqual([[{ type: 'text', text: 'mine' }], 0]);
});

test('tools of functions may be tasks, and the server says so', async () => {
  const tool = { name: 'book', inputSchema };
  const tasksOf = async (execution: object): Promise<unknown> => {
    const { ask } = newServer({ catalog: { tools: [{ ...tool, ...execution }] } });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '0' },
    };
    return ((await ask('initialize', params)).result?.['capabilities'] as { tasks?: unknown }).tasks;
  };
  expect(await tasksOf({})).toBeUndefined();
  expect(await tasksOf({ execution: { taskSupport: 'forbidden' } })).toBeUndefined();
  expect(await tasksOf({ execution: { taskSupport: 'optional' } })).toBeDefined();
});

/** A server with two functions that are to run at its start, behind what handlers have. */
function starting(begin: (name: string) => unknown): ServerParts {
  const functions = { first: () => begin('first'), second: () => begin('second') };
  return {
    catalog: { resources: [all] },
    bindings: { started: [bound('first'), bound('second')] },
    functions: loadFunctions(functions, { started: true }),
    handlers: { started: () => begin('handlers') as () => void },
  };
}

test('functions run at the start, and the last one is undone first', async () => {
  const told: string[] = [];
  const { server } = newServer(
    starting((name) => {
      told.push(name);
      return () => told.push(`${name} ended`);
    }),
  );
  const end = await startOwnCode(server);
  expect(told).toEqual(['handlers', 'first', 'second']);
  await end();
  expect(told.slice(3)).toEqual(['second ended', 'first ended', 'handlers ended']);
});

test('what was begun is undone when another one fails', async () => {
  const told: string[] = [];
  const { server } = newServer(
    starting((name) => {
      if (name === 'second') throw new Error('no feed');
      return () => told.push(`${name} ended`);
    }),
  );
  await expect(startOwnCode(server)).rejects.toThrow(/^second of app\/a\.ts failed\. Error: no feed/);
  expect(told).toEqual(['first ended', 'handlers ended']);
});

test('a function that is given the server tells of changes', async () => {
  const parts = listing(() => []);
  const module = {
    list: () => [],
    begin: (server: { resourcesChanged: () => void }) => server.resourcesChanged(),
  };
  const { server } = newServer({
    ...parts,
    bindings: { ...parts.bindings, started: [bound('begin', { parameters: ['server'] })] },
    functions: loadFunctions(module, { started: true, lists: true }),
  });
  const events: unknown[] = [];
  server.bus.subscribe((event) => events.push(event));
  await startOwnCode(server);
  expect(events).toEqual([{ kind: 'list-changed', list: 'resources' }]);
});

test('the log of a failed call names tool and request, and has the whole error without secrets', async () => {
  const secret = 'k-2f81c9d7e4';
  const socket = Object.assign(new Error(`connect failed with ${secret}`), { code: 'ECONNREFUSED' });
  const both = new AggregateError([socket, { reason: 'odd' }], 'no host answered');
  const fault = Object.assign(new Error('forecast of dept-77001', { cause: both }), {
    status: 503,
    config: { secret },
  });
  const module = { forecast: () => Promise.reject(fault) };
  const server = await openServer({
    catalog: { tools: [{ name: 'get_forecast', inputSchema: { type: 'object' } }] },
    bindings: {
      upstream: { servers: [], securitySchemes: {}, argumentVariables: { FORECAST_TEAM: ['team'] } },
      tools: { get_forecast: { do: bound('forecast') } },
    },
    functions: loadFunctions(module),
    env: { FORECAST_API_KEY: secret, FORECAST_TEAM: 'dept-77001' },
  });
  const { id, result } = await server.ask('tools/call', { name: 'get_forecast' });
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result)).not.toContain('503');
  const [log = '', ...others] = server.reported;
  expect(others).toEqual([]);
  expect(log).toMatch(
    new RegExp(
      [
        `^get_forecast failed \\(request ${JSON.stringify(id)}\\): Error: forecast of \\[redacted\\]\\n    at `,
        '\\(status 503\\)\\nCaused by: AggregateError: no host answered\\n',
        '\\nOne of its errors: Error: connect failed with \\[redacted\\]\\n',
        "\\(code ECONNREFUSED\\)\\nOne of its errors: \\{ reason: 'odd' \\}$",
      ].join('[\\s\\S]*'),
    ),
  );
});
