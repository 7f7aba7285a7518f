/** From Node's `upgrade` event to a connection, or a refusal. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpRefusal } from '../http/http-refusal.ts';
import { WebSocketConnection, type WebSocketOptions } from './connection.ts';
import { type HandshakeRules, judgeHandshake, writeHandshake } from './handshake.ts';

export interface UpgradeOptions extends WebSocketOptions {
  rules: HandshakeRules;
  /** Asked last. Throws a `HttpRefusal` where a good request has no place. */
  admit: () => void;
}

/** The connection, or undefined when the request was refused. */
export function acceptUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Uint8Array,
  { rules, admit, ...options }: UpgradeOptions,
): WebSocketConnection | undefined {
  try {
    const handshake = judgeHandshake(request, rules);
    admit();
    socket.write(writeHandshake(handshake));
  } catch (thrown) {
    if (!(thrown instanceof HttpRefusal)) throw thrown;
    refuseUpgrade(socket, thrown, options.limits.closeTimeoutMs);
    return undefined;
  }
  return new WebSocketConnection(socket, head, options);
}

/** Answers with the refusal; the client has `timeoutMs` to take it. */
export function refuseUpgrade(socket: Duplex, refusal: HttpRefusal, timeoutMs: number): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs).unref();
  socket.on('error', () => undefined);
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
