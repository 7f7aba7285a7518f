// What `--confirm destructive` asks.
import { expect, test, vi } from 'vitest';
import type { Context, ExtraTool } from '../../../templates/runtime/types.ts';
import { hello, newServer, type ServerParts, type TestServer } from '../harness.ts';
import { call, inputSchema, openPets, readOnlyHint } from './pets.ts';

const can = { elicitation: {} };

async function openConfirming(capabilities: object = can, parts: ServerParts = {}) {
  const pets = await openPets({ confirms: true, ...parts });
  const server = newServer(pets.parts);
  await server.ask('initialize', { ...hello('2025-11-25'), capabilities });
  await server.notify('notifications/initialized');
  return { ...pets, server };
}

/** Calls a tool, and answers the questions that come. */
async function callAndAnswer(
  server: TestServer,
  name: string,
  answers: object[],
  args = {},
): Promise<unknown> {
  const result = call(server, name, args);
  for (const [index, answer] of answers.entries()) {
    const request = await vi.waitFor(() => {
      const found = server.sent.filter((message) => message.method === 'elicitation/create')[index];
      if (found === undefined) throw new Error('nothing was asked');
      return found;
    });
    await server.send({ jsonrpc: '2.0', id: Reflect.get(request, 'id'), result: answer });
  }
  return result;
}

const yes = { action: 'accept', content: { confirm: true } };

test.each([
  ['listPets', 'GET /pets'],
  ['addPet', 'POST /pets'],
])('%s runs without a question', async (name, sent) => {
  const { api, server } = await openConfirming({});
  await call(server, name);
  expect(api.requests).toEqual([sent]);
});

test.each([
  ['dropPet', 'DELETE /pets'],
  ['purgePets', 'GET /pets/purge'],
])('%s runs once its user confirms it', async (name, sent) => {
  const { api, server } = await openConfirming();
  await callAndAnswer(server, name, [yes], { petId: 7 });
  expect(api.requests).toEqual([sent]);
  const { params } = server.sent[0] ?? {};
  expect(params).toMatchObject({ requestedSchema: { required: ['confirm'] } });
  expect(Reflect.get(params ?? {}, 'message')).toContain('{"petId":7}');
});

test('the arguments that a question shows are cut between characters', async () => {
  const { server } = await openConfirming();
  await callAndAnswer(server, 'dropPet', [yes], { note: `${'x'.repeat(199)}\u{1f600}` });
  expect(Reflect.get(server.sent[0]?.params ?? {}, 'message')).not.toMatch(/\p{Surrogate}/u);
});

test.each<[string, Record<string, unknown>, string]>([
  ['behind a long text', { note: 'x'.repeat(3_000), petId: 7 }, `"note":"${'x'.repeat(200)}…","petId":7}`],
  [
    'behind long lists',
    { ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`n${at}`, 'x'.repeat(190)])), petId: 7 },
    ', n19, petId',
  ],
  ['with direction marks', { note: 'a\u202eb' }, String.raw`{"note":"a\u202eb"}`],
])('a question shows arguments %s', async (_what, args, want) => {
  const { server } = await openConfirming();
  await callAndAnswer(server, 'dropPet', [yes], args);
  expect(Reflect.get(server.sent[0]?.params ?? {}, 'message')).toContain(want);
});

test.each([
  ['declines', { action: 'decline' }],
  ['says no', { action: 'accept', content: { confirm: false } }],
])('nothing is sent when the user %s', async (_, answer) => {
  const { api, server } = await openConfirming();
  expect(await callAndAnswer(server, 'dropPet', [answer])).toMatchObject({
    text: 'dropPet was not run: the user did not confirm it.',
  });
  expect(api.requests).toEqual([]);
});

test('a client that cannot ask is refused, and told why', async () => {
  const { api, server } = await openConfirming({});
  expect(await call(server, 'dropPet')).toMatchObject({
    text:
      'dropPet was not run. The server asks its user before this tool runs (--confirm destructive). ' +
      'The client cannot show its user a form.',
  });
  expect(api.requests).toEqual([]);
});

test.each([
  ['resources/read', { uri: 'notes://burn' }],
  ['prompts/get', { name: 'burn' }],
])(
  '%s of a function that is a destructive tool is refused by a client that cannot ask',
  async (method, params) => {
    const run = { kind: 'function' as const, module: 'a.ts', export: 'burn', parameters: [] };
    const burn = vi.fn(() => 'burnt');
    const { server } = await openConfirming(
      {},
      {
        functions: {
          modules: { 'a.ts': () => Promise.resolve({ burn }) },
        },
        catalog: {
          tools: [{ name: 'burnNote', inputSchema, annotations: { destructiveHint: true } }],
          resources: [{ uri: 'notes://burn', name: 'burn' }],
          prompts: [{ name: 'burn' }],
        },
        bindings: {
          tools: { burnNote: { do: run } },
          resources: { 'notes://burn': { do: run } },
          prompts: { burn: run },
        },
      },
    );
    expect((await server.ask(method, params)).error?.message).toContain('burnNote was not run.');
    expect(burn).not.toHaveBeenCalled();
  },
);

test('each call by code is confirmed on its own', async () => {
  const twice: ExtraTool = {
    name: 'twice',
    inputSchema,
    annotations: readOnlyHint,
    handler: async (_, context) => [await context.call('dropPet', {}), await context.call('dropPet', {})],
  };
  const { api, server } = await openConfirming(can, { handlers: { extraTools: [twice] } });
  const no = { action: 'decline' };
  await callAndAnswer(server, 'twice', [yes, no]);
  expect(api.requests).toEqual(['DELETE /pets']);
});

