// Both implementations of `SharedState` do the same for the nodes that share it.
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryState, RateLimiter } from '../../../templates/runtime/core/shared-state.ts';
import { startCluster, startSentinels, startTls, trustAuthority } from './deployments.ts';
import { connect, HAS_REDIS, memoryPair, type Pair, startRedis, WHERE } from './states.ts';

const LONG = 60_000;

interface Place {
  /** MCP_REDIS_… */
  env: Record<string, string>;
  stop(): Promise<void>;
}

const REDISES: Record<string, () => Promise<Place>> = {
  'redis with an ACL user': async () => {
    const { url, stop } = await startRedis('pass-word');
    return { env: { MCP_REDIS_URL: url }, stop };
  },
  'redis with TLS': startTls,
  'a cluster': startCluster,
  'the master of sentinels': startSentinels,
};
const PLACES = ['memory', ...(HAS_REDIS ? Object.keys(REDISES) : [])];

async function openPair({ env }: Place): Promise<Pair> {
  const [{ shared: one }, { shared: other }] = await Promise.all([connect('', env), connect('', env)]);
  return { one, other };
}

test('memory that is full refuses new keys, and forgets none before its time', async () => {
  const clock = vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const state = new MemoryState(2);
  expect([await state.takeOnce('a', 100), await state.takeOnce('b', 200)]).toEqual([true, true]);
  await expect(state.takeOnce('c', 100)).rejects.toMatchObject({ retrySeconds: 60 });
  expect(await state.takeOnce('a', 100)).toBe(false);
  clock.setSystemTime(Date.now() + 100);
  expect([await state.takeOnce('c', 100), await state.takeOnce('b', 100)]).toEqual([true, false]);
  expect(state.count).toBe(2);
});

