/** Debian's `redis-server`, on a free port of this machine and without a file. */
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';

import { freePort } from '../free-port.mjs';
import { programCalled } from '../../e2e-real/servers/debian.mjs';
import { endOf } from '../bench-runtime/process.mjs';
import { run } from '../run.mjs';

/** Installs it where it is missing and this user may. Throws with what to do. */
export async function installRedis() {
  if (programCalled('redis-server') !== undefined) return;
  console.error('installing redis-server …');
  const apt = (...args) => run('apt-get', args).catch((error) => ({ code: 1, stderr: String(error) }));
  await apt('update');
  const ended = await apt('install', '-y', '--no-install-recommends', 'redis-server');
  if (ended.code === 0 && programCalled('redis-server') !== undefined) return;
  throw new Error(
    `There is no redis-server here (apt-get install redis-server): ${ended.stderr.slice(-500)}`,
  );
}

/** Starts an empty one; resolves when it takes connections. `folder`: where it may write. */
export async function startRedis(folder) {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const cwd = await mkdtemp(path.join(folder, 'redis-'));
  const child = spawn('redis-server', args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said = `${said}${text}`.slice(-4_000);
      if (/Ready to accept connections/.test(said)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}:\n${said}`)));
  });
  const kill = async () => {
    const ended = endOf(child);
    stop();
    await ended;
    process.off('exit', stop);
  };
  return { port, url: `redis://127.0.0.1:${port}`, kill };
}

/** Runs `work` with a Redis, and ends it afterwards. */
export async function withRedis(folder, work) {
  const redis = await startRedis(folder);
  try {
    return await work(redis);
  } finally {
    await redis.kill();
  }
}
