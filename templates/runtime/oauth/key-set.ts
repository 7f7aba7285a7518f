// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The keys of one issuer: fetched at first use, and again when they expire or a key is missing. */
import { createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { type AskIssuer, discoverIssuer } from './ask-issuer.ts';
import { CheckFailure } from './refusals.ts';
import type { AuthLimits, AuthSettings } from './settings.ts';

export type Keys = ReturnType<typeof createLocalJWKSet>;

export interface KnownKeys {
  keys: Keys;
  /** Milliseconds since 1970. Tokens are checked again then, since their key may have been revoked. */
  until: number;
}

interface KeySetOptions {
  /** Rejects with a `CheckFailure`. */
  fetch: () => Promise<Record<string, unknown>>;
  limits: AuthLimits;
  /** Milliseconds since 1970. */
  now: () => number;
  report: (thrown: unknown) => void;
}

export class KeySet {
  readonly #options: KeySetOptions;
  #keys: Keys | undefined;
  #fetchedAt = -Infinity;
  #failedAt = -Infinity;
  #fetching: Promise<void> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /** Keys remain valid for a while if their issuer can't be reached. Rejects with a `CheckFailure` if there are none. */
  async keys(): Promise<KnownKeys> {
    const { limits, now } = this.#options;
    if (now() - this.#fetchedAt >= limits.keysMs) await this.#fetch();
    const oldAt = this.#fetchedAt + limits.keysMs;
    if (this.#keys === undefined || now() >= oldAt + limits.staleKeysMs)
      throw new CheckFailure('The keys of the issuer can not be had.');
    // After a failed fetch the next one is due soon.
    return { keys: this.#keys, until: now() < oldAt ? oldAt : now() + limits.failureMs };
  }

  /**
   * Fetches the keys because one is missing, unless that was done a moment ago (false). Rejects with a `CheckFailure` if the
   * fetch fails.
   */
  async renew(): Promise<boolean> {
    const { limits, now } = this.#options;
    if (now() - this.#fetchedAt < limits.cooldownMs) return false;
    if (await this.#fetch()) return true;
    throw new CheckFailure('A key that is not known can not be looked for.');
  }

  /** Concurrent callers share one fetch. */
  async #fetch(): Promise<boolean> {
    const { limits, now } = this.#options;
    if (now() - this.#failedAt < limits.failureMs) return false;
    await (this.#fetching ??= this.#fetchOnce().finally(() => (this.#fetching = undefined)));
    return this.#failedAt < this.#fetchedAt;
  }

  async #fetchOnce(): Promise<void> {
    const { fetch, now, report } = this.#options;
    try {
      this.#keys = createLocalJWKSet(toKeySet(await fetch()));
      this.#fetchedAt = now();
      this.#failedAt = -Infinity;
    } catch (thrown) {
      this.#failedAt = now();
      report(
        thrown instanceof errors.JOSEError ? new CheckFailure('The issuer sends no set of keys.') : thrown,
      );
    }
  }
}

/** `createLocalJWKSet` checks each key itself. */
function toKeySet(json: Record<string, unknown>): JSONWebKeySet {
  return { ...json, keys: Array.isArray(json['keys']) ? json['keys'] : [] };
}

/** Makes the key set of each issuer, by issuer. */
export function createKeySets(
  { issuers, jwksUri }: Pick<AuthSettings, 'issuers' | 'jwksUri'>,
  ask: AskIssuer,
  options: Omit<KeySetOptions, 'fetch'>,
): ReadonlyMap<string, KeySet> {
  const fetch = async (issuer: string): Promise<Record<string, unknown>> => {
    const keys = jwksUri === undefined ? (await discoverIssuer(issuer, ask)).keys : { url: jwksUri };
    if (keys === undefined) throw new CheckFailure(`The issuer ${issuer} names no keys (jwks_uri).`);
    const { url, ...question } = keys;
    const { status, json } = await ask(url, question);
    if (status === 200 && json !== undefined) return json;
    throw new CheckFailure(`The keys at ${url.href} were answered by ${status}.`);
  };
  return new Map(issuers.map((issuer) => [issuer, new KeySet({ ...options, fetch: () => fetch(issuer) })]));
}