describe.each(PLACES)(`in %s (${WHERE})`, (place) => {
  let pair: Pair;
  let at = 0;
  const key = () => `key ${++at} {x} \u2028`;
  let redis: Place | undefined;
  beforeAll(async () => {
    trustAuthority();
    redis = await REDISES[place]?.();
    pair = redis === undefined ? memoryPair() : await openPair(redis);
  }, 60_000);
  afterAll(async () => {
    await pair.one.close();
    await pair.other.close();
    await redis?.stop();
    vi.restoreAllMocks();
  });

  test('it is shared, and up', () => {
    expect(pair.one.isShared).toBe(true);
    expect(pair.one.scope).toBe(pair.other.scope);
    expect(pair.one.health).toEqual({
      store: place === 'memory' ? 'memory' : 'redis',
      state: 'up',
      since: expect.any(Date),
    });
  });

  test('what is raced for is taken once', async () => {
    for (let round = 0; round < 200; round++) {
      const name = key();
      const { one, other } = pair;
      const taken = await Promise.all([one, other, one].map(async (node) => node.takeOnce(name, LONG)));
      expect(taken.filter(Boolean)).toHaveLength(1);
    }
  });

  test('what was taken can be taken again after its time', async () => {
    const name = key();
    expect(await pair.one.takeOnce(name, 20)).toBe(true);
    await vi.waitFor(async () => expect(await pair.other.takeOnce(name, 20)).toBe(true), { interval: 10 });
  });

  test('a rate is one for all: what is spent, and how long to wait', async () => {
    const name = key();
    const spent = await Promise.all(
      Array.from({ length: 30 }, async (_, n) =>
        (n % 2 ? pair.one : pair.other).takeRateToken(name, 10, LONG),
      ),
    );
    expect(spent.filter((waitMs) => waitMs === 0)).toHaveLength(10);
    const waits = spent.filter((waitMs) => waitMs > 0);
    expect(Math.min(...waits)).toBeGreaterThan(5_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(6_000);
    expect(await pair.one.takeRateToken(key(), 10, LONG)).toBe(0);
  });

  test('a rate refills', async () => {
    const name = key();
    expect(await pair.one.takeRateToken(name, 1, 40)).toBe(0);
    await vi.waitFor(async () => expect(await pair.other.takeRateToken(name, 1, 40)).toBe(0), {
      interval: 10,
    });
  });

  test('values: set, read, replaced only as expected, deleted, forgotten', async () => {
    const { one, other } = pair;
    const name = key();
    expect(await one.get(name)).toBeUndefined();
    expect(await one.compareAndSet(name, 'x', 'y', LONG)).toBe(false);
    expect(await one.compareAndSet(name, undefined, 'a', LONG)).toBe(true);
    expect(await other.compareAndSet(name, undefined, 'b', LONG)).toBe(false);
    expect(await other.compareAndSet(name, 'a', 'b\n"', LONG)).toBe(true);
    expect(await one.get(name)).toBe('b\n"');
    await one.set(name, '', LONG);
    expect(await other.get(name)).toBe('');
    expect(await other.compareAndSet(name, '', 'c', LONG)).toBe(true);
    await other.delete(name);
    expect(await one.get(name)).toBeUndefined();
    await one.set(name, 'short', 20);
    await vi.waitFor(async () => expect(await other.get(name)).toBeUndefined(), { interval: 10 });
  });

  test('streams: in order, from a place on, the newest of them', async () => {
    const { one, other } = pair;
    const name = key();
    expect(await one.readEntries(name)).toEqual([]);
    const ids = [];
    for (const text of ['a', 'b', 'c', 'd'])
      ids.push(await one.appendEntry(name, text, { most: 3, ttlMs: LONG }));
    const all = await other.readEntries(name);
    expect(all.map(({ text }) => text)).toEqual(['b', 'c', 'd']);
    expect(all.map(({ id }) => id)).toEqual(ids.slice(1));
    expect((await other.readEntries(name, ids[1])).map(({ text }) => text)).toEqual(['c', 'd']);
    expect(await other.readEntries(name, ids[3])).toEqual([]);
  });

  test('streams are forgotten after their time', async () => {
    const name = key();
    await pair.one.appendEntry(name, 'a', { most: 3, ttlMs: 20 });
    await vi.waitFor(async () => expect(await pair.other.readEntries(name)).toEqual([]), { interval: 10 });
  });

  test('who waits for a stream is woken by each entry, until it ends', async () => {
    const name = key();
    let woken = 0;
    const end = await pair.other.onAppend(name, () => woken++);
    await pair.one.appendEntry(name, 'a', { most: 3, ttlMs: LONG });
    await vi.waitFor(() => expect(woken).toBe(1), { interval: 1 });
    end();
    await pair.one.appendEntry(name, 'b', { most: 3, ttlMs: LONG });
    await pair.one.publish('other', '');
    expect(woken).toBe(1);
  });

  test('a text reaches all listeners of its channel, each until it ends', async () => {
    const { one, other } = pair;
    const heard: string[] = [];
    const listener = (text: string) => void heard.push(text);
    const ends = [await one.subscribe('c', listener), await other.subscribe('c', listener)];
    const elsewhere = await other.subscribe('d', listener);
    await one.publish('c', 'first \u0000');
    await vi.waitFor(() => expect(heard).toEqual(['first \u0000', 'first \u0000']), { interval: 1 });
    ends[0]?.();
    await one.publish('c', 'second');
    await vi.waitFor(() => expect(heard.slice(2)).toEqual(['second']), { interval: 1 });
    ends[1]?.();
    elsewhere();
  });

  test('what one node revokes is revoked everywhere, also where it was asked for before', async () => {
    const { one, other } = pair;
    const [early, late] = [key(), key()];
    expect(await other.isRevoked(early)).toBe(false);
    await one.revoke(early, LONG);
    await one.revoke(late, LONG);
    await vi.waitFor(async () => expect(await other.isRevoked(early)).toBe(true), { interval: 1 });
    expect(await other.isRevoked(late)).toBe(true);
    expect(await one.isRevoked(early)).toBe(true);
    expect(await one.isRevoked(key())).toBe(false);
  });
});

test('in memory, values are dropped when others are kept after their time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  try {
    const state = new MemoryState();
    expect([await state.takeOnce('a', 1_000), await state.takeOnce('a', 1_000), state.count]).toEqual([
      true,
      false,
      1,
    ]);
    vi.setSystemTime(2_000);
    await state.takeOnce('b', 1_000);
    expect(state.count).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a limiter says how long to wait', () => {
  let now = 0;
  const limiter = new RateLimiter(1, () => now);
  expect([limiter.tryTake(), limiter.tryTake(), limiter.waitSeconds]).toEqual([true, false, 60]);
  now = 59_500;
  expect([Math.round(limiter.waitMs), limiter.waitSeconds]).toEqual([500, 1]);
});
