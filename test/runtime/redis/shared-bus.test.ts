// Events of one node reach the subscribers of all, once, and also those who were cut off.
import { expect, onTestFinished, test, vi } from 'vitest';
import { SharedMemory } from '../../support/shared-memory.ts';
import type { ServerEvent } from '../../../templates/runtime/core/session.ts';
import type { SharedState } from '../../../templates/runtime/feature-loaders.ts';
import { sharedStateAwayError } from '../../../templates/runtime/protocol/json-rpc.ts';
import { parseServerEvent, SharedEventBus } from '../../../templates/runtime/redis/shared-bus.ts';
import { connect, HAS_REDIS, startRedis, WHERE } from './states.ts';

const TOOLS: ServerEvent = { kind: 'list-changed', list: 'tools' };
const UPDATED: ServerEvent = { kind: 'resource-updated', uri: 'a:b' };

/** A node's way to a state, which can be cut. */
class Way {
  readonly #returns = new Set<() => void>();
  readonly #heard: [channel: string, listener: (text: string) => void][] = [];
  readonly shared: SharedState;
  isCut = false;

  constructor(state: SharedMemory, node: string) {
    const guarded =
      <T extends unknown[], R>(work: (...args: T) => Promise<R>) =>
      async (...args: T): Promise<R> => {
        if (this.isCut) throw sharedStateAwayError();
        return work(...args);
      };
    const members = {
      node,
      onReconnect: (listener: () => void) => {
        this.#returns.add(listener);
        return () => void this.#returns.delete(listener);
      },
      get: guarded(async (key: string) => state.get(key)),
      set: guarded(async (key: string, value: string, ttlMs: number) => state.set(key, value, ttlMs)),
      publish: guarded(async (channel: string, text: string) => state.publish(channel, text)),
      subscribe: guarded(async (channel: string, listener: (text: string) => void) => {
        this.#heard.push([channel, listener]);
        return state.subscribe(channel, (text) => {
          if (!this.isCut) listener(text);
        });
      }),
    };
    this.shared = new Proxy<SharedState>(state, {
      get: (target, name) => {
        if (name === 'health') return { ...state.health, state: this.isCut ? 'down' : 'up' };
        return Reflect.get(name in members ? members : target, name) as unknown;
      },
    });
  }

  get subscriptions(): number {
    return this.#heard.length;
  }

  restore(): void {
    this.isCut = false;
    for (const listener of this.#returns) listener();
  }
}

function openNodes() {
  const state = new SharedMemory();
  return ['one', 'other'].map((name) => {
    const way = new Way(state, name);
    const bus = new SharedEventBus(way.shared);
    const heard: ServerEvent[] = [];
    bus.subscribe((event) => void heard.push(event));
    return { way, bus, heard };
  }) as [Node, Node];
}

interface Node {
  way: Way;
  bus: SharedEventBus;
  heard: ServerEvent[];
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('an event is heard once by each node, also by its own', async () => {
  const [one, other] = openNodes();
  await settle();
  one.bus.publishEvent(TOOLS);
  other.bus.publishEvent(UPDATED);
  await settle();
  expect([one.heard, other.heard]).toEqual([
    [TOOLS, UPDATED],
    [UPDATED, TOOLS],
  ]);
});

test('what a node could not say is said when it is back, equal events once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [one, other] = openNodes();
  await settle();
  one.way.isCut = true;
  for (const event of [TOOLS, TOOLS, UPDATED]) one.bus.publishEvent(event);
  await settle();
  expect(other.heard).toEqual([]);
  one.way.restore();
  await settle();
  vi.advanceTimersByTime(1_000);
  await settle();
  expect(other.heard).toHaveLength(2);
  expect(other.heard).toEqual(expect.arrayContaining([TOOLS, UPDATED]));
});

test('a node that was cut off tells of the lists that others changed meanwhile, and of no others', async () => {
  const [one, other] = openNodes();
  await settle();
  other.way.isCut = true;
  one.bus.publishEvent(TOOLS);
  await settle();
  expect(other.heard).toEqual([]);
  other.way.restore();
  await settle();
  expect(other.heard).toEqual([TOOLS]);
  other.way.restore();
  await settle();
  expect(other.heard).toEqual([TOOLS]);
});

test('who wants to listen meanwhile is refused, and nobody hears twice afterwards', async () => {
  const [one, other] = openNodes();
  await settle();
  other.way.isCut = true;
  await expect(other.bus.whenSubscribed()).rejects.toMatchObject({ origin: 'away' });
  other.way.restore();
  await other.bus.whenSubscribed();
  await settle();
  expect(other.way.subscriptions).toBe(1);
  one.bus.publishEvent(UPDATED);
  await settle();
  expect(other.heard).toEqual([UPDATED]);
});

test.runIf(HAS_REDIS)(`over Redis, also after it was away (${WHERE})`, async () => {
  const redis = await startRedis();
  onTestFinished(redis.stop);
  const opened = await Promise.all([connect(redis.url), connect(redis.url)]);
  onTestFinished(async () => void (await Promise.all(opened.map(({ shared }) => shared.close()))));
  const [one, other] = opened.map(({ bus }) => bus);
  const heard: ServerEvent[] = [];
  other?.subscribe((event) => void heard.push(event));
  await other?.whenSubscribed?.();
  one?.publishEvent(UPDATED);
  await vi.waitFor(() => expect(heard).toEqual([UPDATED]), { interval: 1 });
  await redis.stop();
  await vi
    .waitFor(() => expect(opened.map(({ shared }) => shared.health.state)).toEqual(['down', 'down']), {
      timeout: 3_000,
    })
    .catch(async () => Promise.all(opened.map(async ({ shared }) => shared.get('k').catch(() => undefined))));
  one?.publishEvent(TOOLS);
  const again = await startRedis(undefined, redis.port);
  onTestFinished(again.stop);
  await vi.waitFor(() => expect(heard).toContainEqual(TOOLS), { timeout: 6_000 });
});

test.each([
  ['no JSON', '{'],
  ['no object', '[]'],
  ['no event', '{"event":"tools"}'],
  ['a list that there is not', '{"event":{"kind":"list-changed","list":"__proto__"}}'],
  ['a resource without a name', '{"event":{"kind":"resource-updated","uri":1}}'],
  ['a task without an id', '{"event":{"kind":"task-changed","taskId":{}}}'],
  ['a kind that there is not', '{"event":{"kind":"constructor"}}'],
])('what others publish is no event: %s', (_, text) => {
  expect(parseServerEvent(text)).toBeUndefined();
});

test('of an event only what it says is read', () => {
  const text = '{"event":{"kind":"list-changed","list":"tools","__proto__":{"polluted":1},"more":1}}';
  expect(parseServerEvent(text)).toEqual(TOOLS);
});
