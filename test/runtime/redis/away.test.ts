// While Redis is away: what is refused, what goes on, and that it is found again without a restart.
import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { SharedMemory } from '../../support/shared-memory.ts';
import { Heartbeat } from '../../../templates/runtime/redis/heartbeat.ts';
import { SharedRateLimiters } from '../../../templates/runtime/redis/shared-limiters.ts';
import type { Connection } from '../../../templates/runtime/redis/connection.ts';
import { openRedis } from '../../../templates/runtime/redis/index.ts';
import { RedisState } from '../../../templates/runtime/redis/redis-state.ts';
import { parseRedisSettings } from '../../../templates/runtime/redis/settings.ts';
import { connect, HAS_REDIS, startRedis } from './states.ts';

const away = { code: -32603, origin: 'away', retrySeconds: 2 };
const inRedis = test.runIf(HAS_REDIS);
const LOUD = HAS_REDIS ? '' : ' (NOT TRIED: redis-server is not installed)';

inRedis(`stopped and started again: refused with words, heard again, found again${LOUD}`, async () => {
  const redis = await startRedis();
  const told: string[] = [];
  const { shared } = await connect(redis.url, { MCP_NODES: '2' }, (words) => told.push(words));
  onTestFinished(() => shared.close());
  const heard: string[] = [];
  await shared.subscribe('c', (text) => heard.push(text));
  await redis.stop();
  await vi.waitFor(async () => expect(shared.takeOnce('k', 1_000)).rejects.toMatchObject(away));
  expect(shared.health.state).toBe('down');
  const limiter = new SharedRateLimiters(shared, 4, 10).limiterForClient('client');
  const taken = [await limiter.tryTake(), await limiter.tryTake(), await limiter.tryTake()];
  expect([taken, limiter.waitSeconds]).toEqual([[true, true, false], 30]);
  expect(await shared.isRevoked('session')).toBe(false);
  await shared.revoke('session', 60_000);
  const again = await startRedis(undefined, redis.port);
  onTestFinished(again.stop);
  await vi.waitFor(async () => expect(await shared.takeOnce('k', 1_000)).toBe(true), { timeout: 5_000 });
  await vi.waitFor(async () => {
    await shared.publish('c', 'x');
    expect(heard).toContain('x');
  });
  const { shared: later } = await connect(redis.url);
  onTestFinished(() => later.close());
  await vi.waitFor(async () => expect(await later.isRevoked(`session`)).toBe(true));
  expect(told).toEqual([expect.stringContaining('warning: Redis is away ('), 'Redis is back.']);
});

