// A Redis that has forgotten everything, as one without persistence after a restart: what nodes still know is kept.
import { expect, onTestFinished, test, vi } from 'vitest';
import { SharedEventBus } from '../../../templates/runtime/redis/shared-bus.ts';
import { META } from '../../../templates/runtime/protocol/revisions.ts';
import { newServer } from '../core/harness.ts';
import { DECLARED } from '../rules/task-subject.ts';
import { metaOf } from '../rules/subject.ts';
import { call, gate, ping, start } from '../transports/http-harness.ts';
import { connect, HAS_REDIS, type RedisProcess, startRedis, WHERE } from './states.ts';

const uri = 'test://watched';
const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 3, method, params });
const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };

/** Resolves when each node has seen that Redis was away, and is back. */
async function restartEmpty(
  redis: RedisProcess,
  states: Awaited<ReturnType<typeof connect>>[],
): Promise<void> {
  await redis.stop();
  for (const { shared } of states)
    await vi.waitFor(async () => expect(shared.get('x')).rejects.toMatchObject({ origin: 'away' }));
  const empty = await startRedis(undefined, redis.port);
  onTestFinished(async () => {
    await Promise.all(states.map(async ({ shared }) => shared.close()));
    await empty.stop();
  });
  await vi.waitFor(
    () => expect(states.every(({ shared }) => shared.health.state === 'up')).toBe(true),
    5_000,
  );
}

test.runIf(HAS_REDIS)(`subscriptions and the level of logs outlast it, on each node (${WHERE})`, async () => {
  const redis = await startRedis();
  const states = await Promise.all([connect(redis.url), connect(redis.url)]);
  const [first, second] = (await Promise.all(
    states.map(async ({ shared }) =>
      start({
        secret: 'a secret of the nodes, long enough',
        shared,
        bus: new SharedEventBus(shared),
        handler: ({ log }) => log('info', 'said').then(() => 'done'),
        handlers: {
          started: () => undefined,
          resources: { [uri]: { name: 'watched', read: () => 'watched' } },
        },
      }),
    ),
  )) as [Awaited<ReturnType<typeof start>>, Awaited<ReturnType<typeof start>>];
  const session = await first.open();
  const saysNothing = async (node: typeof first): Promise<void> =>
    expect((await node.post(call, session)).headers['content-type']).toBe('application/json');
  expect((await second.post(ping, session)).status).toBe(200);
  const listening = await second.listen(session);
  await listening.next();
  expect((await first.post(request('resources/subscribe', { uri }), session)).status).toBe(200);
  expect((await first.post(request('logging/setLevel', { level: 'error' }), session)).status).toBe(200);
  await vi.waitFor(async () => saysNothing(second));
  await restartEmpty(redis, states);
  for (const node of [first, second]) await vi.waitFor(async () => saysNothing(node));
  // The other node may still be subscribing anew.
  const change = () => first.server.bus.publishEvent({ kind: 'resource-updated', uri });
  const timer = setInterval(change, 100);
  onTestFinished(() => clearInterval(timer));
  expect(await listening.message()).toEqual(updated);
});

test.runIf(HAS_REDIS)(`a running task is found by other nodes afterwards (${WHERE})`, async () => {
  const { open: release, opened } = gate();
  const redis = await startRedis();
  const states = await Promise.all([connect(redis.url), connect(redis.url)]);
  const execution = { taskSupport: 'optional' } as const;
  const tool = { name: 'x', inputSchema: { type: 'object' }, execution, handler: () => opened } as const;
  const [one, other] = states.map(({ shared }) => {
    const bus = new SharedEventBus(shared);
    const server = newServer({ handlers: { extraTools: [tool] }, shared, bus });
    const _meta = metaOf({ [META.clientCapabilities]: DECLARED });
    return async (method: string, params: object) => (await server.ask(method, { ...params, _meta })).result;
  });
  const { taskId } = (await one?.('tools/call', { name: 'x' })) ?? {};
  expect(await other?.('tasks/get', { taskId })).toMatchObject({ status: 'working' });
  await restartEmpty(redis, states);
  await vi.waitFor(async () =>
    expect(await other?.('tasks/get', { taskId })).toMatchObject({ status: 'working' }),
  );
  release();
  await vi.waitFor(async () =>
    expect(await other?.('tasks/get', { taskId })).toMatchObject({ status: 'completed' }),
  );
});
