/** A round-robin reverse proxy that streams, asks `/readyz` of its nodes, and counts what was refused. */
import { Agent, createServer, request } from 'node:http';

/** Milliseconds between two looks at a node, and for its answer. */
const HEALTH_MS = 100;
const ANSWER_MS = 1_000;

/** Looks without an answer, after which a node is not ready: a busy machine may miss one. */
const SILENT_LOOKS = 3;

/** Headers of one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']);

export class Balancer {
  #backends = [];
  #next = 0;
  // Clients keep connections open: one that is closed here while it is idle could get a request at that moment.
  #server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => this.#serve(incoming, outgoing));
  #health = setInterval(() => this.#look(), HEALTH_MS);
  /**
   * `refused`: connections that a node refused although it was ready; another node gets the request. `broken`:
   * answers that a node did not begin or end. `unserved`: requests without a ready node.
   */
  counts = { requests: 0, refused: 0, broken: 0, unserved: 0 };

  static async open() {
    const balancer = new Balancer();
    await new Promise((resolve) => balancer.#server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get url() {
    return new URL(`http://127.0.0.1:${this.#server.address().port}/mcp`);
  }

  /** Requests by node, in the order of `add`. */
  get served() {
    return this.#backends.map(({ served }) => served);
  }

  /** Resolves when the node is ready. */
  async add(name, url) {
    const agent = new Agent({ keepAlive: true });
    const backend = { name, url, agent, isReady: false, served: 0, silent: 0, isLookedAt: false };
    while (!backend.isReady && !(await look(backend)))
      await new Promise((resolve) => setTimeout(resolve, HEALTH_MS / 2));
    this.#backends.push(backend);
  }

  remove(name) {
    const removed = this.#backends.find((backend) => backend.name === name);
    this.#backends = this.#backends.filter((backend) => backend !== removed);
    removed?.agent.destroy();
  }

  async close() {
    clearInterval(this.#health);
    for (const { agent } of this.#backends) agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #look() {
    for (const backend of this.#backends) if (!backend.isLookedAt) void look(backend);
  }

  #choose() {
    const ready = this.#backends.filter((backend) => backend.isReady);
    return ready[this.#next++ % ready.length];
  }

  #serve(incoming, outgoing) {
    this.counts.requests++;
    outgoing.on('error', () => undefined);
    this.#pass(incoming, outgoing);
  }

  #pass(incoming, outgoing) {
    const backend = this.#choose();
    if (backend === undefined) {
      this.counts.unserved++;
      return outgoing.writeHead(503, { 'retry-after': '1' }).end('No node is ready.');
    }
    const { url, agent, name } = backend;
    const headers = { ...passable(incoming.headers), 'x-forwarded-for': incoming.socket.remoteAddress };
    const { hostname: host, port } = url;
    const sent = request({ host, port, method: incoming.method, path: incoming.url, headers, agent });
    let isConnected = false;
    whenConnected(sent, () => {
      isConnected = true;
      backend.served++;
      incoming.pipe(sent);
    });
    sent.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode, { ...passable(answer.headers), 'x-node': name });
      outgoing.flushHeaders();
      answer.pipe(outgoing);
      answer.on('error', () => undefined);
      answer.on('close', () => {
        if (answer.complete || outgoing.destroyed) return;
        this.counts.broken++;
        outgoing.destroy();
      });
    });
    sent.on('error', () => {
      if (outgoing.destroyed || outgoing.headersSent) return;
      if (isConnected) {
        this.counts.broken++;
        return outgoing.writeHead(502, { 'x-node': name }).end('The node broke off.');
      }
      // Nothing was sent, so another node may have it.
      this.counts.refused++;
      backend.isReady = false;
      this.#pass(incoming, outgoing);
    });
    outgoing.on('close', () => sent.destroy());
  }
}

/** A body is sent only over a connection that was made: else it could not be sent to another node. */
function whenConnected(sent, act) {
  sent.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', act);
    else act();
  });
}

function passable(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

/** Notes whether a node is ready. */
async function look(backend) {
  backend.isLookedAt = true;
  const status = await readiness(backend.url);
  backend.isLookedAt = false;
  backend.silent = status === 0 ? backend.silent + 1 : 0;
  if (status !== 0 || backend.silent >= SILENT_LOOKS) backend.isReady = status === 200;
  return backend.isReady;
}

/** 0 when nobody answers in time. */
function readiness({ hostname: host, port }) {
  return new Promise((resolve) => {
    const asked = request({ host, port, path: '/readyz', agent: false, timeout: ANSWER_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(0));
    asked.on('close', () => resolve(0));
    asked.end();
  });
}
