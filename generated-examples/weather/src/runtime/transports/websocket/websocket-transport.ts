/** WebSocket as a transport of MCP: one session a socket, one message a text, both ways. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Core } from '../../core/core.ts';
import type { Session } from '../../core/session.ts';
import type { Limits } from '../../limits.ts';
import { Conversation } from '../conversation.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { GOING_AWAY } from './close-code.ts';
import type { WebSocketConnection } from './connection.ts';
import type { HandshakeRules } from './handshake.ts';
import { acceptUpgrade } from './upgrade.ts';

export interface WebSocketTransportOptions {
  core: Core;
  limits: Limits;
  rules: HandshakeRules;
  openSession: () => Session;
  /** Told of what went wrong inside; the client is not. */
  report: (thrown: unknown) => void;
}

interface OpenSocket {
  connection: WebSocketConnection;
  conversation: Conversation;
  session: Session;
}

export class WebSocketTransport {
  readonly #options: WebSocketTransportOptions;
  readonly #open = new Set<OpenSocket>();
  #isStopping = false;

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
  }

  /** Takes an `upgrade` of Node's server. Never throws. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Uint8Array): void => {
    try {
      this.#accept(request, socket, head);
    } catch (thrown) {
      this.#options.report(thrown);
      socket.destroy();
    }
  };

  /**
   * Opens no more sockets and begins no more work. What is under way has `httpDrainMs`, then each socket is closed with
   * 1001. Resolves when all are gone.
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

  #accept(request: IncomingMessage, socket: Duplex, head: Uint8Array): void {
    const { core, limits, rules, openSession } = this.#options;
    const connection = acceptUpgrade(request, socket, head, {
      limits,
      rules,
      admit: () => this.#admit(),
      receive: (text) => conversation.receive(text),
    });
    if (connection === undefined) return;
    const session = openSession();
    const conversation = new Conversation({ core, session, wire: connection });
    const open = { connection, conversation, session };
    this.#open.add(open);
    void connection.closed.then(() => {
      this.#open.delete(open);
      session.end();
    });
  }

  #admit(): void {
    if (this.#isStopping) throw new HttpRefusal(503, 'The server is stopping.');
    if (this.#open.size < this.#options.limits.sessions) return;
    throw new HttpRefusal(503, 'Too many sessions are open. Try again later.', { 'Retry-After': '60' });
  }
}
