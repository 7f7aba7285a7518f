/** A Redis of the test's own, where `redis-server` is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { freePort } from '../../scripts/lib/free-port.mjs';

export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

/** For the names of tests, so that a run says what it has not tried. */
export const WHERE = HAS_REDIS ? 'Redis' : 'NOT TRIED: redis-server is not installed';

export interface RedisProcess {
  url: string;
  port: number;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** @param password of the ACL user `nodes`, who may use the keys and channels of `test` alone */
export async function startRedis({ password, port }: { password?: string; port?: number } = {}) {
  const at = port ?? (await freePort());
  const user = `user nodes on >${password} ~test:* &test:* +@all -@admin -@dangerous`;
  const lines = [`port ${at}`, ...(password === undefined ? [] : [user, 'user default off'])];
  const name = password === undefined ? '' : `nodes:${password}@`;
  return spawnRedis(at, lines, `redis://${name}127.0.0.1:${at}/0`);
}

/** @param lines of its configuration, with its port */
export async function spawnRedis(port: number, lines: string[], url: string): Promise<RedisProcess> {
  const child = spawn('redis-server', ['-'], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(['bind 127.0.0.1', 'save ""', 'appendonly no', ...lines, ''].join('\n'));
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      log = `${log}${String(chunk)}`.slice(-4_000);
      if (log.includes('Ready to accept connections')) resolve();
    });
    child.on('exit', () => reject(new Error(`redis-server has ended: ${log}`)));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  onTestFinished(stop);
  return { url, port, process: child, stop };
}
