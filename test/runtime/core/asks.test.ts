// Questions of handlers to their client over a session: the request, the answer, and everything that may come instead.
import { expect, test, vi } from 'vitest';
import { asked } from '../rules/asking.ts';
import { speaking, type Speaking } from '../rules/speaking.ts';
import { REQUESTS, subject, type Work } from '../rules/subject.ts';

const serverFor = (work: Work, capabilities: object) => speaking('2025-11-25', subject(work), capabilities);

/** The first request that comes. */
const requestOf = ({ sent }: Speaking) =>
  vi.waitFor(() => {
    const request = sent.find((message) => 'id' in message);
    if (request === undefined) throw new Error('nothing was asked');
    return request;
  });

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
  const work: Work = ({ elicit }) => asText(elicit('Which?', form));
  const answer = { action: 'accept', content: { color: 'g' } };
  const { words, question } = await asked('2025-06-18', work, { elicitation: {} }, answer);
  expect(words).toBe(JSON.stringify(answer));
  expect(question?.params).toEqual({
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

test.each<[string, Work, object, string]>([
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
  const answered = server.put(...REQUESTS.call);
  await server.send({ jsonrpc: '2.0', id: Reflect.get(await requestOf(server), 'id'), ...reply });
  expect(JSON.stringify((await answered).result)).toContain(want);
});

test('a call that is cancelled takes its question back', async () => {
  const server = await serverFor(({ roots }) => roots(), { roots: {} });
  const answered = server.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'x' } });
  await requestOf(server);
  await server.notify('notifications/cancelled', { requestId: 'c' });
  expect(await answered).toBeUndefined();
  expect(server.sent.map(({ method }) => method)).toEqual(['roots/list', 'notifications/cancelled']);
});

test('a session that ends answers what it was asked', async () => {
  const server = await serverFor(({ roots }) => roots(), { roots: {} });
  const answered = server.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'x' } });
  await requestOf(server);
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
  (messages: object[]): Work =>
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
    const { words, sent } = await asked(revision, askModel(messages), { sampling });
    expect(words).toContain(want);
    expect(sent).toEqual([]);
  },
);

test.each<[string, object]>([
  ['2024-11-05', { role: 'user', content: hi }],
  ['2025-06-18', { role: 'user', content: { ...hi, _meta: {} } }],
  ['2025-11-25', { role: 'user', content: [{ ...hi, _meta: {} }], _meta: {} }],
])('a message for a model in %s', async (revision, want) => {
  const message = { role: 'user', content: [{ ...hi, _meta: {} }], _meta: {} };
  const answer = { role: 'assistant', model: 'm', content: hi };
  const { question } = await asked(revision, askModel([message]), { sampling: {} }, answer);
  expect(question?.params).toEqual({ maxTokens: 1, messages: [want] });
});
