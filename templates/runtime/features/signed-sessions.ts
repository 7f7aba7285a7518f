// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sessions that any node continues, since their ids are signed by MCP_STATE_SECRET; and `--stateless`: none at all. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Caller, Feature, MethodCall, Sessions } from '../feature.ts';
import type { Agreement } from '../json-rpc.ts';
import { isRecord, LEGACY_REVISIONS, METHOD_NOT_FOUND, ownMember, RpcError } from '../json-rpc.ts';
import type { Server } from '../server.ts';
import type { Session } from '../session.ts';
import { getSetting, parseChoice, parseInteger } from '../settings.ts';
import { type Env, type JsonObject, UsageError } from '../types.ts';
import { deriveKeys, openSigned, sign } from './state-keys.ts';

declare module '../feature.ts' {
  interface Services {
    /** Ids of sessions that their clients ended, by their hashes, until they expire. In memory unless nodes share them. */
    revocations?: Revocations;
  }
}
export interface Revocations {
  revoke(hash: string, ms: number): void | Promise<void>;
  isRevoked(hash: string): boolean | Promise<boolean>;
}

export function signedSessions(): Feature {
  let isAlone = false;
  const feature: Feature = {
    name: 'signed-sessions',
    settings: [
      {
        variable: 'MCP_STATE_SECRET',
        help: 'Signs session ids, so that any node continues a session: 32 characters or more, the same on all nodes.',
      },
      {
        variable: 'MCP_STATE_SECRET_PREVIOUS',
        help: 'The secret before: accepted, and nothing is signed by it.',
      },
      { variable: 'MCP_SESSION_TTL', help: 'Seconds until a signed session expires.', default: '604800' },
      {
        flag: 'stateless',
        variable: 'MCP_STATELESS',
        help: 'Open no sessions over HTTP: each request stands alone. Variable: 1.',
      },
    ],
    capabilities: ({ catalog }, { era }) =>
      isAlone && era === 'legacy' ? withoutSessions(catalog.lists) : {},
    aroundRequest: (call, next) =>
      isAlone && call.agreement.era === 'legacy' ? next(refuseSession(call)) : next(call),
    startLine: ({ services: { sessions } }) =>
      isAlone ? 'sessions: none' : sessions?.revive === undefined ? '' : 'sessions: on any node',
    start: (server, flags, env) => {
      const isStateless = parseChoice(getSetting(flags, env, '', 'MCP_STATELESS'), ['0', '1']) === '1';
      isAlone = flags['transport'] === 'http' && (flags['stateless'] === true || isStateless);
      if (isAlone && flags['sse'] === true)
        throw new UsageError(
          '--sse and --stateless exclude each other: HTTP+SSE is a session. Leave out one.',
        );
      const { services } = server;
      if (isAlone) delete services.sessions;
      else if (hasSecret(env) && flags['transport'] === 'http') services.sessions = signSessions(server);
    },
  };
  return feature;
}

// `--stateless`.

function withoutSessions(lists: ReadonlySet<string>): object {
  const names = [...lists].map((list) => (list === 'resourceTemplates' ? 'resources' : list));
  return { logging: undefined, tasks: undefined, ...Object.fromEntries(names.map((name) => [name, {}])) };
}

const NEEDS_SESSION = /^(?:logging\/setLevel|resources\/(?:un)?subscribe|tasks\/.*)$/;

/** A log message needs the capability, which is not declared. @throws {RpcError} */
function refuseSession(call: MethodCall): MethodCall {
  const { method, exchange } = call;
  const reason = `${method} needs a session, and this server has none (--stateless).`;
  if (NEEDS_SESSION.test(method)) throw new RpcError(METHOD_NOT_FOUND, reason);
  const send: typeof exchange.send = (message) =>
    message.method === 'notifications/message' ? undefined : exchange.send(message);
  return { ...call, exchange: { ...exchange, send } };
}

// Signed ids.

/** Capabilities of clients that have a bit, by the names that lead to them. */
const CAPABILITIES = [
  ...['roots', 'roots listChanged', 'sampling', 'sampling tools', 'elicitation'],
  ...['elicitation form', 'elicitation url'],
].map((path) => path.split(' '));

/** Of ids. Those of another version are unknown. */
const VERSION = 3;
/** Clocks of nodes may differ by this. */
const SKEW_MS = 5 * 60_000;
const MAX_REVOKED = 100_000;

/** Version, revision, capabilities, seconds since 1970, a keyed hash of the caller, and 128 random bits. */
type Id = [
  version: number,
  revision: string,
  capabilities: number,
  issued: number,
  caller: string,
  random: string,
];

