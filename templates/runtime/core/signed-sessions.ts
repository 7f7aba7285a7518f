// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Session ids that are signed with a key from MCP_STATE_SECRET: any node with the secret continues a session. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

import { SURFACES, type JsonObject, type SurfaceName } from '../contract/json-schema.ts';
import type { Limits } from '../contract/feature.ts';
import { isRecord, getOwnMember, putAndDropOldest, writeJson } from '../contract/json-value.ts';
import type { Implementation } from '../definition.ts';
import type { SharedState } from '../feature-loaders.ts';
import { LEGACY_REVISIONS, featuresOf } from '../protocol/revisions.ts';
import type { LiveServer } from './server-instance.ts';
import type { Agreement, makeReady } from './session.ts';
import { type Keys, deriveSharedKeys, hmacSha256 } from './state-keys.ts';

export interface SignedSession {
  agreement: Agreement;
  surface: SurfaceName | undefined;
}

/** Capabilities of clients that have a bit, by the names that lead to them; bits are added at the end. */
const CAPABILITIES = [
  'roots',
  'roots listChanged',
  'sampling',
  'sampling context',
  'sampling tools',
  'elicitation',
  'elicitation form',
  'elicitation url',
  'tasks',
  'tasks list',
  'tasks cancel',
  'tasks requests',
  'tasks requests sampling',
  'tasks requests sampling createMessage',
  'tasks requests elicitation',
  'tasks requests elicitation create',
].map((path) => path.split(' '));

const VERSION = 1;

/** Each part of an id begins at this byte. The signature of 32 bytes follows. */
const AT = {
  revision: 1,
  surface: 2,
  capabilities: 3,
  issued: 5,
  client: 9,
  caller: 17,
  random: 33,
  mac: 49,
};
const BYTES = AT.mac + 32;

/** 81 bytes fill 108 characters to the last bit, so no two texts decode to the same bytes. */
const FORM = /^[\w-]{108}$/;

/** Clocks of nodes may differ by this. */
const SKEW_MS = 5 * 60_000;

const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 1_024;

/**
 * Writes and reads signed ids: version, revision, surface, capabilities, time of issue, a keyed hash of what the client says about
 * itself, one of issuer and subject, 128 random bits, and HMAC-SHA-256 over all of it.
 */
export class SessionIds {
  readonly #keys: { sign: Buffer; hash: Buffer }[];
  readonly #lifetimeMs: number;
  readonly #now: () => number;
  readonly #known = new Map<string, Implementation>();

  /** @param keys of 64 bytes */
  constructor(keys: Keys, lifetimeMs: number, now: () => number = Date.now) {
    this.#keys = keys.map((key) => ({ sign: key.subarray(0, 32), hash: key.subarray(32) }));
    this.#lifetimeMs = lifetimeMs;
    this.#now = now;
  }

