// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tokens that are bound to a key of their client, by DPoP (RFC 9449) or a client certificate (RFC 8705). */
import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual, type X509Certificate } from 'node:crypto';
import type { Feature, HttpExchange } from '../../feature.ts';
import { isRecord, limitReached } from '../../json-rpc.ts';
import type { Server } from '../../server.ts';
import { CallLimiter } from '../../session.ts';
import { getSetting, parseChoice, parseInteger, type Setting } from '../../settings.ts';
import { type Env, UsageError } from '../../types.ts';
import { type AuthInfo, type Claims, type Confirmation, subjectOf } from '../oauth/caller.ts';
import type { OpenBinding, Scheme, TokenBinding } from '../oauth/guard.ts';
import { readAuthSettings } from '../oauth/settings.ts';
import type { ProvenRequest } from './proof.ts';

const SETTINGS: readonly Setting[] = [
  {
    variable: 'MCP_AUTH_DPOP',
    help: 'Tokens bound by DPoP: off, allowed (with a proof), or required.',
    default: 'off',
  },
  {
    variable: 'MCP_AUTH_DPOP_NONCE',
    help: 'required: each proof needs a nonce of the server.',
    default: 'off',
  },
  {
    variable: 'MCP_AUTH_MTLS',
    help: 'allowed: tokens bound to the client certificate of the connection. Needs MCP_TLS_CERT.',
    default: 'off',
  },
];

export const DPOP_LIMITS = {
  /** Of one caller: each is remembered for up to ten minutes. */
  proofsPerMinute: 12_000,
  rememberedProofs: 500_000,
};

/** Whether a key is new. It is remembered for so many milliseconds. A feature that shares state has its own, in the parts `once`. */
export type TakeOnce = (key: string, ms: number) => boolean | Promise<boolean>;

/** @param now milliseconds since 1970 */
export function dpop(now: () => number = Date.now): Feature {
  const tls: Record<string, unknown> = {};
  const open: OpenBinding = async (server) => {
    const { env, features } = server;
    const settings = readSettings(env);
    if (settings.dpop === 'off' && !settings.hasMtls) return undefined;
    const shared = features.flatMap(({ parts }) => Object.values(parts?.['once'] ?? {}))[0];
    if (settings.dpop !== 'off') requireSharedProofs(settings.needsNonce, env, shared !== undefined);
    // Whoever signed it, the client proves its key. Others need none.
    if (settings.hasMtls) tls['dpop'] = { requestCert: true, rejectUnauthorized: false };
    return openBinding(settings, server, shared as TakeOnce | undefined, now);
  };
  return {
    name: 'dpop',
    settings: SETTINGS,
    parts: { tokens: { dpop: open }, tls },
  };
}

interface BindingSettings {
  dpop: 'off' | 'allowed' | 'required';
  needsNonce: boolean;
  hasMtls: boolean;
}

function readSettings(env: Env): BindingSettings {
  const read = (name: string) => getSetting({}, env, '', name);
  const mode = parseChoice(read('MCP_AUTH_DPOP'), ['off', 'allowed', 'required']);
  const needsNonce = parseChoice(read('MCP_AUTH_DPOP_NONCE'), ['off', 'required']) === 'required';
  const hasMtls = parseChoice(read('MCP_AUTH_MTLS'), ['off', 'allowed']) === 'allowed';
  if (needsNonce && mode === 'off')
    throw new UsageError('MCP_AUTH_DPOP_NONCE goes with MCP_AUTH_DPOP: set that as well, or unset it.');
  return { dpop: mode, needsNonce, hasMtls };
}

/** Each process alone would accept a proof once. */
function requireSharedProofs(needsNonce: boolean, env: Env, isShared: boolean): void {
  if ((parseInteger(getSetting({}, env, '', 'MCP_NODES'), 1) ?? 1) === 1) return;
  if (!isShared)
    throw new UsageError(
      'MCP_AUTH_DPOP with several nodes (MCP_NODES) needs MCP_REDIS_URL: a proof counts once, which they know together only.',
    );
  if (needsNonce && !env['MCP_STATE_SECRET'])
    throw new UsageError(
      'MCP_AUTH_DPOP_NONCE with several nodes needs MCP_STATE_SECRET: a node refuses nonces of another secret.',
    );
}

