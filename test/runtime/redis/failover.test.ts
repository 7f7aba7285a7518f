// Clusters, sentinels and TLS: what happens when a part of them goes, and that all comes back without a restart.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import type { SharedState } from '../../../templates/runtime/feature-loaders.ts';
import { type Deployment, startCluster, startSentinels, startTls, trustAuthority } from './deployments.ts';
import { connect, HAS_REDIS, WHERE } from './states.ts';

const inRedis = test.runIf(HAS_REDIS);
/** A failover, not our recovery, takes most of it. */
const LONG = { timeout: 20_000, interval: 20 };

afterEach(() => void vi.restoreAllMocks());

async function openNodes(deployment: Deployment, told: string[] = []): Promise<SharedState[]> {
  onTestFinished(deployment.stop);
  const tell = (words: string) => void told.push(words);
  const opened = await Promise.all([1, 2].map(async () => connect('', deployment.env, tell)));
  onTestFinished(async () => void (await Promise.all(opened.map(({ shared }) => shared.close()))));
  return opened.map(({ shared }) => shared);
}

/** Every slot of a cluster is tried. */
async function takesAll(shared: SharedState): Promise<boolean> {
  const keys = Array.from({ length: 40 }, (_, number) => `${Math.random()} ${number}`);
  const taken = await Promise.all(keys.map(async (key) => shared.takeOnce(key, 1_000).catch(() => false)));
  return taken.every(Boolean);
}

const deployments = {
  'a cluster whose replicas take over': () => startCluster(3, 1),
  'sentinels whose replica takes over': () => startSentinels(),
};

test.runIf(HAS_REDIS).each(Object.entries(deployments))(
  `%s: commands and subscriptions go on (${WHERE})`,
  async (_, start) => {
    const deployment = await start();
    const [one, other] = await openNodes(deployment);
    if (one === undefined || other === undefined) throw new Error('two nodes are needed');
    const heard = { one: new Set<string>(), other: new Set<string>() };
    await one.subscribe('c', (text) => heard.one.add(text));
    await other.subscribe('c', (text) => heard.other.add(text));
    expect(await one.isRevoked('session')).toBe(false);
    await deployment.redises[0]?.stop();
    await vi.waitFor(async () => expect(await takesAll(one)).toBe(true), LONG);
    await vi.waitFor(async () => expect(await takesAll(other)).toBe(true), LONG);
    let sent = 0;
    await vi.waitFor(async () => {
      await one.publish('c', `from one ${++sent}`);
      expect([...heard.other].some((text) => text.startsWith('from one'))).toBe(true);
    }, LONG);
    await vi.waitFor(async () => {
      await other.publish('c', `from other ${++sent}`);
      expect([...heard.one].some((text) => text.startsWith('from other'))).toBe(true);
    }, LONG);
    await other.revoke('session', 60_000);
    await vi.waitFor(async () => expect(await one.isRevoked('session')).toBe(true), LONG);
  },
  90_000,
);

inRedis(
  `a cluster that is not there at the start is found later (${WHERE})`,
  async () => {
    const told: string[] = [];
    const port = await freePort();
    const { shared } = await connect(
      '',
      {
        MCP_REDIS_MODE: 'cluster',
        MCP_REDIS_URL: `redis://nodes:word@127.0.0.1:${port}`,
      },
      (words) => void told.push(words),
    );
    onTestFinished(() => shared.close());
    expect(told).toEqual([expect.stringContaining('warning: Redis is away')]);
    const deployment = await startCluster(3, 0, port);
    onTestFinished(deployment.stop);
    await vi.waitFor(async () => expect(await takesAll(shared)).toBe(true), LONG);
    expect(told.slice(1)).toEqual(['Redis is back.']);
  },
  60_000,
);

inRedis(
  `sentinels that are not there at the start are found later (${WHERE})`,
  async () => {
    const told: string[] = [];
    const port = await freePort();
    const { shared } = await connect(
      '',
      {
        MCP_REDIS_MODE: 'sentinel',
        MCP_REDIS_SENTINEL_MASTER: 'nodes',
        MCP_REDIS_URL: `redis://nodes:word@127.0.0.1:${port}`,
      },
      (words) => void told.push(words),
    );
    onTestFinished(() => shared.close());
    expect(told).toEqual([expect.stringContaining('warning: Redis is away')]);
    const deployment = await startSentinels(1, port);
    onTestFinished(deployment.stop);
    await vi.waitFor(async () => expect(await takesAll(shared)).toBe(true), LONG);
    expect(told.slice(1)).toEqual(['Redis is back.']);
  },
  60_000,
);

inRedis(
  `TLS by an authority that this process does not trust is refused, with the reason (${WHERE})`,
  async () => {
    const deployment = await startTls();
    const told: string[] = [];
    const [one] = await openNodes(deployment, told);
    expect(told[0]).toMatch(/^warning: Redis is away \(.*(self.signed|unable to verify|certificate)/);
    await expect(one?.takeOnce('k', 1_000)).rejects.toMatchObject({ origin: 'away' });
  },
);

inRedis(`over TLS: stopped, started again, found again (${WHERE})`, async () => {
  trustAuthority();
  const deployment = await startTls();
  const [one, other] = await openNodes(deployment);
  const heard: string[] = [];
  await other?.subscribe('c', (text) => void heard.push(text));
  const [redis] = deployment.redises;
  await redis?.stop();
  await vi.waitFor(async () => expect(one?.takeOnce('k', 1_000)).rejects.toMatchObject({ origin: 'away' }));
  const again = await startTls(redis?.port);
  onTestFinished(again.stop);
  await vi.waitFor(async () => expect(await one?.takeOnce('k', 1_000)).toBe(true), LONG);
  await vi.waitFor(async () => {
    await one?.publish('c', 'x');
    expect(heard).toContain('x');
  }, LONG);
});
