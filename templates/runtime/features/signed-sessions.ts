// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sessions that any node continues, since their ids are signed by MCP_STATE_SECRET; and `--stateless`: none at all. */
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller, Feature, MethodCall, Sessions } from '../feature.ts';
import type { Agreement } from '../json-rpc.ts';
import { isRecord, LEGACY_REVISIONS, METHOD_NOT_FOUND, ownMember, RpcError, writeJson } from '../json-rpc.ts';
import type { Server } from '../server.ts';
import type { Session } from '../session.ts';
import { getSetting, parseChoice, parseInteger } from '../settings.ts';
import { type Env, type Implementation, type JsonObject, UsageError } from '../types.ts';

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
      isAlone ? 'sessions: none' : sessions.revive === undefined ? '' : 'sessions: on any node',
    start: (server, flags, env) => {
      const isStateless = parseChoice(getSetting(flags, env, '', 'MCP_STATELESS'), ['0', '1']) === '1';
      isAlone = flags['transport'] === 'http' && (flags['stateless'] === true || isStateless);
      if (isAlone && flags['sse'] === true)
        throw new UsageError(
          '--sse and --stateless exclude each other: HTTP+SSE is a session. Leave out one.',
        );
      const { services } = server;
      if (isAlone) services.sessions = { issueId: services.sessions.issueId, agreeAlone };
      else if (readSecrets(env).length > 0 && flags['transport'] === 'http')
        services.sessions = signSessions(server);
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

/** A request without the header is of 2025-03-26 (2025-06-18, "Protocol Version Header"). */
function agreeAlone(revision = '2025-03-26'): Agreement {
  if (!LEGACY_REVISIONS.includes(revision))
    throw new RpcError(-32600, `The protocol version ${JSON.stringify(revision)} is not supported.`);
  return { revision, era: 'legacy', clientInfo: undefined, clientCapabilities: {} };
}

// Signed ids.

/** Capabilities of clients that have a bit, by the names that lead to them; bits are added at the end. */
const CAPABILITIES = [
  ...['roots', 'roots listChanged', 'sampling', 'sampling context', 'sampling tools', 'elicitation'],
  ...['elicitation form', 'elicitation url', 'tasks', 'tasks list', 'tasks cancel', 'tasks requests'],
  ...['tasks requests sampling', 'tasks requests sampling createMessage', 'tasks requests elicitation'],
  'tasks requests elicitation create',
].map((path) => path.split(' '));

const VERSION = 2;
/** Where each part of an id begins; byte 0 is the version. The signature of 32 bytes follows. */
const AT = { revision: 1, capabilities: 2, issued: 4, client: 8, caller: 16, random: 32, mac: 48 };
const BYTES = AT.mac + 32;
/** 80 bytes. */
const FORM = /^[\w-]{107}$/;
/** Clocks of nodes may differ by this. */
const SKEW_MS = 5 * 60_000;
const MAX_CLIENTS = 1_000;
const MAX_CLIENT_CHARACTERS = 1_024;
const MAX_REVOKED = 100_000;

export function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** The first secret signs, and each verifies. @throws {UsageError} */
export function readSecrets(env: Env): string[] {
  const names = ['MCP_STATE_SECRET', 'MCP_STATE_SECRET_PREVIOUS'];
  for (const name of names)
    if (env[name] && env[name].length < 32) throw new UsageError(`${name} must have 32 characters or more.`);
  const [secret, previous] = names.map((name) => env[name]);
  if (previous && !secret) throw new UsageError('MCP_STATE_SECRET_PREVIOUS goes with MCP_STATE_SECRET.');
  return [secret, previous].flatMap((value) => value || []);
}

function signSessions(server: Server): Sessions {
  const { env, services, definition } = server;
  // Keys fit no other purpose and no other server (RFC 5869).
  const derive = (secret: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, definition.info.name, 'mcpgen session-id 2', 64));
  const keys = readSecrets(env).map(derive);
  const seconds = parseInteger(getSetting({}, env, '', 'MCP_SESSION_TTL'), 1, 31_536_000) ?? 604_800;
  const clients = new Map<string, Implementation>();
  const revocations = (): Revocations => (services.revocations ??= new LocalRevocations());
  const expiryOf = (id: string): number =>
    (Buffer.from(id, 'base64url').readUInt32BE(AT.issued) + seconds) * 1_000;

  const issueId = ({ agreement, caller }: Session): string => {
    const [key] = keys;
    if (agreement === undefined || key === undefined) throw new Error('The session is not initialized.');
    const bytes = Buffer.alloc(BYTES);
    bytes[0] = VERSION;
    bytes[AT.revision] = LEGACY_REVISIONS.indexOf(agreement.revision);
    bytes.writeUInt16BE(packCapabilities(agreement.clientCapabilities), AT.capabilities);
    bytes.writeUInt32BE(Math.floor(Date.now() / 1_000), AT.issued);
    const client = hmac(key.subarray(32), `client ${writeJson(agreement.clientInfo)}`);
    client.copy(bytes, AT.client, 0, AT.caller - AT.client);
    hashCaller(caller, key).copy(bytes, AT.caller);
    randomBytes(AT.mac - AT.random).copy(bytes, AT.random);
    hmac(key.subarray(0, 32), bytes.subarray(0, AT.mac)).copy(bytes, AT.mac);
    const name = bytes.toString('hex', AT.client, AT.caller);
    const { clientInfo } = agreement;
    if (clientInfo && clients.size < MAX_CLIENTS && writeJson(clientInfo).length <= MAX_CLIENT_CHARACTERS)
      clients.set(name, clientInfo);
    return bytes.toString('base64url');
  };

  /** Undefined for an id of another secret, server or caller, an expired one, and any other text. */
  const verify = (id: string, caller: Caller | undefined): Agreement | undefined => {
    const bytes = Buffer.from(id, 'base64url');
    // No two texts are one id.
    if (!FORM.test(id) || bytes.toString('base64url') !== id) return undefined;
    const mac = bytes.subarray(AT.mac);
    const isSigner = (key: Buffer): boolean =>
      timingSafeEqual(hmac(key.subarray(0, 32), bytes.subarray(0, AT.mac)), mac);
    const key = keys.find(isSigner);
    if (key === undefined || bytes[0] !== VERSION) return undefined;
    if (!timingSafeEqual(hashCaller(caller, key), bytes.subarray(AT.caller, AT.random))) return undefined;
    const now = Date.now();
    const issued = bytes.readUInt32BE(AT.issued) * 1_000;
    const revision = LEGACY_REVISIONS[bytes[AT.revision] ?? -1];
    if (now >= expiryOf(id) || now < issued - SKEW_MS || revision === undefined) return undefined;
    const clientInfo = clients.get(bytes.toString('hex', AT.client, AT.caller));
    const clientCapabilities = unpackCapabilities(bytes.readUInt16BE(AT.capabilities));
    return { revision, era: 'legacy', clientInfo, clientCapabilities };
  };

  return {
    issueId,
    revive: async (id, caller) => {
      const agreement = verify(id, caller);
      return agreement === undefined || (await revocations().isRevoked(hashId(id))) ? undefined : agreement;
    },
    hold: (id, session) => {
      // Timers take 31 bits, and sessions that are not used end earlier.
      const ms = Math.min(Math.max(0, expiryOf(id) - Date.now()), 2 ** 31 - 1);
      const timer = setTimeout(() => session.end(), ms).unref();
      session.onEnd(() => clearTimeout(timer));
    },
    end: (id) => revocations().revoke(hashId(id), expiryOf(id) - Date.now()),
  };
}

const hmac = (key: Buffer, content: Buffer | string): Buffer =>
  createHmac('sha256', key).update(content).digest();

/** No caller has another hash than an empty subject. */
function hashCaller(caller: Caller | undefined, key: Buffer): Buffer {
  const text = caller === undefined ? 'nobody' : `caller ${caller.subject}`;
  return hmac(key.subarray(32), text).subarray(0, AT.random - AT.caller);
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
  const capabilities: JsonObject = {};
  CAPABILITIES.forEach((path, index) => {
    if ((bits & (1 << index)) === 0) return;
    let holder = capabilities;
    for (const name of path) {
      const member = ownMember(holder, name) ?? (name === 'listChanged' ? true : {});
      holder[name] = member;
      holder = member as JsonObject;
    }
  });
  return capabilities;
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
