/** Frames over HTTP+SSE: posted to the endpoint that a stream names, and answered on the stream. */
import { get } from 'node:http';

import { HttpConnection } from '../bench-runtime/http-connection.mjs';
import { initialize, initialized } from '../bench-runtime/messages.mjs';
import { badMessage } from './frames.mjs';

const width = 8;
const goodEvery = 100;

/** Sends `count` frames over several streams, and good requests among them, each of which must be answered. */
export async function soakSse(url, count, random) {
  let left = count;
  const work = async () => {
    const stream = await Stream.open(new URL('/sse', url));
    while (left > 0) {
      const frames = Math.min(goodEvery, left);
      left -= frames;
      for (let sent = 0; sent < frames; sent++) await stream.post(badMessage(random));
      await stream.ask('good', '{"jsonrpc":"2.0","id":"good","method":"ping"}');
    }
    stream.close();
  };
  await Promise.all(Array.from({ length: width }, work));
}

class Stream {
  #request;
  #connection;
  #endpoint;
  #waiting = new Map();

  static async open(url) {
    const stream = new Stream();
    const path = await stream.#listen(url);
    stream.#endpoint = new URL(path, url);
    await stream.ask(0, initialize);
    await stream.post(initialized);
    return stream;
  }

  async post(body) {
    this.#connection = this.#connection?.isOpen
      ? this.#connection
      : await HttpConnection.open(this.#endpoint, {});
    const { status, headers } = await this.#connection.post(body);
    if (status >= 500) throw new Error(`A frame made the server fail: ${headers}`);
  }

  async ask(id, text) {
    const answered = new Promise((resolve) => this.#waiting.set(id, resolve));
    await this.post(text);
    await answered;
  }

  close() {
    this.#connection?.close();
    this.#request.destroy();
  }

  /** Resolves to the endpoint. */
  #listen(url) {
    return new Promise((resolve, reject) => {
      this.#request = get(url, { agent: false, headers: { accept: 'text/event-stream' } }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`No stream: ${response.statusCode}`));
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          const events = (text + chunk).split('\n\n');
          text = events.pop();
          for (const event of events) this.#take(event, resolve);
        });
        response.on('error', () => undefined);
      });
      this.#request.on('error', reject);
    });
  }

  #take(event, open) {
    const data = /^data: (.*)$/m.exec(event)?.[1];
    if (data === undefined) return;
    if (/^event: endpoint$/m.test(event)) return open(data);
    const { id } = JSON.parse(data);
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }
}