test.each([
  ['purgePets', 'GET /pets/purge'],
  ['put', 'PUT /pets'],
])('code that calls the operation %s of an API is confirmed too', async (operation, sent) => {
  const { api, server } = await openConfirming();
  expect(await callAndAnswer(server, 'byCode', [{ action: 'decline' }], { operation })).toMatchObject({
    // An operation that is no tool may be called by the name of its source, too.
    text: expect.stringMatching(
      new RegExp(`${operation} was not run: the user did not confirm it\\.$`),
    ) as string,
  });
  expect(api.requests).toEqual([]);
  server.sent.length = 0;
  await callAndAnswer(server, 'byCode', [yes], { operation });
  expect(api.requests).toEqual([sent]);
});

test.each(['head', 'listPets', 'addPet'])(
  'code calls the operation %s without a question',
  async (operation) => {
    const { api, server } = await openConfirming({});
    await call(server, 'byCode', { operation });
    expect(api.requests).toHaveLength(1);
  },
);

test('an override that calls its own operation is confirmed once', async () => {
  const tools = { dropPet: (_: object, { api }: Context) => api['pets']?.['dropPet']?.({}) };
  const { api, server } = await openConfirming(can, { handlers: { tools: tools as never } });
  await callAndAnswer(server, 'dropPet', [yes]);
  expect(api.requests).toEqual(['DELETE /pets']);
});

interface Round {
  inputRequests?: Record<string, object>;
  requestState?: string;
  isError?: boolean;
}

/** Sends calls of 2026-07-28, whose client carries the state. */
async function openRounds(more: ServerParts = {}) {
  const { api, parts } = await openPets({ confirms: true });
  const { ask } = newServer({ ...parts, ...more });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const send = async (args: object, carried: object = {}, name = 'dropPet') =>
    ask('tools/call', { name, arguments: args, ...carried, _meta });
  /** What a client sends that says yes to the questions of a call. */
  const confirm = async (args: object, name?: string) => {
    const { inputRequests = {}, requestState } = (await send(args, {}, name)).result as Round;
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, yes]));
    return { inputResponses, requestState };
  };
  return { api, send, confirm };
}

test('a client without a session confirms by calling again', async () => {
  const { api, send, confirm } = await openRounds();
  const carried = await confirm({});
  expect(api.requests).toEqual([]);
  expect((await send({}, carried)).result?.['isError']).not.toBe(true);
  expect(api.requests).toEqual(['DELETE /pets']);
});

test('a yes counts once on all nodes that share their state', async () => {
  const taken = new Set<string>();
  const takeOnce = async (key: string): Promise<boolean> => !taken.has(key) && Boolean(taken.add(key));
  const parts = { env: { MCP_STATE_SECRET: 'shared' }, shared: { scope: 'shared', takeOnce } };
  const [one, other] = [await openRounds(parts), await openRounds(parts)];
  const carried = await one.confirm({ petId: 1 });
  await Promise.all([other, one, other].map(async ({ send }) => send({ petId: 1 }, carried)));
  expect([...one.api.requests, ...other.api.requests]).toEqual(['DELETE /pets']);
});

test('a yes to a call by code is none to other arguments of its next run', async () => {
  let petId = 0;
  const next: ExtraTool = {
    name: 'next',
    inputSchema,
    annotations: readOnlyHint,
    handler: async (_, context) => context.call('dropPet', { note: 'x'.repeat(2_000), petId: ++petId }),
  };
  const { api, send, confirm } = await openRounds({ handlers: { extraTools: [next] } });
  const carried = await confirm({}, 'next');
  expect((await send({}, carried, 'next')).result).toHaveProperty('inputRequests');
  expect(api.requests).toEqual([]);
});

test('a client without a session that cannot ask is told why', async () => {
  const { api, parts } = await openPets({ confirms: true });
  const { error } = await newServer(parts).ask('tools/call', {
    name: 'dropPet',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  });
  expect(error).toMatchObject({
    code: -32021,
    message: expect.stringMatching(/^dropPet was not run\. .* cannot show its user a form\.$/) as string,
    data: { requiredCapabilities: { elicitation: {} } },
  });
  expect(api.requests).toEqual([]);
});

test('an override is confirmed before it runs', async () => {
  let runs = 0;
  const tools = {
    dropPet: () => {
      runs++;
      return 'own';
    },
  };
  const { server } = await openConfirming(can, { handlers: { tools: tools as never } });
  expect(await callAndAnswer(server, 'dropPet', [{ action: 'decline' }])).toMatchObject({
    text: expect.stringContaining('did not confirm') as string,
  });
  expect(runs).toBe(0);
});

test('an operation that is no tool is confirmed, also if a tool that only reads has its name', async () => {
  const byCode: ExtraTool = {
    name: 'byCode',
    inputSchema,
    annotations: readOnlyHint,
    handler: async (_, context) => context.api['pets']?.['put']?.({}),
  };
  const put: ExtraTool = { name: 'put', inputSchema, annotations: readOnlyHint, handler: () => 'read' };
  const { api, server } = await openConfirming(can, { handlers: { extraTools: [byCode, put] } });
  expect(await callAndAnswer(server, 'byCode', [{ action: 'decline' }])).toMatchObject({
    text: 'put was not run: the user did not confirm it.',
  });
  expect(api.requests).toEqual([]);
});

test('a resource that a destructive tool reads is confirmed', async () => {
  const { api, server } = await openConfirming({});
  const { error } = await server.ask('resources/read', { uri: 'pets://purge' });
  expect(error).toMatchObject({ message: expect.stringContaining('purgePets was not run.') as string });
  expect(api.requests).toEqual([]);
});
