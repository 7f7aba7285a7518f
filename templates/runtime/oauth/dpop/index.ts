// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The feature `dpop`: tokens that are bound to a key of their client, by DPoP (RFC 9449) or a client certificate (RFC 8705). */
import { type X509Certificate, hash } from 'node:crypto';

import { UsageError } from '../../contract/feature.ts';
import { isRecord } from '../../contract/json-value.ts';
import type { Caller, HttpRequest } from '../../feature-loaders.ts';
import { type Environment, parseInteger, parseChoice } from '../../main/settings.ts';
import { limitReachedError } from '../../protocol/json-rpc.ts';
import { KeyedRateLimiters } from '../../transports/http/client-limits.ts';
import { HttpRefusal } from '../../transports/http/http-answer.ts';
import {
  type BindingOptions,
  type Claims,
  type Confirmation,
  type OpenTokenBinding,
  type TokenBinding,
  isText,
  refuseSenderConstrained,
} from '../claims.ts';
import { CheckFailure, type SentToken, TokenRefusal } from '../refusals.ts';
import { PROOF_ALGORITHMS, WINDOW_SECONDS, createTargetUrlFinder, verifyProof } from './proof.ts';
import { Nonces } from './nonces.ts';

const PROOF_LIMITS = {
  /** Proofs of one subject: each is remembered for up to ten minutes. */
  perMinute: 12_000,
  /** Subjects whose proofs are counted. */
  subjects: 10_000,
};

interface BindingSettings {
  dpop: 'off' | 'allowed' | 'required';
  needsNonce: boolean;
  mtls: boolean;
}

export const openTokenBinding: OpenTokenBinding = (options) => {
  const settings = parseBindingSettings(options.env);
  if (settings.dpop !== 'off') assertNodesShareProofs(settings, options);
  return settings.dpop === 'off' && !settings.mtls ? undefined : new KeyBinding(settings, options);
};

function parseBindingSettings(env: Environment): BindingSettings {
  const dpop = parseChoice('MCP_AUTH_DPOP', env['MCP_AUTH_DPOP'] || 'off', ['off', 'allowed', 'required']);
  const nonce = parseChoice('MCP_AUTH_DPOP_NONCE', env['MCP_AUTH_DPOP_NONCE'] || 'off', ['off', 'required']);
  const mtls = parseChoice('MCP_AUTH_MTLS', env['MCP_AUTH_MTLS'] || 'off', ['off', 'allowed']);
  if (nonce === 'required' && dpop === 'off')
    throw new UsageError('MCP_AUTH_DPOP_NONCE goes with MCP_AUTH_DPOP: set that as well, or unset it.');
  return { dpop, needsNonce: nonce === 'required', mtls: mtls === 'allowed' };
}

/** Each process would take a proof once by itself. */
function assertNodesShareProofs({ needsNonce }: BindingSettings, { env, warn }: BindingOptions): void {
  const { MCP_NODES: nodes = '', MCP_REDIS_URL: redis = '', MCP_STATE_SECRET: secret = '' } = env;
  const areSeveral = nodes !== '' && parseInteger('MCP_NODES', nodes, 1) > 1;
  if (areSeveral && redis === '')
    throw new UsageError(
      `MCP_AUTH_DPOP with MCP_NODES=${nodes} needs MCP_REDIS_URL: a proof counts once, which several nodes know together only.`,
    );
  if (areSeveral && needsNonce && secret === '')
    throw new UsageError(
      'MCP_AUTH_DPOP_NONCE with several nodes needs MCP_STATE_SECRET: a node refuses nonces of another secret.',
    );
  if (secret !== '' && nodes === '' && redis === '')
    warn?.(
      'MCP_STATE_SECRET is set, and MCP_REDIS_URL is not: if several nodes serve this URL, each accepts a DPoP proof once. ' +
        'Set MCP_REDIS_URL, or MCP_NODES=1 if this is the only node.',
    );
}

const UNBOUND = 'The token is not bound to a key: send it by the scheme Bearer.';
const AS_BEARER = 'The token is bound to a key: send it by the scheme DPoP, with a proof.';
const NOT_BOUND = 'The token is not bound to a key by DPoP, and only tokens that are count here.';

class KeyBinding implements TokenBinding {
  readonly algorithms: readonly string[] | undefined;
  readonly isRequired: boolean;
  readonly needsNonce: boolean;
  readonly metadata: TokenBinding['metadata'];
  readonly #mtls: boolean;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #targetFor: (path: string) => string;
  readonly #nonces: Nonces;
  readonly #limiters: KeyedRateLimiters;
  readonly #shared: BindingOptions['shared'];