async function openBinding(
  { dpop: mode, needsNonce, hasMtls }: BindingSettings,
  server: Server,
  shared: TakeOnce | undefined,
  now: () => number,
): Promise<TokenBinding> {
  const { PROOF_ALGORITHMS, WINDOW_SECONDS, createTargetFinder, verifyProof, refuseProof } =
    await import('./proof.ts');
  const { CheckFailure, refuseBound, TokenRefusal } = await import('../oauth/token.ts');
  const { readHttpOptions } = await import('../../http.ts');
  const { env, features } = server;
  const { resource } = readAuthSettings(env);
  const paths = features.flatMap(({ routes = [] }) => routes.map(({ path }) => path));
  const findTarget = createTargetFinder(resource, [readHttpOptions(server).path, ...paths]);
  const nonces = new Nonces(env['MCP_STATE_SECRET'] ?? '', resource.href, now);
  const limiter = new CallLimiter(DPOP_LIMITS.proofsPerMinute);
  const algorithms = mode === 'off' ? undefined : PROOF_ALGORITHMS;
  const verified = [...(algorithms ? ['jkt'] : []), ...(hasMtls ? ['x5t#S256'] : [])];
  const takeOnce = shared ?? rememberInMemory(now);
  // Proofs of an earlier time may have been used before a restart, unless others remember them.
  const startedAt = shared === undefined ? now() : -Infinity;
  const checkNonce: ProvenRequest['checkNonce'] = (nonce, iat) => {
    const isOld = iat * 1000 < startedAt;
    if (!needsNonce && !isOld) return;
    const at = nonces.timeOf(nonce) ?? -Infinity;
    if (Math.abs(now() - at) <= WINDOW_SECONDS * 1000 && (!isOld || at >= startedAt)) return;
    const words = 'The proof needs a nonce of this server (DPoP-Nonce).';
    throw new TokenRefusal(words, 'use_dpop_nonce');
  };
  const verifyKey = async (auth: AuthInfo, jkt: string, token: string, { request }: HttpExchange) => {
    const { method = '', url = '', headers } = request;
    const path = url.split('?', 1)[0] ?? '';
    const { jti, iat } = await verifyProof({
      ...{ proof: headers['dpop'], token, jkt, method, url: findTarget(path) },
      ...{ nowSeconds: now() / 1000, checkNonce },
    });
    const seconds = limiter.take(subjectOf(auth));
    if (seconds > 0) throw limitReached('Too many proofs of this caller.', seconds);
    const key = `dpop:${hash('sha256', `${jkt} ${jti}`, 'base64url')}`;
    const ms = Math.ceil((iat + WINDOW_SECONDS) * 1000 - now()) + 1000;
    const isFirst = await (async () => takeOnce(key, ms))().catch((cause: unknown) => {
      throw new CheckFailure(`Nobody can say whether a proof was used before: ${String(cause)}`);
    });
    if (!isFirst) throw refuseProof('The proof was used before (jti).');
  };
  return {
    algorithms,
    isRequired: mode === 'required',
    needsNonce,
    get nonce() {
      return nonces.current;
    },
    metadata: {
      dpop_signing_alg_values_supported: algorithms,
      dpop_bound_access_tokens_required: algorithms && mode === 'required',
      tls_client_certificate_bound_access_tokens: hasMtls || undefined,
    },
    /** Each member must be verified here, so an unknown one refuses the token. Introspection names the type (RFC 9449, section 6.2). */
    readConfirmation: (claims: Claims): Confirmation | undefined => {
      const { cnf, token_type: type, ...others } = claims;
      const members = isRecord(cnf) ? Object.entries(cnf) : [];
      const isKnown = members.every(
        ([name, value]) => verified.includes(name) && typeof value === 'string' && value !== '',
      );
      if (!isRecord(cnf) || members.length === 0 || !isKnown) return refuseBound(claims);
      const isDpop = cnf['jkt'] !== undefined && typeof type === 'string' && /^dpop$/i.test(type);
      refuseBound(isDpop ? others : { ...others, ...(type !== undefined && { token_type: type }) });
      return cnf;
    },
    /** A token that is bound comes by DPoP, any other by Bearer: a stolen one would count without its proof. */
    verify: async (auth: AuthInfo, token: string, scheme: Scheme, exchange: HttpExchange) => {
      const { jkt, 'x5t#S256': x5t } = auth.confirmation ?? {};
      if (mode === 'required' && jkt === undefined)
        throw new TokenRefusal(
          'The token is not bound to a key by DPoP, and only tokens that are count here.',
        );
      if (jkt === undefined && scheme === 'DPoP')
        throw new TokenRefusal('The token is not bound to a key: send it by the scheme Bearer.');
      if (jkt !== undefined && scheme === 'Bearer')
        throw new TokenRefusal('The token is bound to a key: send it by the scheme DPoP, with a proof.');
      if (x5t !== undefined && x5t !== thumbprintOf(exchange.request.socket))
        throw new TokenRefusal(
          'The token is bound to a client certificate, which this connection does not have.',
        );
      if (jkt !== undefined) await verifyKey(auth, jkt, token, exchange);
    },
  };
}

