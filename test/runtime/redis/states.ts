/** The implementations of `SharedState`: in memory, and in a Redis of the test's own where `redis-server` is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { SharedMemory } from '../../support/shared-memory.ts';
import type { SharedState } from '../../../templates/runtime/feature-loaders.ts';
import { openRedis } from '../../../templates/runtime/redis/index.ts';

export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

/** For the names of tests, so that a run says what it has not tried. */
export const WHERE = HAS_REDIS ? 'Redis' : 'NOT TRIED IN REDIS: redis-server is not installed';

export interface RedisProcess {
  url: string;
  port: number;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** @param password of the ACL user `nodes`, who may use the keys and channels of `test` alone */
export async function startRedis(password?: string, port?: number): Promise<RedisProcess> {
  const at = port ?? (await freePort());
  const lines = [`port ${at}`, ...(password === undefined ? [] : usersWith(password))];
  return spawnRedis(
    at,
    lines,
    `redis://${password === undefined ? '' : `nodes:${password}@`}127.0.0.1:${at}/0`,
  );
}

/** Lines of the ACL user `nodes`, and nobody else. */
export function usersWith(password: string): string[] {
  return [`user nodes on >${password} ~test:* &test:* +@all -@admin -@dangerous`, 'user default off'];
}

/** @param lines of its configuration, with its port */
export async function spawnRedis(port: number, lines: string[], url: string): Promise<RedisProcess> {
  const child = spawn('redis-server', ['-'], { stdio: ['pipe', 'pipe', 'ignore'] });
  // No file is left here, which the next Redis would read at its start: a replica would write what it copies.
  const silent = ['save ""', 'appendonly no', 'repl-diskless-load swapdb'];
  child.stdin.end(['bind 127.0.0.1', ...silent, ...lines, ''].join('\n'));
  await untilSaid(child, 'Ready to accept connections');
  return { url, port, process: child, stop: () => end(child) };
}

/** @throws if it ends before */
export async function untilSaid(child: ChildProcess, words: string): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      log = `${log}${String(chunk)}`.slice(-4_000);
      if (log.includes(words)) resolve();
    });
    child.on('exit', () => reject(new Error(`redis-server has ended: ${log}`)));
  });
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

export async function connect(
  url: string,
  env: Record<string, string> = {},
  tell: (words: string) => void = () => undefined,
) {
  const own = { MCP_REDIS_URL: url, MCP_REDIS_PREFIX: 'test', MCP_STATE_SECRET: 'x'.repeat(32), ...env };
  const opened = await openRedis(own, 'server', tell);
  if (opened === undefined) throw new Error('no Redis is named');
  return opened;
}

export interface Pair {
  /** Two nodes. */
  one: SharedState;
  other: SharedState;
}

/** In memory two nodes are two users of one object. */
export function memoryPair(): Pair {
  const one = new SharedMemory();
  return { one, other: one };
}

export const PLACES = HAS_REDIS ? ['memory', 'redis'] : ['memory'];

/** As another process sees the state: with another name. */
function asOther(state: SharedState, node: string): SharedState {
  return new Proxy(state, {
    get: (target, name) => {
      if (name === 'node') return node;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}

/** Opens one state for so many nodes. */
export async function openStates(place: string, count: number): Promise<SharedState[]> {
  const nodes = Array.from({ length: count }, (_, index) => `node-${index}`);
  if (place === 'memory') {
    const state = new SharedMemory();
    return nodes.map((node) => asOther(state, node));
  }
  const redis = await startRedis();
  const opened = await Promise.all(nodes.map(async () => connect(redis.url)));
  onTestFinished(async () => {
    await Promise.all(opened.map(({ shared }) => shared.close()));
    await redis.stop();
  });
  return opened.map(({ shared }) => shared);
}
