// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A cache of checked tokens, by their digest. */
import type { VerifyToken } from '../definition.ts';
import { CheckFailure, TokenRefusal } from './refusals.ts';
import { type AuthLimits, putNewest } from './settings.ts';

export interface Finding<T> {
  value: T;
  /** Milliseconds since 1970. A time in the past: the token is checked each time. */
  until: number;
}

interface CheckedTokensOptions {
  /** Good tokens that are cached, and as many bad ones. */
  most: number;
  refusedMs: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

export class CheckedTokens<T> {
  readonly #options: CheckedTokensOptions;
  readonly #good = new Map<string, Finding<T>>();
  /** Bad tokens have a cache of their own, so that made-up tokens displace no good one. */
  readonly #bad = new Map<string, Finding<TokenRefusal>>();
  readonly #pending = new Map<string, Promise<T>>();

  constructor(options: CheckedTokensOptions) {
    this.#options = options;
  }

  findGood(digest: string): T | undefined {
    return this.#find(this.#good, digest);
  }

  /** The token was good when it was last checked, which may have expired. */
  wasGood(digest: string): boolean {
    return this.#good.has(digest);
  }

  /**
   * Returns the cached value, else that of `check`, which runs once for concurrent requests. Rejects with the `TokenRefusal`
   * of a bad token; other errors of `check` are not cached.
   */
  async get(digest: string, check: () => Promise<Finding<T>>): Promise<T> {
    const known = this.findGood(digest);
    if (known !== undefined) return known;
    const refused = this.#find(this.#bad, digest);
    if (refused !== undefined) throw refused;
    const pending = this.#pending.get(digest) ?? this.#check(digest, check);
    this.#pending.set(digest, pending);
    return pending;
  }

  async #check(digest: string, check: () => Promise<Finding<T>>): Promise<T> {
    try {
      const finding = await check();
      putNewest(this.#good, digest, finding, this.#options.most);
      return finding.value;
    } catch (thrown) {
      if (thrown instanceof TokenRefusal) {
        const { now, refusedMs, most } = this.#options;
        this.#good.delete(digest);
        putNewest(this.#bad, digest, { value: thrown, until: now() + refusedMs }, most);
      }
      throw thrown;
    } finally {
      this.#pending.delete(digest);
    }
  }

  #find<V>(findings: ReadonlyMap<string, Finding<V>>, digest: string): V | undefined {
    const finding = findings.get(digest);
    return finding !== undefined && this.#options.now() < finding.until ? finding.value : undefined;
  }
}

/**
 * Limits the calls of `verifyToken` at a time, so that calls that hang can't accumulate: further ones reject with a
 * `CheckFailure`. A call that continues after its `signal` was aborted counts until it ends, for `ownLateMs` at most.
 */
export function limitChecks(
  verifyToken: VerifyToken,
  { ownChecks, ownLateMs }: Pick<AuthLimits, 'ownChecks' | 'ownLateMs'>,
): VerifyToken {
  const running = new Set<symbol>();
  return async (token, { signal }) => {
    if (running.size >= ownChecks)
      throw new CheckFailure(
        `\`verifyToken\` has ${ownChecks} checks under way, and this one was not begun.`,
      );
    const check = Symbol();
    running.add(check);
    signal.addEventListener('abort', () => void setTimeout(() => running.delete(check), ownLateMs).unref(), {
      once: true,
    });
    try {
      return await verifyToken(token, { signal });
    } finally {
      running.delete(check);
    }
  };
}