inRedis(
  `one that has become a replica is left for the master that its name leads to now${LOUD}`,
  async () => {
    const [former, master] = [await startRedis(), await startRedis()];
    let target = former.port;
    const name = createServer((socket) => {
      const behind = connectTo(target, '127.0.0.1');
      for (const each of [socket, behind]) each.on('error', () => each.destroy());
      socket.pipe(behind).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(name, 'listening');
    const { shared } = await connect(`redis://127.0.0.1:${(name.address() as AddressInfo).port}`);
    onTestFinished(async () => {
      await shared.close();
      name.close();
      await Promise.all([former.stop(), master.stop()]);
    });
    expect(await shared.takeOnce('k', 60_000)).toBe(true);
    target = master.port;
    const admin = await createClient({ url: former.url }).connect();
    await admin.sendCommand(['REPLICAOF', '127.0.0.1', String(master.port)]);
    admin.destroy();
    await expect(shared.takeOnce('k', 1_000)).rejects.toMatchObject(away);
    await vi.waitFor(async () => expect(await shared.takeOnce('k', 1_000)).toBe(true), { timeout: 10_000 });
  },
);

inRedis(
  `one that hangs is away at once for all but the first, and is back when it goes on${LOUD}`,
  async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const { shared } = await connect(redis.url, { MCP_REVOCATION: 'strict' });
    onTestFinished(() => shared.close());
    redis.process.kill('SIGSTOP');
    await expect(shared.takeOnce('k', 1_000)).rejects.toMatchObject(away);
    await expect(shared.takeOnce('k', 1_000)).rejects.toMatchObject(away);
    await expect(shared.isRevoked('session')).rejects.toMatchObject(away);
    redis.process.kill('SIGCONT');
    await vi.waitFor(async () => expect(await shared.takeOnce('other', 1_000)).toBe(true), {
      timeout: 5_000,
    });
  },
);

inRedis(`one that refuses writes is away until it takes them, and that is said once${LOUD}`, async () => {
  const redis = await startRedis();
  onTestFinished(redis.stop);
  const admin = await createClient({ url: redis.url }).connect();
  onTestFinished(() => admin.destroy());
  const told: string[] = [];
  const { shared } = await connect(redis.url, {}, (words) => told.push(words));
  onTestFinished(() => shared.close());
  await admin.sendCommand(['CONFIG', 'SET', 'maxmemory', '1']);
  await expect(shared.takeOnce('k', 1_000)).rejects.toMatchObject(away);
  await pause(500);
  expect(shared.health.state).toBe('down');
  await admin.sendCommand(['CONFIG', 'SET', 'maxmemory', '0']);
  await vi.waitFor(async () => expect(await shared.takeOnce('k', 1_000)).toBe(true), { timeout: 5_000 });
  expect(told).toEqual([expect.stringContaining('warning: Redis is away (OOM'), 'Redis is back.']);
});

inRedis(`a clock of Redis that was set back refuses nobody${LOUD}`, async () => {
  const redis = await startRedis();
  onTestFinished(redis.stop);
  const { shared } = await connect(redis.url);
  onTestFinished(() => shared.close());
  const admin = await createClient({ url: redis.url }).connect();
  onTestFinished(() => admin.destroy());
  expect(await shared.takeRateToken('client', 10, 60_000)).toBe(0);
  const [name = ''] = await admin.keys('test:rate:*');
  await admin.hSet(name, 'a', String(Date.now() + 3_600_000));
  expect(await shared.takeRateToken('client', 10, 60_000)).toBe(0);
});

inRedis(`a password that is refused is not shown${LOUD}`, async () => {
  const redis = await startRedis('right-password');
  onTestFinished(redis.stop);
  const told: string[] = [];
  const { shared } = await connect(redis.url.replace('right', 'wrong'), {}, (words) => told.push(words));
  onTestFinished(() => shared.close());
  expect(told).toEqual([expect.stringMatching(/^warning: Redis is away \(WRONGPASS/)]);
  expect(told.join()).not.toContain('wrong-password');
});

test('what was revoked while a node was cut off is asked for when Redis is back', async () => {
  const returns: (() => void)[] = [];
  let leftMs = -2;
  const connection: Pick<Connection, 'health' | 'onReturn' | 'send' | 'subscribe'> = {
    health: { store: 'redis', state: 'up', since: new Date() },
    onReturn: (listener) => {
      returns.push(listener);
      return () => undefined;
    },
    send: async () => Promise.resolve(leftMs),
    // No notice comes.
    subscribe: async () => Promise.resolve(() => undefined),
  };
  const options = { prefix: 'test', nodes: 2, isStrict: false };
  const state = new RedisState(connection as Connection, options);
  expect(await state.isRevoked('session')).toBe(false);
  leftMs = 60_000;
  expect(await state.isRevoked('session')).toBe(false);
  for (const back of returns) back();
  expect(await state.isRevoked('session')).toBe(true);
});

test('after Redis was away, other nodes have time to say that they live', async () => {
  const health = { store: 'redis' as const, state: 'up' as const, since: new Date() };
  const state = Object.assign(new SharedMemory(), { health });
  const heart = Heartbeat.heartbeatOf(state);
  expect(await heart.isAlive('another')).toBe(true);
  health.since = new Date(Date.now() - 4_000);
  expect(await heart.isAlive('another')).toBe(false);
});

test('a server starts without Redis, and says so once', async () => {
  const told: string[] = [];
  const url = `redis://user:secret-word@127.0.0.1:${await freePort()}`;
  const { shared } = await connect(url, {}, (words) => told.push(words));
  onTestFinished(() => shared.close());
  expect(told).toEqual([expect.stringMatching(/^warning: Redis is away \(.*ECONNREFUSED/)]);
  expect(told.join()).not.toContain('secret-word');
  await expect(shared.takeOnce('k', 1_000)).rejects.toMatchObject(away);
});

const read = (env: Record<string, string>) => parseRedisSettings(env, 'Pet Store');

test('settings: one Redis, a cluster, sentinels', () => {
  expect(read({ MCP_REDIS_URL: 'rediss://us%40er:p%2Fw@redis.example/3' })).toMatchObject({
    mode: 'single',
    addresses: [{ host: 'redis.example', port: 6_379 }],
    tls: true,
    username: 'us@er',
    password: 'p/w',
    database: 3,
    prefix: 'Pet-Store',
    nodes: 1,
    isStrict: false,
  });
  const urls = 'redis://a:1, redis://[::1]';
  expect(read({ MCP_REDIS_URL: urls, MCP_REDIS_MODE: 'sentinel', MCP_NODES: '3' })).toMatchObject({
    mode: 'sentinel',
    addresses: [
      { host: 'a', port: 1 },
      { host: '::1', port: 26_379 },
    ],
    master: 'mymaster',
    nodes: 3,
  });
  expect(read({ MCP_REDIS_URL: urls, MCP_REDIS_MODE: 'cluster' }).mode).toBe('cluster');
});

test.each([
  [{ MCP_REDIS_URL: 'http://:secret-word@a' }, 'MCP_REDIS_URL must be a URL such as'],
  [{ MCP_REDIS_URL: 'user:secret-word@a:6379' }, 'MCP_REDIS_URL must be a URL such as'],
  [{ MCP_REDIS_URL: 'redis://:%secret-word@a' }, 'MCP_REDIS_URL must be a URL such as'],
  [{ MCP_REDIS_URL: 'redis://a/x?secret-word' }, 'MCP_REDIS_URL must be a URL such as'],
  [{ MCP_REDIS_URL: 'redis://:secret-word@a/db' }, 'The path of MCP_REDIS_URL'],
  [{ MCP_REDIS_URL: 'redis://:secret-word@a,redis://:secret-word@b' }, 'MCP_REDIS_URL must be one URL'],
  [{ MCP_REDIS_URL: 'redis://a,rediss://a', MCP_REDIS_MODE: 'cluster' }, 'must have the same scheme'],
  [{ MCP_REDIS_URL: 'redis://a/1', MCP_REDIS_MODE: 'cluster' }, 'a cluster has none but 0'],
  [
    { MCP_REDIS_URL: 'redis://a', MCP_REDIS_MODE: 'many' },
    'MCP_REDIS_MODE must be single, cluster, sentinel',
  ],
  [{ MCP_REDIS_URL: 'redis://a', MCP_NODES: '0' }, 'MCP_NODES must be a whole number'],
  [{ MCP_REDIS_URL: 'redis://a', MCP_REDIS_PREFIX: 'a{b}' }, 'MCP_REDIS_PREFIX must be'],
  [{ MCP_REDIS_URL: 'redis://a', MCP_REVOCATION: 'no' }, 'MCP_REVOCATION must be lenient or strict'],
])('a setting that can not be used stops the start: %j', (env, words) => {
  expect(() => read(env)).toThrow(words);
  try {
    read(env);
  } catch (thrown) {
    expect(String(thrown)).not.toContain('secret-word');
  }
});

const NO_SECRET = expect.stringMatching(/^warning: MCP_STATE_SECRET is not set, so sessions and states/);

test.each([
  [{ MCP_NODES: '1' }, []],
  [{ MCP_NODES: '2' }, [NO_SECRET]],
  [{ MCP_NODES: '2', MCP_STATE_SECRET: 'x'.repeat(32) }, []],
])('nodes without Redis: %j', async (env, words) => {
  const told: string[] = [];
  expect(await openRedis(env, 'server', (each) => void told.push(each))).toBeUndefined();
  expect(told).toEqual(words);
});

test('with Redis, a missing secret is told, and what a missing number of nodes means', async () => {
  const told: string[] = [];
  const tell = (words: string) => void told.push(words);
  const url = `redis://127.0.0.1:${await freePort()}`;
  const { shared } = await connect(url, { MCP_STATE_SECRET: '' }, tell);
  onTestFinished(() => shared.close());
  expect(told).toEqual([
    NO_SECRET,
    expect.stringContaining('this node allows the whole rate, since MCP_NODES is not set, and single-use'),
  ]);
  const { shared: other } = await connect(url, { MCP_NODES: '2' }, tell);
  onTestFinished(() => other.close());
  expect(told.slice(2)).toEqual([
    expect.stringContaining('this node limits rates to its part, and single-use'),
  ]);
});
