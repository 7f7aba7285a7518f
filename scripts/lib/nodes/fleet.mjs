/** Processes of one server behind a balancer. */
import { endOf, urlOf } from '../bench-runtime/process.mjs';
import { watch } from '../soak/server.mjs';
import { Balancer } from './balancer.mjs';
import { spawnOwn } from './processes.mjs';

/** Long enough for the server. */
export const STATE_SECRET = 'nodes-share-this-secret-of-48-characters-000000';

/**
 * @typedef {object} Settings
 * @property {Record<string, string>} [env]
 * @property {string[]} [args]
 */

export class Fleet {
  #main;
  #settings;
  #started = 0;
  /** Names of nodes that were killed, and when. @type {Map<string, number>} */
  killed = new Map();
  /** @type {{ name: string, url: URL, child: import('node:child_process').ChildProcess, said: () => string }[]} */
  nodes = [];

  /**
   * @param {string} main
   * @param {number} count
   * @param {Settings} settings
   * @param {Balancer} balancer
   */
  constructor(main, settings, balancer) {
    this.#main = main;
    this.#settings = settings;
    this.balancer = balancer;
  }

  /** The balancer's. */
  get url() {
    return this.balancer.url;
  }

  /** Starts one more node. Resolves when the balancer sends it requests. */
  async start() {
    const { env = {}, args = [] } = this.#settings;
    const flags = ['--transport', 'http', '--port', '0', '--trusted-proxy', '127.0.0.1', ...args];
    const child = spawnOwn(process.execPath, [this.#main, ...flags], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = watch(child);
    const url = await urlOf(child);
    const node = { name: `node-${++this.#started}`, url, child, said };
    await this.balancer.add(node.name, url);
    this.nodes.push(node);
    return node;
  }

  /** Kills the oldest node hard, and starts another. @returns {Promise<string>} its name */
  async killOne() {
    const node = this.nodes.shift();
    const ended = endOf(node.child);
    this.killed.set(node.name, performance.now());
    node.child.kill('SIGKILL');
    await ended;
    this.balancer.remove(node.name);
    await this.start();
    return node.name;
  }

  /** Stops the oldest node as an orchestrator does, once another is ready. Resolves when it is gone. */
  async replaceOne() {
    const node = this.nodes.shift();
    await this.start();
    await stop(node);
    this.balancer.remove(node.name);
  }

  /** @throws when a node does not end well */
  async close() {
    await this.balancer.close();
    await Promise.all(this.nodes.map(stop));
  }
}

async function stop({ name, child, said }) {
  const ended = endOf(child);
  child.kill('SIGTERM');
  const code = (await ended) ?? child.exitCode;
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${said()}`);
}

/**
 * Runs `work` with so many nodes behind a balancer, and ends them afterwards.
 * @template R
 * @param {string} main
 * @param {Settings & { count: number }} settings
 * @param {(fleet: Fleet) => Promise<R>} work
 * @returns {Promise<R>}
 */
export async function withFleet(main, { count, ...settings }, work) {
  const own = { ...settings, env: { MCP_STATE_SECRET: STATE_SECRET, ...settings.env } };
  const fleet = new Fleet(main, own, await Balancer.open());
  try {
    for (let index = 0; index < count; index++) await fleet.start();
    const result = await work(fleet);
    await fleet.close();
    return result;
  } catch (error) {
    for (const { child } of fleet.nodes) child.kill('SIGKILL');
    await fleet.balancer.close().catch(() => undefined);
    throw error;
  }
}