export function hashId({ id = '' }: Pick<Session, 'id'>): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** @throws {UsageError} */
function hasSecret(env: Env): boolean {
  const names = ['MCP_STATE_SECRET', 'MCP_STATE_SECRET_PREVIOUS'];
  for (const name of names)
    if (env[name] && env[name].length < 32) throw new UsageError(`${name} must have 32 characters or more.`);
  const [secret, previous] = names.map((name) => env[name]);
  if (previous && !secret) throw new UsageError('MCP_STATE_SECRET_PREVIOUS goes with MCP_STATE_SECRET.');
  return Boolean(secret);
}

function signSessions({ env, services, definition }: Server): Sessions {
  const keys = deriveKeys(env, definition.info.name, 'session-id');
  const seconds = parseInteger(getSetting({}, env, '', 'MCP_SESSION_TTL'), 1, 31_536_000) ?? 604_800;
  const revocations = (): Revocations => (services.revocations ??= new LocalRevocations());
  const read = (id: string): Id | undefined => {
    const content = openSigned(keys, id);
    return content && (JSON.parse(content.toString()) as Id);
  };
  const expiryOf = ({ id = '' }: Pick<Session, 'id'>): number => ((read(id)?.[3] ?? 0) + seconds) * 1_000;

  /** Undefined for an id of another secret, server or caller, an expired one, and any other text. */
  const verify = (id: string, caller: Caller | undefined): Agreement | undefined => {
    const [version, revision = '', bits = 0, issued = 0, hash] = read(id) ?? [];
    if (version !== VERSION || !keys.some((key) => hashCaller(caller, key) === hash)) return undefined;
    const now = Date.now();
    if (now >= expiryOf({ id }) || now < issued * 1_000 - SKEW_MS) return undefined;
    if (!LEGACY_REVISIONS.includes(revision)) return undefined;
    return { revision, era: 'legacy', clientInfo: undefined, clientCapabilities: unpackCapabilities(bits) };
  };

  return {
    issueId: ({ agreement, caller }) => {
      if (agreement === undefined) throw new Error('The session is not initialized.');
      const { revision, clientCapabilities } = agreement;
      const random = randomBytes(16).toString('base64url');
      const bits = packCapabilities(clientCapabilities);
      const issued = Math.floor(Date.now() / 1_000);
      const content: Id = [VERSION, revision, bits, issued, hashCaller(caller, keys[0]), random];
      return sign(keys, Buffer.from(JSON.stringify(content)));
    },
    revive: async (id, caller) => {
      const agreement = verify(id, caller);
      return agreement === undefined || (await revocations().isRevoked(hashId({ id })))
        ? undefined
        : agreement;
    },
    hold: (session) => {
      // Timers take 31 bits, and sessions that are not used end earlier.
      const ms = Math.min(Math.max(0, expiryOf(session) - Date.now()), 2 ** 31 - 1);
      const timer = setTimeout(() => session.end(), ms).unref();
      session.onEnd(() => clearTimeout(timer));
    },
    end: (session) => revocations().revoke(hashId(session), expiryOf(session) - Date.now()),
  };
}

/** No caller has another hash than an empty subject. */
function hashCaller(caller: Caller | undefined, key: Buffer): string {
  const text = caller === undefined ? 'nobody' : `caller ${caller.subject}`;
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}

function packCapabilities(capabilities: JsonObject): number {
  return CAPABILITIES.reduce((bits, path, index) => {
    const value = path.reduce<unknown>(
      (holder, name) => (isRecord(holder) ? ownMember(holder, name) : undefined),
      capabilities,
    );
    return isRecord(value) || value === true ? bits | (1 << index) : bits;
  }, 0);
}

function unpackCapabilities(bits: number): JsonObject {
  const paths = CAPABILITIES.filter((_, index) => (bits & (1 << index)) !== 0);
  const membersOf = (name: string): string[] =>
    paths.flatMap(([first, member]) => (first === name && member !== undefined ? member : []));
  const names = new Set(paths.map(([name = '']) => name));
  return Object.fromEntries(
    [...names].map((name) => {
      const members = membersOf(name).map((member) => [member, member === 'listChanged' ? true : {}]);
      return [name, Object.fromEntries(members) as JsonObject];
    }),
  );
}

/** When it is full, the oldest is forgotten, which could be continued until it expires. */
export class LocalRevocations implements Revocations {
  readonly #expiries = new Map<string, number>();

  revoke(hash: string, ms: number): void {
    for (const [oldest, expiry] of this.#expiries) {
      if (expiry > Date.now() && this.#expiries.size < MAX_REVOKED) break;
      this.#expiries.delete(oldest);
    }
    this.#expiries.set(hash, Date.now() + ms);
  }

  isRevoked(hash: string): boolean {
    return this.#expiries.has(hash);
  }
}
