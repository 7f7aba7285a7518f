/** A TCP proxy in front of Redis, which counts the commands that clients send. */
import { connect, createServer } from 'node:net';

export class RedisTap {
  #server;
  #sockets = new Set();
  connections = 0;
  /** Command → how often. @type {Map<string, number>} */
  commands = new Map();

  /** @param {number} port Redis' own */
  static async open(port) {
    const tap = new RedisTap();
    tap.#server = createServer((client) => tap.#join(client, connect(port, '127.0.0.1')));
    await new Promise((resolve) => tap.#server.listen(0, '127.0.0.1', resolve));
    return tap;
  }

  get url() {
    return `redis://127.0.0.1:${this.#server.address().port}`;
  }

  get count() {
    return [...this.commands.values()].reduce((sum, each) => sum + each, 0);
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client, redis) {
    this.connections++;
    client.setEncoding('latin1').on('data', (text) => this.#count(text));
    client.pipe(redis).pipe(client);
    for (const [one, other] of [
      [client, redis],
      [redis, client],
    ]) {
      this.#sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
  }

  /** A command is an array of bulk strings (RESP). One that is cut between two chunks may be missed. */
  #count(text) {
    for (const [, name] of text.matchAll(/\*\d+\r\n\$\d+\r\n([A-Za-z]+)\r\n/g))
      this.commands.set(name.toUpperCase(), (this.commands.get(name.toUpperCase()) ?? 0) + 1);
  }
}