  issueId({ agreement, surface }: SignedSession, subject?: string): string {
    const { revision, clientInfo, clientCapabilities } = agreement;
    const [key] = this.#keys;
    if (key === undefined) throw new Error('Nothing signs the ids of sessions.');
    const bytes = Buffer.alloc(BYTES);
    bytes[0] = VERSION;
    bytes[AT.revision] = LEGACY_REVISIONS.findIndex((each) => each === revision);
    bytes[AT.surface] = SURFACES.findIndex((each) => each === surface) + 1;
    bytes.writeUInt16BE(packCapabilities(clientCapabilities), AT.capabilities);
    bytes.writeUInt32BE(Math.floor(this.#now() / 1_000), AT.issued);
    hashClient(clientInfo, key.hash).copy(bytes, AT.client, 0, AT.caller - AT.client);
    hashCaller(subject, key.hash).copy(bytes, AT.caller);
    randomBytes(AT.mac - AT.random).copy(bytes, AT.random);
    hmacSha256(key.sign, bytes.subarray(0, AT.mac)).copy(bytes, AT.mac);
    this.#rememberClient(bytes, clientInfo);
    return bytes.toString('base64url');
  }

  /** Undefined for an id of another secret, server or subject, an expired one, and any other text. */
  verifyId(id: string, subject?: string): SignedSession | undefined {
    if (!FORM.test(id)) return undefined;
    const bytes = Buffer.from(id, 'base64url');
    const signed = bytes.subarray(0, AT.mac);
    const key = this.#keys.find((each) =>
      timingSafeEqual(hmacSha256(each.sign, signed), bytes.subarray(AT.mac)),
    );
    if (key === undefined || bytes[0] !== VERSION) return undefined;
    if (!timingSafeEqual(hashCaller(subject, key.hash), bytes.subarray(AT.caller, AT.random)))
      return undefined;
    const age = this.#now() - readIssueTime(bytes);
    const revision = LEGACY_REVISIONS[bytes[AT.revision] ?? -1];
    if (age >= this.#lifetimeMs || age < -SKEW_MS || revision === undefined) return undefined;
    const agreement = {
      revision,
      features: featuresOf(revision),
      clientInfo: this.#known.get(clientKey(bytes)),
      clientCapabilities: unpackCapabilities(bytes.readUInt16BE(AT.capabilities)),
    };
    return { agreement, surface: SURFACES[(bytes[AT.surface] ?? 0) - 1] };
  }

  /** Returns when a signed id expires, in milliseconds since the epoch. */
  expiryOf(id: string): number {
    return readIssueTime(Buffer.from(id, 'base64url')) + this.#lifetimeMs;
  }

  #rememberClient(bytes: Buffer, info: Implementation | undefined): void {
    const key = clientKey(bytes);
    if (info === undefined || this.#known.has(key) || writeJson(info).length > LONGEST_KNOWN) return;
    putAndDropOldest(this.#known, key, info, MOST_KNOWN);
  }
}

function readIssueTime(bytes: Buffer): number {
  return bytes.readUInt32BE(AT.issued) * 1_000;
}

function clientKey(bytes: Buffer): string {
  return bytes.toString('base64url', AT.client, AT.caller);
}

/** The hash covers all client information: by the name alone, one client could change what another is reported as. */
function hashClient(info: Implementation | undefined, key: Buffer): Buffer {
  return hmacSha256(key, `client ${info === undefined ? '' : writeJson(info)}`);
}

/** Hashes the caller; no subject gives another hash than an empty subject. */
function hashCaller(subject: string | undefined, key: Buffer): Buffer {
  return hmacSha256(key, subject === undefined ? 'nobody' : `caller ${subject}`).subarray(
    0,
    AT.random - AT.caller,
  );
}

function packCapabilities(capabilities: JsonObject): number {
  return CAPABILITIES.reduce((bits, path, index) => {
    let value: unknown = capabilities;
    for (const name of path) value = isRecord(value) ? getOwnMember(value, name) : undefined;
    return isRecord(value) || value === true ? bits | (1 << index) : bits;
  }, 0);
}

function unpackCapabilities(bits: number): JsonObject {
  const capabilities: JsonObject = {};
  CAPABILITIES.forEach((path, index) => {
    if ((bits & (1 << index)) === 0) return;
    const last = path.at(-1) ?? '';
    let within = capabilities;
    for (const name of path.slice(0, -1)) {
      const inner = (getOwnMember(within, name) ?? {}) as JsonObject;
      within[name] = inner;
      within = inner;
    }
    if (!Object.hasOwn(within, last)) within[last] = last === 'listChanged' ? true : {};
  });
  return capabilities;
}

/** Sessions that their clients ended (DELETE), by hashes of their ids. */
export interface Revocations {
  revoke(hash: string, ttlMs: number): void | Promise<void>;
  isRevoked(hash: string): boolean | Promise<boolean>;
}

/** This process remembers ended sessions. When the memory is full, it forgets the oldest, which could be continued until its lifetime is over. */
export class LocalRevocations implements Revocations {
  readonly #most: number;
  readonly #now: () => number;
  /** When each ended id expires by itself, by its hash. */
  readonly #ended = new Map<string, number>();

  constructor(most: number, now: () => number = Date.now) {
    this.#most = most;
    this.#now = now;
  }

  get count(): number {
    return this.#ended.size;
  }

  revoke(hash: string, ttlMs: number): void {
    const now = this.#now();
    for (const [oldest, until] of this.#ended) {
      if (until > now && this.#ended.size < this.#most) break;
      this.#ended.delete(oldest);
    }
    this.#ended.set(hash, now + ttlMs);
  }

  isRevoked(hash: string): boolean {
    return this.#ended.has(hash);
  }
}

export interface Signing {
  ids: SessionIds;
  revocations: Revocations;
  /** Sends changes to sessions. Here they are ready from their beginning. */
  announcer: () => Parameters<typeof makeReady>[1];
}

/** Undefined without MCP_STATE_SECRET: ids are random then, and a session lives in one process. */
export function openSessionSigning(
  live: LiveServer,
  sessionMs: number,
  { endedSessions }: Pick<Limits, 'endedSessions'>,
): Signing | undefined {
  const { env, info, shared } = live.current;
  const keys = deriveSharedKeys(env, info.name, 'session-id', 64);
  if (keys === undefined) return undefined;
  return {
    ids: new SessionIds(keys, sessionMs),
    revocations: shared.isShared ? (shared as SharedState) : new LocalRevocations(endedSessions),
    announcer: () => live.current,
  };
}