  constructor({ dpop, needsNonce, mtls }: BindingSettings, options: BindingOptions) {
    const { env, paths, resource, shared, now = Date.now } = options;
    this.algorithms = dpop === 'off' ? undefined : PROOF_ALGORITHMS;
    this.isRequired = dpop === 'required';
    this.needsNonce = needsNonce;
    this.metadata = {
      dpop_signing_alg_values_supported: this.algorithms,
      dpop_bound_access_tokens_required: this.algorithms && this.isRequired,
      tls_client_certificate_bound_access_tokens: mtls || undefined,
    };
    this.#mtls = mtls;
    this.#now = now;
    // Redis remembers proofs from before this process began.
    this.#startedAt = env['MCP_REDIS_URL'] ? -Infinity : now();
    this.#targetFor = createTargetUrlFinder(resource, paths);
    this.#nonces = new Nonces(env['MCP_STATE_SECRET'] ?? '', resource.href, now);
    this.#limiters = new KeyedRateLimiters(PROOF_LIMITS.perMinute, PROOF_LIMITS.subjects, now);
    this.#shared = shared;
  }

  get nonce(): string {
    return this.#nonces.getCurrentNonce;
  }

  /** Each member must be verified here, so an unknown one refuses the token. Introspection names the type (RFC 9449, section 6.2). */
  readConfirmation(claims: Claims): Confirmation | undefined {
    const { cnf, token_type: type, ...others } = claims;
    if (!isRecord(cnf) || !this.#canVerify(cnf)) return refuseSenderConstrained(claims);
    const isDpop = cnf['jkt'] !== undefined && typeof type === 'string' && /^dpop$/i.test(type);
    refuseSenderConstrained(isDpop ? others : { ...others, token_type: type });
    return cnf;
  }

  #canVerify(cnf: Readonly<Record<string, unknown>>): boolean {
    const verified = [...(this.algorithms === undefined ? [] : ['jkt']), ...(this.#mtls ? ['x5t#S256'] : [])];
    const members = Object.entries(cnf);
    return members.length > 0 && members.every(([name, value]) => verified.includes(name) && isText(value));
  }

  /** A token that is bound comes by DPoP, any other by Bearer: a stolen one would count without its proof. */
  async verifyBinding(
    { auth, subject }: Caller,
    { token, scheme }: SentToken,
    request: HttpRequest,
  ): Promise<void> {
    const { jkt, 'x5t#S256': x5t } = auth.confirmation ?? {};
    if (this.isRequired && jkt === undefined) throw new TokenRefusal(NOT_BOUND);
    if ((jkt !== undefined) !== (scheme === 'DPoP'))
      throw new TokenRefusal(jkt === undefined ? UNBOUND : AS_BEARER);
    if (x5t !== undefined && x5t !== certificateThumbprint(request))
      throw new TokenRefusal(
        'The token is bound to a client certificate, which this connection does not have.',
      );
    if (jkt === undefined) return;
    const { jti, iat } = await verifyProof({
      proof: request.headers['dpop'],
      token,
      jkt,
      method: request.method ?? '',
      url: this.#targetFor((request.url ?? '').split('?')[0] ?? ''),
      nowSeconds: this.#now() / 1000,
      checkNonce: (nonce, issuedAt) => this.#checkNonce(nonce, issuedAt),
    });
    const limiter = this.#limiters.limiterForClient(subject);
    if (limiter?.tryTake() === false) throw tooManyProofsRefusal(limiter.waitSeconds);
    if (await this.#isFirstUse(`dpop:${hash('sha256', `${jkt} ${jti}`, 'base64url')}`, iat)) return;
    throw new TokenRefusal('The proof was used before (jti).', undefined, 'invalid_dpop_proof');
  }

  /**
   * A proof that is older than this process may have been used before a restart, so it needs a nonce of this process too: what
   * was used is kept in memory.
   */
  #checkNonce(nonce: unknown, iat: number): void {
    const isOld = iat * 1000 < this.#startedAt;
    if (!this.needsNonce && !isOld) return;
    const at = this.#nonces.readTime(nonce);
    const isFresh =
      at !== undefined &&
      Math.abs(this.#now() - at) <= WINDOW_SECONDS * 1000 &&
      (!isOld || at >= this.#startedAt);
    if (isFresh) return;
    throw new TokenRefusal(
      'The proof needs a nonce of this server (DPoP-Nonce).',
      undefined,
      'use_dpop_nonce',
    );
  }

  async #isFirstUse(key: string, iat: number): Promise<boolean> {
    try {
      return await this.#shared.takeOnce(key, Math.ceil((iat + WINDOW_SECONDS) * 1000 - this.#now()) + 1000);
    } catch (cause) {
      throw new CheckFailure(`The server can't tell whether a proof was used before: ${String(cause)}`);
    }
  }
}

function tooManyProofsRefusal(waitSeconds: number): HttpRefusal {
  const seconds = Math.max(waitSeconds, 1);
  const { code, message } = limitReachedError('Too many proofs of this caller.', seconds);
  return new HttpRefusal(429, message, { 'retry-after': String(seconds) }, undefined, code);
}

/** RFC 8705, section 3.1. TLS has proved the client's key; whoever signed the certificate does not matter. */
function certificateThumbprint({ socket }: { socket: object }): string | undefined {
  const { getPeerX509Certificate } = socket as { getPeerX509Certificate?: () => X509Certificate | undefined };
  const certificate = getPeerX509Certificate?.call(socket);
  return certificate && hash('sha256', certificate.raw, 'base64url');
}
