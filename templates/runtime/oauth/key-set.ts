/** The keys of one issuer: fetched when first needed, and again as they grow old or one is missing. */
import { createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { type AskIssuer, discoverIssuer } from './ask-issuer.ts';
import { CheckFailure } from './refusals.ts';
import type { AuthLimits, AuthSettings } from './settings.ts';

export type Keys = ReturnType<typeof createLocalJWKSet>;

/** As they are known now. */
export interface KnownKeys {
  keys: Keys;
  /**
   * Milliseconds since 1970, until which what they have verified need not be looked at again: a key that was taken back
   * counts no longer than that.
   */
  until: number;
}

interface KeySetOptions {
  /** Fetches them; rejects with a `CheckFailure`. */
  fetch: () => Promise<Record<string, unknown>>;
  limits: AuthLimits;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Told of each fetch that failed. */
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

  /** Those of an issuer that can't be reached count on for a while. Rejects with a `CheckFailure` when there are none. */
  async keys(): Promise<KnownKeys> {
    const { limits, now } = this.#options;
    if (now() - this.#fetchedAt >= limits.keysMs) await this.#fetch();
    const oldAt = this.#fetchedAt + limits.keysMs;
    if (this.#keys === undefined || now() >= oldAt + limits.staleKeysMs)
      throw new CheckFailure('The keys of the issuer can not be had.');
    // Those of an issuer that is away are looked for again as soon as it may be back.
    return { keys: this.#keys, until: now() < oldAt ? oldAt : now() + limits.failureMs };
  }

  /**
   * Fetches them for a key that is not among them. False: it was done a moment ago. Rejects with a `CheckFailure` when they
   * can't be had: whether there is such a key nobody can say.
   */
  async renew(): Promise<boolean> {
    const { limits, now } = this.#options;
    if (now() - this.#fetchedAt < limits.cooldownMs) return false;
    if (await this.#fetch()) return true;
    throw new CheckFailure('A key that is not known can not be looked for.');
  }

  /** Whoever comes meanwhile waits for the same. */
  async #fetch(): Promise<boolean> {
    const { limits, now } = this.#options;
    if (now() - this.#failedAt < limits.failureMs) return false;
    await (this.#fetching ??= this.#fetchOnce().finally(() => (this.#fetching = undefined)));
    return this.#failedAt < this.#fetchedAt;
  }

  async #fetchOnce(): Promise<void> {
    const { fetch, now, report } = this.#options;
    try {
      this.#keys = createLocalJWKSet(keysOf(await fetch()));
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

/** What `createLocalJWKSet` checks itself. */
function keysOf(json: Record<string, unknown>): JSONWebKeySet {
  return { ...json, keys: Array.isArray(json['keys']) ? json['keys'] : [] };
}

/** The keys of each issuer, and where they are fetched. */

/** By issuer. */
export function keySetsOf(
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
