// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** WebSocket (RFC 6455): one session a socket, one message a text frame, both ways. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Feature, HttpExchange } from '../feature.ts';
import { refusal } from '../http-handler.ts';
import { parseBytes, type RpcError, writeJson } from '../json-rpc.ts';
import { errorReply, fitMessage, type Server } from '../server.ts';
import type { HeldBytes } from '../session.ts';
import { LIMITS } from '../settings.ts';

const PATH = '/ws';
const SUBPROTOCOL = 'mcp';
const PING_MS = 30_000;
/** So many pings without any sign of life, and the client has gone. */
const MAX_SILENT_PINGS = 2;
const MAX_FRAGMENTS = 10_000;

/** With `--ws`, WebSocket is served beside Streamable HTTP. */
export function websocket(): Feature {
  const feature: Feature = {
    name: 'websocket',
    settings: [{ flag: 'ws', help: `Serve WebSocket too, at ${PATH}.` }],
    startLine: () => (feature.routes === undefined ? '' : `WebSocket: ${PATH}`),
    catalog: {
      // Before other features start, which ask for all paths.
      select: (_, server) => {
        if (server.flags['transport'] !== 'http' || server.flags['ws'] !== true) return;
        let open = 0;
        server.gauges.set('mcp_websockets', () => open);
        const upgrades = new WeakMap<IncomingMessage, Upgrade>();
        const handle = (exchange: HttpExchange): Promise<void> => {
          const upgrade = upgrades.get(exchange.request);
          if (upgrade === undefined)
            throw refusal(426, 'Only WebSocket is served here.', { upgrade: 'websocket' });
          open++;
          upgrade.socket.once('close', () => open--);
          return accept(server, exchange, upgrade);
        };
        feature.routes = [{ path: PATH, handle }];
        feature.listen = (listener, handleRequest) => listenForUpgrades(listener, handleRequest, upgrades);
      },
    },
  };
  return feature;
}

interface Upgrade {
  socket: Duplex;
  head: Buffer;
}

/** A refusal is an answer over HTTP, so the socket is that of a response until the handshake is accepted. */
function listenForUpgrades(
  listener: HttpServer,
  handle: RequestListener,
  upgrades: WeakMap<IncomingMessage, Upgrade>,
): void {
  listener.on('upgrade', (request, socket, head) => {
    if (!/\bwebsocket\b/i.test(request.headers.upgrade ?? ''))
      return ignoreUpgrade(listener, request, socket, head);
    upgrades.set(request, { socket, head });
    socket.on('error', () => undefined);
    void import('node:http').then(({ ServerResponse }) => {
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket as Socket);
      response.once('finish', () => {
        socket.resume().end();
        setTimeout(() => socket.destroy(), LIMITS.closeMs).unref();
      });
      return handle(request, response);
    });
  });
}

/**
 * A server may ignore `Upgrade` (RFC 9110, section 7.8), and clients that try `h2c` count on it. Node takes the request for the last one
 * on its connection, so it is read again without that header.
 */
function ignoreUpgrade(listener: HttpServer, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  listener.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}

