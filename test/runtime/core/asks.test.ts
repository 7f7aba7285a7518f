// Questions of handlers to their client over a session: the request, the answer, and everything that may come instead.
import { expect, test, vi } from 'vitest';
import type { Context } from '../../../templates/runtime/types.ts';
import { newServer, type ServerParts, type TestServer } from '../harness.ts';

type Handler = (context: Context) => unknown;

async function serverFor(
  handler: Handler,
  capabilities: object,
  { revision = '2025-11-25', ...parts }: ServerParts & { revision?: string } = {},
): Promise<TestServer> {
  const server = newServer({
    ...parts,
    handlers: {
      extraTools: [
        {
          name: 'x',
          inputSchema: { type: 'object' },
          handler: (_: object, context: Context) => handler(context),
        },
      ],
    },
  });
  await server.ask('initialize', {
    protocolVersion: revision,
    capabilities,
    clientInfo: { name: 'client', version: '0' },
  });
  await server.notify('notifications/initialized');
  return server;
}

/** Calls the tool; when a request comes, `reply` answers it. Resolves to the words of the result. */
async function call(server: TestServer, reply: (params: object) => object): Promise<string> {
  const result = server.ask('tools/call', { name: 'x' });
  const request = await Promise.race([asked(server).catch(() => undefined), result.then(() => undefined)]);
  if (request !== undefined) {
    await server.send({ jsonrpc: '2.0', id: Reflect.get(request, 'id'), ...reply(request.params ?? {}) });
  }
  const { content } = (await result).result as { content: { text: string }[] };
  return content.map(({ text }) => text).join();
}

/** The first request that comes. */
async function asked(server: TestServer): Promise<TestServer['sent'][number] | undefined> {
  return vi.waitFor(() => {
    const request = server.sent.find((message) => 'id' in message);
    if (request === undefined) throw new Error('nothing was asked');
    return request;
  });
}

const asText = (work: Promise<unknown>): Promise<string> => work.then((value) => JSON.stringify(value));
test('an older revision gets the form it knows', async () => {
  const form = {
    color: {
      type: 'string',
      required: false,
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'g' },
      ],
      default: 'r',
    },
    sure: { type: 'boolean', required: false, default: true },
  } as const;
  const server = await serverFor(
    ({ elicit }) => asText(elicit('Which?', form)),
    { elicitation: {} },
    { revision: '2025-06-18' },
  );
  const said = await call(server, () => ({ result: { action: 'accept', content: { color: 'g' } } }));
  expect(said).toBe('{"action":"accept","content":{"color":"g"}}');
  expect(server.sent[0]?.params).toEqual({
    message: 'Which?',
    requestedSchema: {
      type: 'object',
      properties: {
        color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'g'] },
        sure: { type: 'boolean', default: true },
      },
    },
  });
});

test.each<[string, Handler, object, string]>([
  [
    'an error',
    ({ roots }) => roots(),
    { error: { code: -32601, message: 'Not here' } },
    'the error -32601: Not here',
  ],
  ['no list', ({ roots }) => roots(), { result: { roots: [{}] } }, 'without a list of roots'],
  [
    'no message',
    ({ sample }) => sample({ messages: [], maxTokens: 1 }),
    { result: { role: 'assistant' } },
    'without a message',
  ],
])('the client answers with %s', async (_, handler, reply, want) => {
  const server = await serverFor(handler, { roots: {}, sampling: {} });
  expect(await call(server, () => reply)).toContain(want);
});

test('a call that is cancelled takes its question back', async () => {
  const server = await serverFor(({ roots }) => roots(), { roots: {} });
  const answered = server.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'x' } });
  await asked(server);
  await server.notify('notifications/cancelled', { requestId: 'c' });
  expect(await answered).toBeUndefined();
  expect(server.sent.map(({ method }) => method)).toEqual(['roots/list', 'notifications/cancelled']);
});

test('a session that ends answers what it was asked', async () => {
  const server = await serverFor(({ roots }) => roots(), { roots: {} });
  const answered = server.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'x' } });
  await asked(server);
  server.session.end();
  expect(await answered).toBeUndefined();
  expect(server.reported).toEqual([]);
});

const hi = { type: 'text', text: 'hi' };
const audio = { type: 'audio', data: '', mimeType: 'audio/wav' };
const use = [
  { role: 'assistant', content: { type: 'tool_use', id: 'u', name: 'x', input: {} } },
  { role: 'user', content: { type: 'tool_result', toolUseId: 'u', content: [] } },
];

const askModel =
  (messages: object[]): Handler =>
  ({ sample }) =>
    asText(sample({ maxTokens: 1, messages: messages as Parameters<typeof sample>[0]['messages'] }));

test.each<[string, object[], string, object, string]>([
  ['audio', [{ role: 'user', content: audio }], '2024-11-05', {}, 'no content of the kind audio'],
  ['several blocks', [{ role: 'user', content: [hi, hi] }], '2025-06-18', {}, 'one content block a message'],
  ['tool uses', use, '2025-06-18', { tools: {} }, 'cannot use tools'],
  ['tool uses, undeclared', use, '2025-11-25', {}, 'cannot use tools'],
  ['a link', [{ role: 'user', content: { type: 'resource_link' } }], '2025-11-25', {}, 'kind resource_link'],
])(
  'a model is not asked with %s that its client does not know',
  async (_, messages, revision, sampling, want) => {
    const server = await serverFor(askModel(messages), { sampling }, { revision });
    expect(await call(server, () => ({ result: {} }))).toContain(want);
    expect(server.sent).toEqual([]);
  },
);

test.each<[string, object]>([
  ['2024-11-05', { role: 'user', content: hi }],
  ['2025-06-18', { role: 'user', content: { ...hi, _meta: {} } }],
  ['2025-11-25', { role: 'user', content: [{ ...hi, _meta: {} }], _meta: {} }],
])('a message for a model in %s', async (revision, want) => {
  const message = { role: 'user', content: [{ ...hi, _meta: {} }], _meta: {} };
  const server = await serverFor(askModel([message]), { sampling: {} }, { revision });
  await call(server, () => ({ result: { role: 'assistant', model: 'm', content: hi } }));
  expect(server.sent[0]?.params).toEqual({ maxTokens: 1, messages: [want] });
});
