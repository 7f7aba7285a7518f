/** What was found out about tokens, by their digest: of a token that is known nobody is asked again until then. */
import type { VerifyToken } from '../definition.ts';
import { CheckFailure, TokenRefusal } from './refusals.ts';
import type { AuthLimits } from './settings.ts';

export interface Finding<T> {
  value: T;
  /** Milliseconds since 1970. In the past: it is checked each time. */
  until: number;
}

interface CheckedTokensOptions {
  /** Good ones that are remembered, and as many bad ones: of each the one that was checked first goes first. */
  most: number;
  /** Milliseconds that a bad one is remembered. */
  refusedMs: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

export class CheckedTokens<T> {
  readonly #options: CheckedTokensOptions;
  readonly #good = new Map<string, Finding<T>>();
  /** Apart from the good ones: whoever makes up tokens drives none of those out. */
  readonly #bad = new Map<string, Finding<TokenRefusal>>();
  readonly #pending = new Map<string, Promise<T>>();

  constructor(options: CheckedTokensOptions) {
    this.#options = options;
  }

  /** Undefined when the token of this digest is not known to be good, or not any more. */
  known(digest: string): T | undefined {
    return this.#valueOf(this.#good, digest);
  }

  /** It was good when it was last checked, and that is not long ago: good ones have not driven it out. */
  wasGood(digest: string): boolean {
    return this.#good.has(digest);
  }

  /**
   * What `check` finds, or what is known: asked once, however many requests bring the token at a time. Rejects with the
   * `TokenRefusal` of a bad one; what else `check` rejects with is not kept.
   */
  async get(digest: string, check: () => Promise<Finding<T>>): Promise<T> {
    const known = this.known(digest);
    if (known !== undefined) return known;
    const refused = this.#valueOf(this.#bad, digest);
    if (refused !== undefined) throw refused;
    const pending = this.#pending.get(digest) ?? this.#check(digest, check);
    this.#pending.set(digest, pending);
    return pending;
  }

  async #check(digest: string, check: () => Promise<Finding<T>>): Promise<T> {
    try {
      const finding = await check();
      this.#keep(this.#good, digest, finding);
      return finding.value;
    } catch (thrown) {
      if (thrown instanceof TokenRefusal) this.#keepRefusal(digest, thrown);
      throw thrown;
    } finally {
      this.#pending.delete(digest);
    }
  }

  #keepRefusal(digest: string, refusal: TokenRefusal): void {
    const { now, refusedMs } = this.#options;
    this.#good.delete(digest);
    this.#keep(this.#bad, digest, { value: refusal, until: now() + refusedMs });
  }

  #valueOf<V>(findings: ReadonlyMap<string, Finding<V>>, digest: string): V | undefined {
    const finding = findings.get(digest);
    return finding !== undefined && this.#options.now() < finding.until ? finding.value : undefined;
  }

  #keep<V>(findings: Map<string, Finding<V>>, digest: string, finding: Finding<V>): void {
    const { most } = this.#options;
    findings.delete(digest);
    findings.set(digest, finding);
    const [oldest] = findings.keys();
    if (findings.size > most && oldest !== undefined) findings.delete(oldest);
  }
}

/** Bounds how many checks of tokens the project's own code has to do at one time: one that hangs must not gather them. */

/**
 * As `verifyToken`; it rejects with a `CheckFailure`, which is no fault of the token, while `ownChecks` are under way. One that goes on after its `signal` has
 * aborted counts until it ends, for `ownLateMs` at most: one that never ends would take a place for good.
 */
export function boundedCheck(
  verifyToken: VerifyToken,
  { ownChecks, ownLateMs }: Pick<AuthLimits, 'ownChecks' | 'ownLateMs'>,
): VerifyToken {
  const underWay = new Set<symbol>();
  return async (token, { signal }) => {
    if (underWay.size >= ownChecks)
      throw new CheckFailure(
        `\`verifyToken\` has ${ownChecks} checks under way, and this one was not begun.`,
      );
    const check = Symbol();
    underWay.add(check);
    signal.addEventListener('abort', () => void setTimeout(() => underWay.delete(check), ownLateMs).unref(), {
      once: true,
    });
    try {
      return await verifyToken(token, { signal });
    } finally {
      underWay.delete(check);
    }
  };
}
