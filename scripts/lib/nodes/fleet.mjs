/** Processes of one server behind a balancer, and what surrounds them. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

import { endOf, urlOf } from '../bench-runtime/process.mjs';
import { Balancer } from './balancer.mjs';
import { withRedis } from './redis.mjs';

/** Long enough for the server. */
const STATE_SECRET = 'nodes-share-this-secret-of-48-characters-000000';

class Fleet {
  #main;
  #env;
  #started = 0;
  /** Names of nodes that were killed, and when. @type {Map<string, number>} */
  killed = new Map();
  nodes = [];

  constructor(main, env, balancer) {
    this.#main = main;
    this.#env = env;
    this.balancer = balancer;
  }

  /** The balancer's. */
  get url() {
    return this.balancer.url;
  }

  /** Starts one more node. Resolves when the balancer sends it requests. */
  async start() {
    const flags = ['--transport', 'http', '--port', '0', '--rate-limit', 'off'];
    const child = spawn(process.execPath, [this.#main, ...flags], {
      env: { PATH: process.env.PATH ?? '', MCP_TRUSTED_PROXIES: '127.0.0.1', ...this.#env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    process.once('exit', () => child.kill('SIGKILL'));
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => (text = `${text}${chunk}`.slice(-4_000)));
    const said = () => text;
    const url = await urlOf(child);
    const node = { name: `node-${++this.#started}`, url, child, said };
    await this.balancer.add(node.name, url);
    this.nodes.push(node);
    return node;
  }

  /** Kills the oldest node hard, and starts another. Returns its name. */
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

  /** Throws when a node does not end well. */
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

/** The API behind the nodes: `POST /jobs/{id}?ms=<number>` has its effect at once, and answers after so many milliseconds. */
async function startApi() {
  const [effects, answered] = [new Map(), new Map()];
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://api');
    const id = decodeURIComponent(pathname.slice('/jobs/'.length));
    effects.set(id, (effects.get(id) ?? 0) + 1);
    request.resume();
    const answer = () => {
      answered.set(id, performance.now());
      const body = JSON.stringify({ id, session: searchParams.get('session') ?? '' });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    };
    setTimeout(answer, Number(searchParams.get('ms') ?? 0));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** By id: how often it was done, and when its last answer was written. */
    effects,
    answered,
    /** How many ids were done more than once. */
    doubled: () => [...effects.values()].filter((count) => count > 1).length,
    close: () => server.close().closeAllConnections(),
  };
}

/** Runs `work` with an API, Redis where a feature needs it, and `count` nodes behind a balancer. All end with it. */
export async function withWorld(task, settings, work) {
  const { count, features = [], env = {} } = settings;
  const main = await task.main(features);
  const api = await startApi();
  const inside = async (redis) => {
    const shared = redis && { MCP_REDIS_URL: redis.url, MCP_NODES: String(count) };
    const variables = { API_BASE_URL: api.url, MCP_STATE_SECRET: STATE_SECRET, ...shared, ...env };
    const fleet = new Fleet(main, variables, await Balancer.open());
    try {
      for (let index = 0; index < count; index++) await fleet.start();
      const result = await work({ api, redis, fleet });
      await fleet.close();
      return result;
    } catch (error) {
      for (const { child } of fleet.nodes) child.kill('SIGKILL');
      await fleet.balancer.close().catch(() => undefined);
      throw error;
    }
  };
  try {
    return features.includes('redis') ? await withRedis(task.folder, inside) : await inside();
  } finally {
    api.close();
  }
}