/** RFC 8705, section 3.1. TLS has proved the client's key; whoever signed the certificate does not matter. */
function thumbprintOf(socket: object): string | undefined {
  const { getPeerX509Certificate } = socket as { getPeerX509Certificate?: () => X509Certificate | undefined };
  const certificate = getPeerX509Certificate?.call(socket);
  return certificate && hash('sha256', certificate.raw, 'base64url');
}

/** @throws {Error} if there is no room */
function rememberInMemory(now: () => number): TakeOnce {
  const ends = new Map<string, number>();
  return (key, ms) => {
    if ((ends.get(key) ?? 0) > now()) return false;
    if (ends.size >= DPOP_LIMITS.rememberedProofs)
      for (const [old, end] of ends) if (end <= now()) ends.delete(old);
    if (ends.size >= DPOP_LIMITS.rememberedProofs) throw new Error('too many proofs are remembered');
    ends.set(key, now() + ms);
    return true;
  };
}

const TIME_BYTES = 6;
const TAG_BYTES = 16;
const RENEWED_MS = 30_000;

/** A nonce is the time at which it was made, and an HMAC of it: nothing is kept, and nodes with one secret accept each other's. */
class Nonces {
  readonly #key: Uint8Array;
  readonly #now: () => number;
  #current = { nonce: '', at: -Infinity };

  /** @param purpose keeps servers that share a secret apart */
  constructor(secret: string, purpose: string, now: () => number) {
    const material = secret === '' ? randomBytes(32) : secret;
    this.#key = new Uint8Array(hkdfSync('sha256', material, '', `mcpgen DPoP nonce ${purpose}`, 32));
    this.#now = now;
  }

  get current(): string {
    const at = this.#now();
    if (Math.abs(at - this.#current.at) > RENEWED_MS)
      this.#current = { nonce: this.#bytes(at).toString('base64url'), at };
    return this.#current.nonce;
  }

  /** Undefined if it was not made with this key. */
  timeOf(nonce: unknown): number | undefined {
    const bytes = Buffer.from(typeof nonce === 'string' ? nonce : '', 'base64url');
    if (bytes.length !== TIME_BYTES + TAG_BYTES) return undefined;
    const at = bytes.readUIntBE(0, TIME_BYTES);
    return timingSafeEqual(bytes, this.#bytes(at)) ? at : undefined;
  }

  #bytes(at: number): Buffer {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(Math.floor(at), 0, TIME_BYTES);
    const tag = createHmac('sha256', this.#key).update(time).digest().subarray(0, TAG_BYTES);
    return Buffer.concat([time, tag]);
  }
}
