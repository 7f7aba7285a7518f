/** A cluster, sentinels and TLS: real ones, on this machine. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { end, type RedisProcess, spawnRedis, untilSaid, usersWith } from './states.ts';

const run = promisify(execFile);

export interface Deployment {
  /** MCP_REDIS_… */
  env: Record<string, string>;
  redises: RedisProcess[];
  stop(): Promise<void>;
}

async function withFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'redis-test-'));
}

async function stopAll(folder: string, processes: ChildProcess[]): Promise<void> {
  await Promise.all(processes.map(end));
  await rm(folder, { recursive: true, force: true });
}

const ACL = 'nodes on >word ~test:* &test:* +@all -@admin -@dangerous';

/** So many masters with a replica each, and an ACL user. */
export async function startCluster(masters = 3, replicas = 0, firstPort?: number): Promise<Deployment> {
  const folder = await withFolder();
  const redises: RedisProcess[] = [];
  for (let node = 0; node < masters * (1 + replicas); node++) {
    const port = (node === 0 ? firstPort : undefined) ?? (await freePort());
    const files = [`dir ${folder}`, `cluster-config-file nodes-${port}.conf`];
    const lines = [`port ${port}`, 'cluster-enabled yes', 'cluster-node-timeout 1000', ...files];
    redises.push(await spawnRedis(port, lines, `redis://nodes:word@127.0.0.1:${port}`));
  }
  const addresses = redises.map(({ port }) => `127.0.0.1:${port}`);
  const cli = async (port: number, ...args: string[]) => run('redis-cli', ['-p', String(port), ...args]);
  const create = [
    '--cluster',
    'create',
    ...addresses,
    '--cluster-replicas',
    String(replicas),
    '--cluster-yes',
  ];
  await run('redis-cli', create);
  for (const { port } of redises) {
    while (!(await cli(port, 'cluster', 'info')).stdout.includes('cluster_state:ok')) await pause(50);
    await cli(port, 'acl', 'setuser', ...ACL.split(' '));
  }
  // A replica that has copied nothing yet can't take over.
  for (const { port } of redises.slice(masters))
    while (!(await cli(port, 'info', 'replication')).stdout.includes('master_link_status:up'))
      await pause(50);
  return {
    env: {
      MCP_REDIS_MODE: 'cluster',
      MCP_REDIS_URL: addresses
        .slice(0, 2)
        .map((each) => `redis://nodes:word@${each}`)
        .join(),
    },
    redises,
    stop: () =>
      stopAll(
        folder,
        redises.map(({ process }) => process),
      ),
  };
}

/** A master, a replica, and sentinels that make the replica master a second after the master has gone. */
export async function startSentinels(count = 3, firstPort?: number): Promise<Deployment> {
  const folder = await withFolder();
  const [port, other] = [await freePort(), await freePort()];
  const user = [`user ${ACL}`];
  const redises = [
    await spawnRedis(port, [`port ${port}`, ...user], ''),
    await spawnRedis(other, [`port ${other}`, `replicaof 127.0.0.1 ${port}`, ...user], ''),
  ];
  const sentinels: ChildProcess[] = [];
  const ports: number[] = [];
  for (let each = 0; each < count; each++) {
    const own = (each === 0 ? firstPort : undefined) ?? (await freePort());
    const file = path.join(folder, `sentinel-${own}.conf`);
    const lines = [
      `port ${own}`,
      'bind 127.0.0.1',
      `sentinel monitor nodes 127.0.0.1 ${port} ${Math.floor(count / 2) + 1}`,
      'sentinel down-after-milliseconds nodes 500',
      'sentinel failover-timeout nodes 3000',
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'ignore'] });
    await untilSaid(child, '+monitor master nodes');
    sentinels.push(child);
    ports.push(own);
  }
  const known = async (at: number) => (await run('redis-cli', ['-p', String(at), 'info', 'sentinel'])).stdout;
  for (const at of ports) while (!(await known(at)).includes(`slaves=1,sentinels=${count}`)) await pause(100);
  return {
    env: {
      MCP_REDIS_MODE: 'sentinel',
      MCP_REDIS_SENTINEL_MASTER: 'nodes',
      MCP_REDIS_URL: ports.map((each) => `redis://nodes:word@127.0.0.1:${each}`).join(),
    },
    redises,
    stop: () => stopAll(folder, [...sentinels, ...redises.map(({ process }) => process)]),
  };
}

const pem = (name: string): string => fileURLToPath(new URL(`../../support/tls/${name}`, import.meta.url));

/** As NODE_EXTRA_CA_CERTS does, which Node.js reads when a process begins. Undone by `vi.restoreAllMocks`. */
export function trustAuthority(): void {
  const { connect } = tls;
  vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions, ...rest: [() => void]) =>
    connect({ ...options, ca: readFileSync(pem('authority.pem')) }, ...rest)) as typeof connect);
}

/** TLS alone, by the authority of the tests. */
export async function startTls(at?: number): Promise<Deployment> {
  const port = at ?? (await freePort());
  const files = [`tls-cert-file ${pem('server.pem')}`, `tls-key-file ${pem('server-key.pem')}`];
  const lines = [
    'port 0',
    `tls-port ${port}`,
    ...files,
    `tls-ca-cert-file ${pem('authority.pem')}`,
    'tls-auth-clients no',
  ];
  const redis = await spawnRedis(port, [...lines, ...usersWith('word')], '');
  return {
    env: { MCP_REDIS_URL: `rediss://nodes:word@127.0.0.1:${port}` },
    redises: [redis],
    stop: redis.stop,
  };
}

async function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
