/** WebSocket as a transport of MCP: one session a socket, one message a text, both ways. */
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Core } from '../../core/core.ts';
import type { Session } from '../../core/session.ts';
import type { Limits } from '../../limits.ts';
import { memoryBounds, type MemoryBounds } from '../byte-bound.ts';
import { Conversation } from '../conversation.ts';
import type { Caller } from '../../core/call.ts';
import type { Guard } from '../http/guard.ts';
import { HttpRefusal } from '../http/http-answer.ts';
import { noRoom } from '../http/session-store.ts';
import { rateLimitKey } from '../http/rate-limit-key.ts';
import { GOING_AWAY, POLICY_VIOLATION } from './frame.ts';
import type { WebSocketConnection } from './connection.ts';
import { acceptUpgrade, type HandshakeRules, judgeHandshake, refuseUpgrade } from './handshake.ts';

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
    const { guard, report } = this.#options;
    const fail = (thrown: unknown): void => {
      report(thrown);
      socket.destroy();
    };
    const accept = (caller: Caller | undefined): void => {
      try {
        this.#accept(request, socket, head, caller);
      } catch (thrown) {
        fail(thrown);
      }
    };
    if (guard === undefined) accept(undefined);
    else
      this.#admitCaller(request, socket, guard).then((caller) => {
        if (caller !== undefined) accept(caller);
      }, fail);
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

  /** Undefined if the request was refused. Faults of the handshake are refused first. */
  async #admitCaller(request: IncomingMessage, socket: Duplex, guard: Guard): Promise<Caller | undefined> {
    const { rules, limits } = this.#options;
    // The connection may break off meanwhile.
    socket.on('error', () => undefined);
    try {
      judgeHandshake(request, rules);
      const caller = await guard.admit(request);
      guard.demand([], caller);
      return socket.destroyed ? undefined : caller;
    } catch (thrown) {
      if (!(thrown instanceof HttpRefusal)) throw thrown;
      refuseUpgrade(socket, thrown, limits.closeTimeoutMs);
      return undefined;
    }
  }

  #accept(request: IncomingMessage, socket: Duplex, head: Uint8Array, caller: Caller | undefined): void {
    const { core, limits, rules, openSession, proxies } = this.#options;
    const client = rateLimitKey(request, caller, proxies);
    const { unfinished, unread } = this.#memory;
    const connection = acceptUpgrade(request, socket, head, {
      limits,
      rules,
      admit: () => this.#admit(client),
      receive: (text) => conversation.receive(text),
      holds: { unfinished: unfinished.holdFor(request, proxies), unread: unread.holdFor(request, proxies) },
    });
    if (connection === undefined) return;
    const session = openSession(client);
    const conversation = new Conversation({
      core,
      session,
      wire: connection,
      caller,
    });
    const open = { connection, conversation, session, client };
    this.#open.add(open);
    const forget = caller?.untilRefused((why) => connection.close(POLICY_VIOLATION, why));
    void connection.closed.then(() => {
      forget?.();
      this.#open.delete(open);
      session.end();
    });
  }

  #admit(client: string): void {
    if (this.#isStopping) throw new HttpRefusal(503, 'The server is stopping.');
    const { sessions, sessionsPerClient } = this.#options.limits;
    let own = 0;
    for (const open of this.#open) if (open.client === client) own++;
    if (this.#open.size >= sessions || own >= sessionsPerClient) throw noRoom();
  }
}
