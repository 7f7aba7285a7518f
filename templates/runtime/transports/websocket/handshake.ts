// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The opening handshake of a WebSocket (RFC 6455, section 4.2): its checks, its answer, its refusal. */
import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isHttpToken } from '../../contract/token-syntax.ts';
import { HttpRefusal } from '../http/http-answer.ts';
import { checkOrigin, type OriginRules } from '../http/origin-check.ts';

/** Answers with the refusal; the client has `timeoutMs` to take it. */
export function refuseUpgrade(socket: Duplex, refusal: HttpRefusal, timeoutMs: number): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs).unref();
  socket.on('close', () => clearTimeout(timer));
  socket.end(writeRefusal(refusal));
  // Ends when the client does.
  socket.resume();
}

function writeRefusal({ status, headers, body }: HttpRefusal): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The opening handshake: an HTTP request that asks for a WebSocket, and its answer (RFC 6455, section 4.2). */
type HandshakeRequest = Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'headers'>;

export interface HandshakeRules extends OriginRules {
  /** Where WebSockets are opened: `/ws`. */
  path: string;
}

export interface Handshake {
  /** `Sec-WebSocket-Accept`. */
  accept: string;
  /** Undefined when the client offers none. */
  subprotocol: typeof SUBPROTOCOL | undefined;
}

/** The subprotocol of MCP messages, one a text message. */
const SUBPROTOCOL = 'mcp';

const VERSION = '13';
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** 16 bytes in base64. */
const KEY = /^[+/\dA-Za-z]{22}==$/;

/**
 * Judges the whole request: `Host` and `Origin`, the path, then what section 4.2.1 demands. No extension is ever
 * accepted.
 *
 * @throws {HttpRefusal}
 */
export function judgeHandshake(request: HandshakeRequest, rules: HandshakeRules): Handshake {
  const { headers } = request;
  checkOrigin(headers, rules);
  checkPath(request, rules);
  checkRequestLine(request);
  checkUpgrade(headers);
  checkVersion(headers);
  checkNoBody(headers);
  return { accept: acceptKey(headers), subprotocol: chooseSubprotocol(headers) };
}

/** The answer that makes the connection a WebSocket (section 4.2.2). */
export function writeHandshake({ accept, subprotocol }: Handshake): string {
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...(subprotocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${subprotocol}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function checkPath({ url = '' }: HandshakeRequest, { path }: HandshakeRules): void {
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

function acceptKey(headers: IncomingHttpHeaders): string {
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

/** Whether a list of tokens, which know no case, has this one. */
function hasToken(list = '', token: string): boolean {
  return splitList(list.toLowerCase()).includes(token);
}

function splitList(header: string): string[] {
  return header.split(',').map((item) => item.trim());
}