// The opening handshake (section 4.2.1).

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** @throws {RpcError} with the status of the refusal */
function checkHandshake({ headers, method, httpVersion }: IncomingMessage): void {
  const upgrade = { upgrade: 'websocket' };
  if (method !== 'GET') throw refusal(405, 'A WebSocket is opened with GET.', { allow: 'GET' });
  if (httpVersion !== '1.1') throw refusal(400, 'A WebSocket is opened with HTTP/1.1.');
  if (!listTokens(headers.upgrade).includes('websocket'))
    throw refusal(426, 'Only WebSocket is served here.', upgrade);
  if (!listTokens(headers.connection).includes('upgrade'))
    throw refusal(400, '`Connection` must name `Upgrade`.');
  if (headers['sec-websocket-version'] !== '13')
    throw refusal(426, '`Sec-WebSocket-Version` must be 13.', { ...upgrade, 'sec-websocket-version': '13' });
  // A body would be read as frames.
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  if (length !== '0' || encoding !== undefined)
    throw refusal(400, 'The request for a WebSocket must have no body.');
  if (!/^[+/\dA-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    throw refusal(400, '`Sec-WebSocket-Key` must be 16 bytes in base64.');
  // A client that offers subprotocols would end a connection that took none of them.
  const offered = headers['sec-websocket-protocol'];
  if (offered !== undefined && !listTokens(offered, false).includes(SUBPROTOCOL))
    throw refusal(400, `\`Sec-WebSocket-Protocol\` must offer \`${SUBPROTOCOL}\`, or not be sent.`);
}

function listTokens(header = '', ignoresCase = true): string[] {
  const tokens = header.split(',').map((token) => token.trim());
  const areTokens = tokens.every((token) => /^[\w!#$%&'*+.^`|~-]+$/.test(token));
  if (!areTokens) return [];
  return ignoresCase ? tokens.map((token) => token.toLowerCase()) : tokens;
}

function printAcceptance(headers: IncomingHttpHeaders): string {
  const key = createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`).digest('base64');
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${key}`,
    ...(headers['sec-websocket-protocol'] === undefined ? [] : [`Sec-WebSocket-Protocol: ${SUBPROTOCOL}`]),
    '\r\n',
  ].join('\r\n');
}

async function accept(server: Server, exchange: HttpExchange, { socket, head }: Upgrade): Promise<void> {
  const { request, response, held, caller } = exchange;
  checkHandshake(request);
  const session = await exchange.openSession(exchange);
  response.detachSocket(socket as Socket);
  socket.write(printAcceptance(request.headers));
  const receive = async (bytes: Buffer): Promise<void> => {
    const received = { session, caller, request, send: session.push };
    const answered = Promise.resolve(bytes).then((text) => server.receive(parseBytes(text), received));
    const reply = await answered.catch((error: RpcError) => errorReply(undefined, error));
    if (reply !== undefined) connection.sendText(fitMessage(reply.text));
  };
  const connection = new Connection(socket, held, receive);
  session.push = (message) => connection.sendText(fitMessage(writeJson(message)));
  session.onEnd(() => connection.close(1001, 'The server has ended the session.'));
  socket.once('close', () => session.end());
  if (socket.destroyed) session.end();
  connection.read(head);
}

// Frames (section 5).

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const OPCODES = [0, TEXT, BINARY, CLOSE, PING, PONG];

/** The client broke a rule: the connection closes with this code (section 7.4.1). */
class Fault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

class Connection {
  readonly #socket: Duplex;
  readonly #held: HeldBytes;
  readonly #receive: (bytes: Buffer) => Promise<void>;
  readonly #pings: NodeJS.Timeout;
  #chunks: Buffer[] = [];
  #received = 0;
  /** Those of them that the server counts. */
  #counted = 0;
  /** Of a message in fragments. */
  #fragments: Buffer[] | undefined;
  #silentPings = 0;
  #isClosing = false;

  constructor(socket: Duplex, held: HeldBytes, receive: (bytes: Buffer) => Promise<void>) {
    this.#socket = socket;
    this.#held = held;
    this.#receive = receive;
    this.#pings = setInterval(() => {
      if (this.#silentPings++ >= MAX_SILENT_PINGS) socket.destroy();
      else if (!this.#isClosing) this.#write(PING, Buffer.alloc(0));
    }, PING_MS).unref();
    socket
      .on('data', (chunk: Buffer) => this.read(chunk))
      .once('end', () => socket.end())
      .once('close', () => {
        clearInterval(this.#pings);
        this.#count(0);
      });
  }

  read(chunk: Buffer): void {
    // Any sign of life counts: a pong can't come amid a long message.
    this.#silentPings = 0;
    if (this.#isClosing || chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    try {
      while (!this.#isClosing && this.#readFrame());
    } catch (thrown) {
      const { code, message } = thrown instanceof Fault ? thrown : new Fault(1011, 'The server failed.');
      this.close(code, message);
    }
    this.#count(this.#isClosing ? 0 : this.#received + sumBytes(this.#fragments ?? []));
    // Short messages pass, as over HTTP.
    if (this.#counted <= LIMITS.shortBytes || !this.#held.isOver) return;
    // It counts no longer, though its socket takes a moment to close.
    this.#count(0);
    this.close(1013, 'Too many bytes wait here.');
  }

  #count(bytes: number): void {
    this.#held.uploaded += bytes - this.#counted;
    this.#counted = bytes;
  }

  /** Reads a frame if all of it has arrived. @throws {Fault} */
  #readFrame(): boolean {
    // Each chunk costs more memory than a few bytes.
    const isScattered = this.#chunks.length > 1_000;
    if (isScattered || ((this.#chunks[0]?.length ?? 0) < 14 && this.#chunks.length > 1))
      this.#chunks = [Buffer.concat(this.#chunks)];
    const [start = Buffer.alloc(0)] = this.#chunks;
    const header = readHeader(start);
    if (header === undefined) return false;
    const { opcode, isFinal, length, offset } = header;
    if (opcode < CLOSE) this.#checkFragment(opcode, length);
    if (this.#received < offset + length) return false;
    const bytes = this.#chunks.length === 1 ? start : Buffer.concat(this.#chunks);
    this.#received -= offset + length;
    this.#chunks = this.#received === 0 ? [] : [bytes.subarray(offset + length)];
    const payload = unmask(bytes.subarray(offset, offset + length), bytes.subarray(offset - 4, offset));
    if (opcode === PING) this.#write(PONG, payload);
    else if (opcode === CLOSE) this.close(readCloseCode(payload));
    else if (opcode !== PONG) this.#takeFragment(payload, isFinal);
    return true;
  }

  /** Section 5.4. @throws {Fault} */
  #checkFragment(opcode: number, length: number): void {
    if ((opcode === 0) !== (this.#fragments !== undefined))
      throw new Fault(1002, 'A message is not complete, or there is none to continue.');
    if (opcode === BINARY) throw new Fault(1003, 'Messages are text.');
    const fragments = this.#fragments ?? [];
    if (fragments.length >= MAX_FRAGMENTS) throw new Fault(1008, 'The message has too many fragments.');
    if (sumBytes(fragments) + length > LIMITS.bodyBytes) throw new Fault(1009, 'The message is too long.');
  }

  #takeFragment(payload: Buffer, isFinal: boolean): void {
    const fragments = [...(this.#fragments ?? []), payload];
    this.#fragments = isFinal ? undefined : fragments;
    if (!isFinal) return;
    const message = fragments.length === 1 ? payload : Buffer.concat(fragments);
    if (!isUtf8(message)) throw new Fault(1007, 'The message is not UTF-8.');
    void this.#receive(message);
  }

  sendText(text: string): void {
    if (!this.#isClosing) this.#write(TEXT, Buffer.from(text));
  }

  #write(opcode: number, payload: Buffer): void {
    const socket = this.#socket;
    if (!socket.writable) return;
    // A client that reads too slowly is cut off, so that it notices that something is missing.
    if (socket.writableLength > LIMITS.streamBytes) return void socket.destroy();
    socket.cork();
    socket.write(makeHeader(opcode, payload.length));
    const hasRoom = socket.write(payload);
    socket.uncork();
    if (hasRoom || socket.isPaused()) return;
    // One that reads slowly slows only itself.
    socket.pause();
    void this.#held.untilRead(socket).then(() => socket.resume());
  }

  /** The server ends the socket first; the client has some time to do so too (section 7.1.1). */
  close(code = 1005, reason = ''): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const body = Buffer.alloc(2 + Buffer.byteLength(reason));
    body.writeUInt16BE(code);
    body.write(reason, 2);
    // 1005 stands for no code, and must not be sent.
    this.#write(CLOSE, code === 1005 ? Buffer.alloc(0) : body);
    this.#socket.end();
    this.#socket.resume();
    const timer = setTimeout(() => this.#socket.destroy(), LIMITS.closeMs).unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }
}

const sumBytes = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** Undefined until it has arrived. @throws {Fault} as soon as it is wrong, whatever follows */
function readHeader(bytes: Buffer) {
  const [first = 0, second] = bytes;
  if (second === undefined) return undefined;
  const opcode = first & 0x0f;
  const isFinal = (first & 0x80) !== 0;
  const size = second & 0x7f;
  if ((first & 0x70) !== 0 || !OPCODES.includes(opcode))
    throw new Fault(1002, 'The frame has reserved bits or an unknown opcode.');
  if ((second & 0x80) === 0) throw new Fault(1002, 'The frame is not masked.');
  if (opcode >= CLOSE && (!isFinal || size > 125))
    throw new Fault(1002, 'The control frame is not a short one.');
  const offset = (size < 126 ? 2 : size === 126 ? 4 : 10) + 4;
  if (bytes.length < offset - 4) return undefined;
  const length = size < 126 ? size : size === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const isShortest = size < 126 || (size === 126 ? length > 125 : length > 0xffff);
  if (!isShortest || length >= 2 ** 63) {
    // The largest allowed length rounds up to the first that is not.
    if (bytes.readUInt8(2) < 0x80 && isShortest) throw new Fault(1009, 'The message is too long.');
    throw new Fault(1002, 'The length is not written in its shortest form.');
  }
  return { opcode, isFinal, length, offset };
}

function makeHeader(opcode: number, length: number): Buffer {
  const size = length < 126 ? length : length < 0x10000 ? 126 : 127;
  const header = Buffer.alloc(size < 126 ? 2 : size === 126 ? 4 : 10);
  header[0] = 0x80 | opcode;
  header[1] = size;
  if (size === 126) header.writeUInt16BE(length, 2);
  if (size === 127) header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

function unmask(payload: Buffer, key: Buffer): Buffer {
  const plain = Buffer.from(payload);
  for (let index = 0; index < plain.length; index++)
    plain[index] = (plain[index] ?? 0) ^ (key[index & 3] ?? 0);
  return plain;
}

/** @throws {Fault} for a code that clients must not send (section 7.4) */
function readCloseCode(body: Buffer): number {
  if (body.length === 0) return 1005;
  const code = body.length === 1 ? 0 : body.readUInt16BE(0);
  const isKnown = (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || code >= 3000;
  if (!isKnown || code > 4999) throw new Fault(1002, 'The close frame has no code that may be sent.');
  if (!isUtf8(body.subarray(2))) throw new Fault(1007, 'The reason is not UTF-8.');
  return code;
}
