/**
 * Requests over HTTP/1.1 connections of its own (RFC 9112). `node:http` takes most of the time of a short call: for
 * streams, proxies and TLS, which an ordinary request does without (docs/adr/0014-ordinary-requests-without-node-http.md).
 */
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { isHttpToken } from '../contract/token-syntax.ts';
import type { AnswerHead } from './answer-head.ts';
import { AnswerReader } from './answer-reader.ts';
import { isStreamed, type StreamedBody, type WireRequest } from './wire-request.ts';

/** As long as an idle connection is kept, in milliseconds; less where the server says that it will not. */
const IDLE_MS = 4_000;

/** Idle connections to one server, as many as `node:http` keeps. */
const MOST_IDLE = 256;

/** A request that is under way. */
export interface Sent {
  /** Rejects when the connection fails before the head of the answer has come, and with what `destroy` is given. */
  response: Promise<WholeResponse | Response>;
  /** Ends the connection, unless all of the answer has come. */
  destroy: (reason: Error) => void;
  /** Called when nothing more is wanted of it. */
  end?: () => void;
}

interface ResponseHead {
  statusCode: number;
  /** The server's IP address. */
  address: string | undefined;
  headers: AnswerHead['headers'];
}

/** An answer whose body came with its head. */
export interface WholeResponse extends ResponseHead {
  body: Buffer;
}

/** An answer whose body is yet to come, or to be decoded. */
export type Response = IncomingMessage | ResponseStream;

/** What is used of an `IncomingMessage`, for an answer of these connections. */
export class ResponseStream extends Readable {
  readonly statusCode: number;
  readonly address: string | undefined;
  readonly headers: AnswerHead['headers'];
  /** All of the body has come. */
  complete = false;
  #exchange: Exchange | undefined;

  constructor({ statusCode, address, headers }: ResponseHead, context?: Exchange) {
    super();
    this.statusCode = statusCode;
    this.address = address;
    this.headers = headers;
    this.#exchange = context;
  }

  /** Of an answer that is here already. */
  static of(response: WholeResponse): ResponseStream {
    const stream = new ResponseStream(response);
    stream.push(response.body);
    stream.finish();
    return stream;
  }

  finish(): void {
    this.complete = true;
    this.#exchange = undefined;
    this.push(null);
  }

  override _read(): void {
    this.#exchange?.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#exchange?.fail(closedEarly());
    done(error);
  }
}

type OrdinaryRequest = WireRequest & { body?: Exclude<WireRequest['body'], StreamedBody> };

/** Whether all that a request asks for is done here; what is out of the ordinary is left to `node:http`. */
export function isOrdinary(wire: WireRequest): wire is OrdinaryRequest {
  return (
    !isStreamed(wire.body) &&
    isHttpToken(wire.method) &&
    wire.method.toUpperCase() !== 'CONNECT' &&
    /^[\x21-\x7E]*$/.test(wire.target) &&
    wire.headers.isOrdinary
  );
}

/** The connections to all servers, each kept for the next request. */
export class Connections {
  /** By host and port; the one that was used last is taken first. */
  readonly #idle = new Map<string, Connection[]>();

  send(wire: OrdinaryRequest): Sent {
    const connection = this.#idle.get(wire.url.host)?.pop() ?? new Connection(wire.url, this);
    return connection.send(wire);
  }

  /** Whether there was room for it. */
  keep(host: string, connection: Connection): boolean {
    const idle = this.#idle.get(host);
    if (idle === undefined) this.#idle.set(host, [connection]);
    else if (idle.length < MOST_IDLE) idle.push(connection);
    else return false;
    return true;
  }

  forget(host: string, connection: Connection): void {
    const idle = this.#idle.get(host)?.filter((one) => one !== connection);
    if (idle === undefined) return;
    if (idle.length === 0) this.#idle.delete(host);
    else this.#idle.set(host, idle);
  }
}

class Connection {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #connections: Connections;
  /** The request that is under way; absent while it is idle. */
  #exchange: Exchange | undefined;
  #idleMs = IDLE_MS;

