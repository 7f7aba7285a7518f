// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** WebSocket as a transport of MCP: the opening handshake, then one session a socket, one message a text, both ways. */
import type { SurfaceName } from '../../contract/json-schema.ts';
import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { BlockList } from 'node:net';
import type { Duplex } from 'node:stream';

import { isHttpToken } from '../../contract/http-syntax.ts';
import type { Audit } from '../../core/call.ts';
import type { Core } from '../../core/core.ts';
import type { Session } from '../../core/session.ts';
import type { Limits } from '../../contract/feature.ts';
import { Conversation } from '../conversation.ts';
import { type MemoryBounds, makeMemoryBounds, rateLimitKey } from '../http/client-limits.ts';
import type { Guard } from '../../feature-loaders.ts';
import { type OriginRules, checkOrigin, parseSurface } from '../http/read-request.ts';
import { HttpRefusal, sessionLimitRefusal } from '../http/http-answer.ts';
import { WebSocketConnection } from './connection.ts';
import { GOING_AWAY, POLICY_VIOLATION } from './frame.ts';

export interface WebSocketTransportOptions {
  core: Core;
  limits: Limits;
  rules: HandshakeRules;
  openSession: (client: string, surface: SurfaceName | undefined) => Session;
  surfaces?: readonly SurfaceName[];
  proxies?: BlockList | undefined;
  memory?: MemoryBounds;
  guard?: Guard | undefined;
  refused?: Audit['recordRefusal'] | undefined;
  report: (thrown: unknown) => void;
}

interface OpenSocket {
  connection: WebSocketConnection;
  conversation: Conversation;
  session: Session;
  client: string;
}

export function openWebSocket(options: WebSocketTransportOptions): WebSocketTransport {
  return new WebSocketTransport(options);
}

export class WebSocketTransport {
  readonly #options: WebSocketTransportOptions;
  readonly #memory: MemoryBounds;
  readonly #open = new Set<OpenSocket>();
  #isStopping = false;

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
    this.#memory = options.memory ?? makeMemoryBounds(options.limits, () => undefined);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Takes an `upgrade` of Node's server. Never throws. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Uint8Array): void => {
    // The connection may break off meanwhile.
    socket.on('error', () => undefined);
    this.#acceptSocket(request, socket, head).catch((thrown: unknown) => {
      const { report, limits, refused } = this.#options;
      if (thrown instanceof HttpRefusal) {
        refused?.(thrown.status);
        return refuseUpgrade(socket, thrown, limits.closeTimeoutMs);
      }
      report(thrown);
      socket.destroy();
    });
  };

  /** Requests in flight have `httpDrainMs`, then each socket is closed with 1001. Resolves when all are gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#open].map(async (open) => this.#stopSocket(open)));
  }

  async #stopSocket({ connection, conversation, session }: OpenSocket): Promise<void> {
    await conversation.drainRequests(this.#options.limits.httpDrainMs);
    session.end();
    connection.close(GOING_AWAY, 'The server is stopping.');
    await connection.closed;
  }

  /** @throws {HttpRefusal} for a bad handshake first, then for the caller, then for lack of room */
  async #acceptSocket(request: IncomingMessage, socket: Duplex, head: Uint8Array): Promise<void> {
    const { core, guard, limits, rules, openSession, proxies, surfaces } = this.#options;
    const handshake = checkHandshake(request, rules);
    const surface = parseSurface(request.url ?? '', surfaces);
    // Without a guard the socket is taken at once.
    const caller = guard === undefined ? undefined : await guard.admitRequest(request);
    if (caller !== undefined) guard?.demandScopes([], caller);
    if (socket.destroyed) return;
    const client = rateLimitKey(request, caller, proxies);
    this.#assertRoom(client);
    socket.write(printHandshakeResponse(handshake));
    const { unfinished, unread } = this.#memory;
    const connection = new WebSocketConnection(socket, head, {
      limits,
      receive: (text) => conversation.receiveText(text),
      holds: {
        unfinished: unfinished.createHold(request, proxies),
        unread: unread.createHold(request, proxies),
      },
    });
    const session = openSession(client, surface);
    const conversation = new Conversation({ core, session, wire: connection, caller });
    const open = { connection, conversation, session, client };
    this.#open.add(open);
    const forget = caller?.untilRefused((why) => connection.close(POLICY_VIOLATION, why));
    void connection.closed.then(() => {
      forget?.();
      this.#open.delete(open);
      session.end();
    });
  }

  #assertRoom(client: string): void {
    if (this.#isStopping) throw new HttpRefusal(503, 'The server is stopping.');
    const { sessions, sessionsPerClient } = this.#options.limits;
    let own = 0;
    for (const open of this.#open) if (open.client === client) own++;
    if (this.#open.size >= sessions || own >= sessionsPerClient) throw sessionLimitRefusal();
  }
}

/** The client has `timeoutMs` to take the refusal. */
export function refuseUpgrade(socket: Duplex, refusal: HttpRefusal, timeoutMs: number): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs).unref();
  socket.on('close', () => clearTimeout(timer));
  socket.end(printRefusalResponse(refusal));
  // Reads on, so that the socket ends when the client ends it.
  socket.resume();
}

