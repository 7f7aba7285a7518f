/** Debian's `redis-server`, on a free port of this machine and without a file. */
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';

import { freePort } from '../free-port.mjs';
import { programCalled } from '../../e2e-real/servers/debian.mjs';
import { endOf } from '../bench-runtime/process.mjs';
import { run } from '../run.mjs';
import { spawnOwn } from './processes.mjs';

/** Installs it where it is missing and this user may. @throws with what to do */
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

export class Redis {
  #folder;
  #port;
  #child;

  /** @param {string} folder where it may write */
  static async start(folder) {
    const redis = new Redis();
    redis.#folder = await mkdtemp(path.join(folder, 'redis-'));
    redis.#port = await freePort();
    await redis.restart();
    return redis;
  }

  get port() {
    return this.#port;
  }

  get url() {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Starts it, empty. Resolves when it takes connections. */
  async restart() {
    const args = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const child = spawnOwn('redis-server', args, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve, reject) => {
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        said = `${said}${text}`.slice(-4_000);
        if (/Ready to accept connections/.test(said)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}:\n${said}`)));
    });
    this.#child = child;
  }

  /** Redis keeps its connections, and answers nothing. */
  freeze() {
    this.#child.kill('SIGSTOP');
  }

  thaw() {
    this.#child.kill('SIGCONT');
  }

  async kill() {
    const ended = endOf(this.#child);
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/**
 * Runs `work` with an empty Redis, and ends it afterwards.
 * @template R
 * @param {string} folder
 * @param {(redis: Redis) => Promise<R>} work
 * @returns {Promise<R>}
 */
export async function withRedis(folder, work) {
  const redis = await Redis.start(folder);
  try {
    return await work(redis);
  } finally {
    await redis.kill();
  }
}