  constructor({ host, hostname, port }: URL, connections: Connections) {
    this.#host = host;
    this.#connections = connections;
    this.#socket = connect({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? 80 : Number(port),
      noDelay: true,
      keepAlive: true,
    });
    this.#socket
      .setTimeout(IDLE_MS)
      // Where nothing was asked, nothing may come.
      .on('data', (chunk: Buffer) =>
        this.#exchange === undefined ? this.#leave() : this.#exchange.take(chunk),
      )
      .on('end', () => (this.#exchange === undefined ? this.#leave() : this.#exchange.end()))
      .on('close', () => (this.#exchange === undefined ? this.#leave() : this.#exchange.fail(closedEarly())))
      .on('error', (error) => this.#exchange?.fail(error))
      .on('timeout', () => {
        if (this.#exchange === undefined) this.#leave();
      });
  }

  send(wire: OrdinaryRequest): Sent {
    const socket = this.#socket;
    const context = new Exchange(socket, wire.method.toUpperCase() !== 'HEAD', (idleMs) => {
      this.#exchange = undefined;
      this.#rest(idleMs);
    });
    this.#exchange = context;
    socket.ref();
    write(socket, wire);
    return { response: context.response, destroy: (reason) => context.fail(reason) };
  }

  /** Waits so long for its next request. */
  #rest(idleMs: number): void {
    const socket = this.#socket;
    // Answered before all was sent: the rest is for nobody.
    const isFree = idleMs > 0 && socket.writableLength === 0 && !socket.destroyed;
    if (!isFree || !this.#connections.keep(this.#host, this)) {
      socket.destroy();
      return;
    }
    if (idleMs !== this.#idleMs) socket.setTimeout((this.#idleMs = idleMs));
    // An idle connection keeps no process alive.
    socket.unref();
  }

  /** At once: no request may take a connection that is ending. */
  #leave(): void {
    this.#connections.forget(this.#host, this);
    this.#socket.destroy();
  }
}

/** One request's answer, as it comes. */
class Exchange {
  readonly response: Promise<WholeResponse | ResponseStream>;
  readonly #socket: Socket;
  readonly #reader: AnswerReader;
  readonly #done: (idleMs: number) => void;
  #resolve!: (response: WholeResponse | ResponseStream) => void;
  #reject!: (error: Error) => void;
  #stream: ResponseStream | undefined;
  #isDone = false;

  /** `done` is told how long the connection may wait for another request, in milliseconds: 0 when there can't be one. */
  constructor(socket: Socket, hasBody: boolean, done: (idleMs: number) => void) {
    this.#socket = socket;
    this.#reader = new AnswerReader(hasBody);
    this.#done = done;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  take(chunk: Buffer): void {
    try {
      const pieces = this.#reader.push(chunk);
      if (this.#reader.head !== undefined) this.#hand(this.#reader.head, pieces);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** The server has ended the connection. */
  end(): void {
    if (this.#reader.end()) this.take(Buffer.alloc(0));
    else this.fail(closedEarly());
  }

  fail(error: Error): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#reject(error);
    this.#stream?.destroy(error);
    this.#done(0);
  }

  /** The reader wants more. */
  resume(): void {
    this.#socket.resume();
  }

  #hand({ status: statusCode, headers }: AnswerHead, pieces: Buffer[]): void {
    const { remoteAddress: address } = this.#socket;
    if (this.#stream === undefined && this.#reader.isWhole) {
      const [first] = pieces;
      const body = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
      this.#finish();
      this.#resolve({ statusCode, address, headers, body });
      return;
    }
    const stream = (this.#stream ??= new ResponseStream({ statusCode, address, headers }, this));
    this.#resolve(stream);
    // One that is slow to read slows the server.
    for (const piece of pieces) if (!stream.push(piece)) this.#socket.pause();
    if (this.#reader.isWhole) this.#finish();
  }

  #finish(): void {
    this.#isDone = true;
    this.#stream?.finish();
    if (this.#stream !== undefined) this.#socket.resume();
    const { head, hasMore } = this.#reader;
    this.#done(head?.isKept === true && !hasMore ? idleTime(head.headers['keep-alive']) : 0);
  }
}

/** A second less than the server says: what it ends meanwhile would take a request with it. */
function idleTime(keepAlive = ''): number {
  const seconds = /(?:^|,[\t ]*)timeout=(\d+)/i.exec(keepAlive)?.[1];
  return seconds === undefined ? IDLE_MS : Math.max(0, Math.min(IDLE_MS, (Number(seconds) - 1) * 1_000));
}

function closedEarly(): Error {
  return Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' });
}

/** Methods whose requests say nothing of a length where they have no body (RFC 9110, section 8.6). */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Characters of a body that is written apart from its head. */
const LONG = 65_536;

function write(socket: Socket, { method: given, url, target, headers, body }: OrdinaryRequest): void {
  const method = given.toUpperCase();
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  let head = `${method} ${target} HTTP/1.1\r\n${headers.toLines()}`;
  if (body !== undefined || !BODILESS.has(method)) head += `Content-Length: ${length}\r\n`;
  if (headers.get('Host') === undefined) head += `Host: ${url.host}\r\n`;
  head += 'Connection: keep-alive\r\n\r\n';
  // In one piece, where each character is a byte; what is long would be copied for it.
  if (body === undefined) socket.write(head, 'latin1');
  else if (typeof body === 'string' && body.length === length && length < LONG)
    socket.write(head + body, 'latin1');
  else {
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(body);
    socket.uncork();
  }
}
