/** Frames over WebSocket: bad messages in good frames, and bad frames. */
import { connect } from 'node:net';

import { initialize, initialized } from '../bench-runtime/messages.mjs';
import { badMessage } from './frames.mjs';

const width = 8;
const perConnection = 50;

/** Sends `count` frames; each connection ends by a frame that breaks RFC 6455, or by none. */
export async function soakWebSocket(url, count, random) {
  let left = count;
  const work = async () => {
    while (left > 0) {
      const frames = Math.min(perConnection, left);
      left -= frames;
      await useConnection(url, frames, random);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}

async function useConnection(url, frames, random) {
  const socket = await Socket.open(url);
  await socket.ask(0, initialize);
  socket.send(frame(initialized));
  for (let sent = 1; sent < frames; sent++) socket.send(frame(toText(badMessage(random)), random));
  await socket.ask('"good"', '{"jsonrpc":"2.0","id":"good","method":"ping"}');
  socket.send(random.pick(faults)(random));
  await socket.end();
}

/** A text message is UTF-8; what is not belongs to the faults. */
function toText(bytes) {
  return bytes.toString('utf8');
}

const faults = [
  (random) => random.bytes(2 + random.below(100)),
  () => frame('binary', undefined, { opcode: 2 }),
  () => frame('reserved', undefined, { opcode: 3 }),
  () => frame('rsv', undefined, { flags: 0xf0 }),
  () => frame('lonely', undefined, { opcode: 0 }),
  () => frame('x'.repeat(200), undefined, { opcode: 9 }),
  () => frame('unmasked', undefined, { isMasked: false }),
  () => frame(Buffer.from([0xff, 0xfe]), undefined),
  () => frame(Buffer.from([0x03]), undefined, { opcode: 8 }),
  () => frame(Buffer.from([0x03, 0xed]), undefined, { opcode: 8 }),
  () => Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]),
];

/** A client's frame (RFC 6455, section 5.2). */
function frame(text, random, { opcode = 1, flags = 0x80, isMasked = true } = {}) {
  const payload = Buffer.from(text);
  const long = payload.length > 125;
  const length = long ? [126, payload.length >> 8, payload.length & 255] : [payload.length];
  length[0] |= isMasked ? 0x80 : 0;
  if (!isMasked) return Buffer.concat([Buffer.from([flags | opcode, ...length]), payload]);
  const key = random?.bytes(4) ?? Buffer.from([1, 2, 3, 4]);
  return Buffer.concat([
    Buffer.from([flags | opcode, ...length]),
    key,
    payload.map((byte, index) => byte ^ key[index & 3]),
  ]);
}

class Socket {
  #socket;
  #received = '';
  #wanted;

  static open({ hostname, port }) {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      socket.once('error', reject);
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: mcp\r\n\r\n',
      );
      const opened = new Socket(socket);
      opened.#await('\r\n\r\n').then(() => resolve(opened), reject);
    });
  }

  constructor(socket) {
    this.#socket = socket;
    socket.setEncoding('latin1').on('data', (chunk) => {
      this.#received = `${this.#received}${chunk}`.slice(-20_000);
      this.#settle();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => this.#wanted?.reject(new Error('The server closed the connection.')));
  }

  send(bytes) {
    this.#socket.write(bytes);
  }

  /** @param {string | number} id as it is in JSON */
  ask(id, text) {
    this.send(frame(text));
    return this.#await(`"id":${id},"result"`);
  }

  /** Resolves when the server has closed, as it must after a fault or a close. */
  end() {
    this.#wanted = undefined;
    if (this.#socket.closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.once('close', resolve);
      this.#socket.end();
    });
  }

  #await(text) {
    return new Promise((resolve, reject) => {
      this.#wanted = { text, resolve, reject };
      this.#settle();
    });
  }

  #settle() {
    if (this.#wanted === undefined) return;
    const at = this.#received.indexOf(this.#wanted.text);
    if (at === -1) return;
    this.#received = this.#received.slice(at + this.#wanted.text.length);
    const { resolve } = this.#wanted;
    this.#wanted = undefined;
    resolve();
  }
}
