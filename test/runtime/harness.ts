/** A server without transport: sends messages to the core. */
import type { Change } from '../../templates/runtime/features/changes.ts';
import type { Server } from '../../templates/runtime/server.ts';
import type { Session } from '../../templates/runtime/session.ts';
import type { Handlers } from '../../templates/runtime/types.ts';
import { makeClient, makeServer, type Parts } from './core.ts';

export interface ServerParts extends Omit<Parts, 'handlers'> {
  handlers?: Handlers<object>;
}

export interface Reply {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
  /** The part of the request that was refused. */
  origin?: string;
}

export interface TestServer {
  server: Server;
  session: Session;
  /** Messages sent before answers. */
  sent: { method: string; params?: object }[];
  /** Errors reported as faults of the runtime. */
  reported: unknown[];
  /** A message as it came, and its answer. */
  send: (message: unknown) => Promise<Reply | Reply[] | undefined>;
  /** A request under a fresh id. */
  ask: (method: string, params?: object) => Promise<Reply>;
  notify: (method: string, params?: object) => Promise<void>;
  /** Publishes a change to those who listen. */
  publish: (change: Change) => void;
  /** As the server's process does it when it stops. */
  stop: () => void;
  /** A message by its own connection. `sending` is called after each message that goes out. */
  deliver: (message: object, more?: Delivery) => Promise<Reply | undefined>;
}

export interface Delivery {
  subject?: string | undefined;
  sending?: (message: { method: string }) => void | Promise<void>;
}

export function newServer(parts: ServerParts = {}): TestServer {
  const reported: unknown[] = [];
  const sent: TestServer['sent'] = [];
  const server = makeServer(parts, reported);
  const client = makeClient(server, sent);
  const send = client.send as TestServer['send'];
  let id = 0;
  return {
    server,
    session: client.session,
    sent,
    reported,
    send,
    ask: async (method, params) => {
      const reply = await send({ jsonrpc: '2.0', id: ++id, method, ...(params && { params }) });
      if (reply === undefined || Array.isArray(reply))
        throw new Error(`${method} was not answered by one message`);
      return reply;
    },
    notify: async (method, params) => {
      const reply = await send({ jsonrpc: '2.0', method, ...(params && { params }) });
      if (reply !== undefined) throw new Error(`the notification ${method} was answered`);
    },
    publish: (change) => server.services.bus.publish(change),
    stop: () => server.beginStopping(),
    deliver: async (message, { subject, sending } = {}) => {
      const other = makeClient(server, [], undefined, sending as (out: object) => void | Promise<void>);
      if (subject !== undefined) other.session.caller = { subject };
      return other.send(message) as Promise<Reply | undefined>;
    },
  };
}

/** A server whose session is open. */
export async function openServer(parts: ServerParts = {}, revision = '2025-11-25'): Promise<TestServer> {
  const server = newServer(parts);
  const { error } = await server.ask('initialize', hello(revision));
  if (error !== undefined) throw new Error(error.message);
  await server.notify('notifications/initialized');
  return server;
}

/** The parameters of `initialize`. */
export function hello(protocolVersion: string): object {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'client', version: '0' } };
}
