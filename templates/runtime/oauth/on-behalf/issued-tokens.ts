/**
 * Whom tokens were issued for, while they are in use: one that comes for another caller too would act for the wrong one.
 */
import { hash } from 'node:crypto';

interface Issued {
  owner: string;
  /** Milliseconds since 1970. */
  until: number;
}

export class IssuedTokens {
  readonly #most: number;
  readonly #now: () => number;
  /** By digest; the one that was issued first of all first. */
  readonly #issued = new Map<string, Issued>();

  /** @param most tokens: then the oldest is forgotten */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** False: it is somebody else's. `owner`: issuer and subject as one text. `until`: as long as it is used. */
  belongsTo(owner: string, token: string, until: number): boolean {
    const digest = hash('sha256', token, 'base64');
    const known = this.#issued.get(digest);
    if (known !== undefined && known.owner !== owner && this.#now() < known.until) return false;
    this.#issued.delete(digest);
    this.#issued.set(digest, { owner, until });
    const [oldest] = this.#issued.keys();
    if (this.#issued.size > this.#most && oldest !== undefined) this.#issued.delete(oldest);
    return true;
  }
}
