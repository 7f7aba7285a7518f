// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** WebSocket as a transport of MCP: one session a socket, one message a text, both ways. */
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Core } from '../../core/core.ts';
import type { Session } from '../../core/session.ts';
import type { Limits } from '../../limits.ts';
import { memoryBounds, type MemoryBounds } from '../byte-bound.ts';
import { Conversation } from '../conversation.ts';
import type { Guard } from '../http/guard.ts';
import { HttpRefusal } from '../http/http-answer.ts';
import { noRoom } from '../http/session-store.ts';
import { rateLimitKey } from '../http/rate-limit-key.ts';
import { GOING_AWAY, POLICY_VIOLATION } from './frame.ts';
import { WebSocketConnection } from './connection.ts';
import { type HandshakeRules, judgeHandshake, refuseUpgrade, writeHandshake } from './handshake.ts';

export interface WebSocketTransportOptions {
  core: Core;
  limits: Limits;
  rules: HandshakeRules;
  /** `client` is the key that its limits count by. */
  openSession: (client: string) => Session;
  /** Trusted proxies, whose `X-Forwarded-For` names the client. Default none. */
  proxies?: BlockList | undefined;
  /** Bounds of bytes kept for clients. Default: by `limits`, without warnings. */
  memory?: MemoryBounds;
  /** Authenticates callers. Absent: none need a token. */
  guard?: Guard | undefined;
  /** Reports internal errors, which clients don't see. */
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
    this.#memory = options.memory ?? memoryBounds(options.limits, () => undefined);
  }

  /** Takes an `upgrade` of Node's server. Never throws. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Uint8Array): void => {
    // The connection may break off meanwhile.
    socket.on('error', () => undefined);
    this.#accept(request, socket, head).catch((thrown: unknown) => {
      const { report, limits } = this.#options;
      if (thrown instanceof HttpRefusal) return refuseUpgrade(socket, thrown, limits.closeTimeoutMs);
      report(thrown);
      socket.destroy();
    });
  };

  /**
   * Opens no more sockets and begins no more requests. Those in flight have `httpDrainMs`, then each socket is closed with 1001.
   * Resolves when all are gone.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#open].map(async (open) => this.#stopOne(open)));
  }

  async #stopOne({ connection, conversation, session }: OpenSocket): Promise<void> {
    await conversation.drain(this.#options.limits.httpDrainMs);
    session.end();
    connection.close(GOING_AWAY, 'The server is stopping.');
    await connection.closed;
  }

  /** @throws {HttpRefusal} for a bad handshake first, then for the caller, then for lack of room */
  async #accept(request: IncomingMessage, socket: Duplex, head: Uint8Array): Promise<void> {
    const { core, guard, limits, rules, openSession, proxies } = this.#options;
    const handshake = judgeHandshake(request, rules);
    // Without a guard the socket is taken at once.
    const caller = guard === undefined ? undefined : await guard.admit(request);
    if (caller !== undefined) guard?.demand([], caller);
    if (socket.destroyed) return;
    const client = rateLimitKey(request, caller, proxies);
    this.#demandRoom(client);
    socket.write(writeHandshake(handshake));
    const { unfinished, unread } = this.#memory;
    const connection = new WebSocketConnection(socket, head, {
      limits,
      receive: (text) => conversation.receive(text),
      holds: { unfinished: unfinished.holdFor(request, proxies), unread: unread.holdFor(request, proxies) },
    });
    const session = openSession(client);
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

  #demandRoom(client: string): void {
    if (this.#isStopping) throw new HttpRefusal(503, 'The server is stopping.');
    const { sessions, sessionsPerClient } = this.#options.limits;
    let own = 0;
    for (const open of this.#open) if (open.client === client) own++;
    if (this.#open.size >= sessions || own >= sessionsPerClient) throw noRoom();
  }
}
