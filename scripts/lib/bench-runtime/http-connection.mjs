/** One kept-alive connection that POSTs messages: as little client as will do. */
import { connect } from 'node:net';

export class HttpConnection {
  #socket;
  #head;
  #received = '';
  #waiting;

  /** `headers`: sent with every message. */
  static open(url, headers) {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new HttpConnection(socket, headOf(url, headers))));
    });
  }

  constructor(socket, head) {
    this.#socket = socket;
    this.#head = head;
    // Answers here are ASCII.
    socket.setEncoding('latin1').on('data', (chunk) => {
      this.#received += chunk;
      this.#settle();
    });
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection.')));
  }

  get isOpen() {
    return !this.#socket.destroyed;
  }

  /** `body`: a text is ASCII. */
  post(body) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      const head = `${this.#head}content-length: ${body.length}\r\n\r\n`;
      if (typeof body === 'string') this.#socket.write(head + body, 'latin1');
      else this.#socket.write(Buffer.concat([Buffer.from(head), body]));
    });
  }

  /** Sends bytes that may be no request, and resolves when the server has closed the connection. */
  sendRaw(bytes) {
    return new Promise((resolve) => {
      this.#socket.once('close', resolve);
      this.#socket.end(bytes);
    });
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #settle() {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1 || this.#waiting === undefined) return;
    const headers = this.#received.slice(0, end);
    const body = bodyOf(headers, this.#received.slice(end + 4));
    if (body === undefined) return;
    this.#received = '';
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    resolve({ status: Number(headers.slice(9, 12)), headers, message: messageOf(headers, body) });
  }
}

/** A request up to its length. */
function headOf(url, headers) {
  const fields = {
    host: url.host,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}`;
}

/** Undefined while it is not whole. */
function bodyOf(headers, rest) {
  const length = /^content-length: *(\d+)/im.exec(headers)?.[1];
  if (length !== undefined) return rest.length < Number(length) ? undefined : rest;
  if (/^transfer-encoding: *chunked/im.test(headers)) return joinChunks(rest);
  return '';
}

function joinChunks(rest) {
  if (!rest.endsWith('0\r\n\r\n')) return undefined;
  let body = '';
  for (let at = 0; ;) {
    const line = rest.indexOf('\r\n', at);
    const length = Number.parseInt(rest.slice(at, line), 16);
    if (length === 0) return body;
    body += rest.slice(line + 2, line + 2 + length);
    at = line + 2 + length + 2;
  }
}

function messageOf(headers, body) {
  if (!/^content-type: *text\/event-stream/im.test(headers)) return body;
  const start = body.lastIndexOf('data: ') + 'data: '.length;
  return body.slice(start, body.indexOf('\n', start));
}