function printRefusalResponse({ status, headers, body }: HttpRefusal): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The opening handshake: an HTTP request that asks for a WebSocket (RFC 6455, section 4.2). */
type HandshakeRequest = Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'headers'>;

export interface HandshakeRules extends OriginRules {
  path: string;
}

export interface Handshake {
  accept: string;
  subprotocol: typeof SUBPROTOCOL | undefined;
}

const SUBPROTOCOL = 'mcp';

const VERSION = '13';
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const KEY = /^[+/\dA-Za-z]{22}==$/;

/**
 * Judges the whole request: `Host` and `Origin`, the path, then what section 4.2.1 demands. No extension is ever accepted.
 * @throws {HttpRefusal}
 */
export function checkHandshake(request: HandshakeRequest, rules: HandshakeRules): Handshake {
  const { headers } = request;
  checkOrigin(headers, rules);
  assertPath(request, rules);
  checkRequestLine(request);
  checkUpgrade(headers);
  checkVersion(headers);
  checkNoBody(headers);
  return { accept: computeAcceptKey(headers), subprotocol: chooseSubprotocol(headers) };
}

export function printHandshakeResponse({ accept, subprotocol }: Handshake): string {
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
  ];
  if (subprotocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${subprotocol}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function assertPath({ url = '' }: HandshakeRequest, { path }: HandshakeRules): void {
  if (url.split('?')[0] === path) return;
  throw new HttpRefusal(404, `No WebSocket is served here, but at ${path}.`);
}

function checkRequestLine({ method, httpVersion }: HandshakeRequest): void {
  if (method !== 'GET') throw new HttpRefusal(405, 'A WebSocket is opened with GET.', { Allow: 'GET' });
  if (httpVersion !== '1.1') throw new HttpRefusal(400, 'A WebSocket is opened with HTTP/1.1.');
}

function checkUpgrade({ upgrade, connection }: IncomingHttpHeaders): void {
  if (!hasToken(upgrade, 'websocket')) {
    throw new HttpRefusal(426, 'Only WebSocket is served here.', { Upgrade: 'websocket' });
  }
  if (!hasToken(connection, 'upgrade')) throw new HttpRefusal(400, '`Connection` must name `Upgrade`.');
}

/** Section 4.4: the refusal names the version that is understood. */
function checkVersion(headers: IncomingHttpHeaders): void {
  if (headers['sec-websocket-version'] === VERSION) return;
  throw new HttpRefusal(426, `\`Sec-WebSocket-Version\` must be ${VERSION}.`, {
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': VERSION,
  });
}

/** A body would be read as frames. */
function checkNoBody(headers: IncomingHttpHeaders): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  if (length !== '0' || encoding !== undefined) {
    throw new HttpRefusal(400, 'The request for a WebSocket must have no body.');
  }
}

function computeAcceptKey(headers: IncomingHttpHeaders): string {
  const key = headers['sec-websocket-key'] ?? '';
  if (!KEY.test(key)) throw new HttpRefusal(400, '`Sec-WebSocket-Key` must be 16 bytes in base64.');
  return createHash('sha1').update(`${key}${GUID}`).digest('base64');
}

/** A client that offers subprotocols would end a connection that took none of them. */
function chooseSubprotocol(headers: IncomingHttpHeaders): Handshake['subprotocol'] {
  const offer = headers['sec-websocket-protocol'];
  if (offer === undefined) return undefined;
  const offered = splitList(offer);
  if (offered.every(isHttpToken) && offered.includes(SUBPROTOCOL)) return SUBPROTOCOL;
  throw new HttpRefusal(400, `\`Sec-WebSocket-Protocol\` must offer \`${SUBPROTOCOL}\`, or not be sent.`);
}

function hasToken(list = '', token: string): boolean {
  return splitList(list.toLowerCase()).includes(token);
}

function splitList(header: string): string[] {
  return header.split(',').map((item) => item.trim());
}
