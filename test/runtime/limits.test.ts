// What one request or one client may make the server do. Limits of HTTP and stdio: transports.test.ts; of the validator: schema/hostile.test.ts.
import { expect, test } from 'vitest';
import type { ExtraTool } from '../../templates/runtime/types.ts';
import { newServer, openServer } from './harness.ts';
import { metaOf } from './rules/subject.ts';

const NAME = 1_000;
const URI = 8 * 1024;
const long = 'x'.repeat(NAME + 1);
const longUri = `a:${'x'.repeat(URI)}`;
const complete = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };

test.each([
  ['tools/call', { name: long }, 'name', NAME],
  ['tools/list', { cursor: long }, 'cursor', NAME],
  ['tasks/get', { taskId: long }, 'taskId', NAME],
  ['completion/complete', { ...complete, ref: { type: 'ref/prompt', name: long } }, 'name', NAME],
  ['completion/complete', { ...complete, argument: { name: long, value: '' } }, 'name', NAME],
  ['completion/complete', { ...complete, argument: { name: 'a', value: long } }, 'value', NAME],
  ['completion/complete', { ...complete, ref: { type: 'ref/resource', uri: longUri } }, 'uri', URI],
  ['resources/read', { uri: longUri }, 'uri', URI],
  ['resources/subscribe', { uri: longUri }, 'uri', URI],
])('%s is refused before its method reads %j', async (method, params, name, most) => {
  const { ask } = await openServer();
  const message = `\`${name}\` may have ${most} characters at most.`;
  expect((await ask(method, params)).error).toEqual({ code: -32602, message });
});

const tool: ExtraTool = {
  name: 'x',
  inputSchema: { type: 'object', properties: { list: { type: 'array' } } },
  execution: { taskSupport: 'optional' },
  handler: async () => new Promise(() => undefined),
};

test.each([
  ['more of them', ['a:', 'b:'], 1],
  ['a longer one', [longUri], 10],
])('URIs to listen to: %s are refused', async (_, resourceSubscriptions, subscribedResources) => {
  const handlers = { extraTools: [tool], started: () => undefined };
  const { ask, sent } = newServer({ handlers, limits: { subscribedResources } });
  const params = { notifications: { resourceSubscriptions }, _meta: metaOf() };
  expect((await ask('subscriptions/listen', params)).error?.code).toBe(-32602);
  expect(sent).toEqual([]);
});

test('clients are told how long they may keep a list', async () => {
  const handlers = { extraTools: [tool], resources: { 'own://r': { name: 'r', read: () => 'text' } } };
  const server = newServer({ handlers, limits: { listTtlMs: 7 } });
  const ttl = async (method: string, params = {}) =>
    (await server.ask(method, { ...params, _meta: metaOf() })).result?.['ttlMs'];
  expect([await ttl('server/discover'), await ttl('tools/list')]).toEqual([7, 7]);
  expect(await ttl('resources/read', { uri: 'own://r' })).toBe(0);
});

test.each([
  [undefined, 50],
  [1, 10],
  [20, 20],
  [51, 50],
])('who wishes for a task of %j ms is granted %j', async (ttl, want) => {
  const limits = { taskTtlMs: 50, taskPollMs: 10 };
  const server = await openServer({ handlers: { extraTools: [tool] }, limits });
  const task = ttl === undefined ? {} : { ttl };
  const { result } = await server.ask('tools/call', { name: 'x', task });
  expect(result).toMatchObject({ task: { ttl: want, pollInterval: 10 } });
});

test('there are only so many tasks over all clients', async () => {
  const server = await openServer({ handlers: { extraTools: [tool] }, limits: { tasks: 1 } });
  await server.ask('tools/call', { name: 'x', task: {} });
  expect(await server.ask('tools/call', { name: 'x', task: {} })).toMatchObject({
    error: { code: -32603, message: 'There are too many tasks. Try again in 60 seconds.' },
    origin: 'rate',
  });
});

test.each([
  ['members', `[${'1,'.repeat(100_000)}1]`],
  ['levels', '['.repeat(501) + ']'.repeat(501)],
])('JSON in a text is read if it has as many %s as a message may have', async (_, list) => {
  const handler = ({ list: items }: Record<string, unknown>) => String((items as unknown[]).length);
  const { ask } = await openServer({ handlers: { extraTools: [{ ...tool, handler }] } });
  const call = async (text: string) =>
    (await ask('tools/call', { name: 'x', arguments: { list: text } })).result;
  expect(await call('[1,2]')).toMatchObject({ content: [{ text: '2' }] });
  expect(await call(list)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('`list` must be an array') as unknown }],
  });
});
