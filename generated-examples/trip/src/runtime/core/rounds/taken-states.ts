import { randomBytes } from 'node:crypto';
import type { SignedState } from './request-state.ts';

/** States that count once: those that were taken, until they are too old anyway. */
export class TakenStates {
  /** Names this process: what another one has taken, it can't know. */
  readonly process = randomBytes(9).toString('base64url');
  /** Nonce → milliseconds since the epoch, in the order of their taking. */
  readonly #expires = new Map<string, number>();

  get count(): number {
    return this.#expires.size;
  }

  /** Whether it was given by this process, and comes for the first time. */
  take({ process, nonce, expires }: Pick<SignedState, 'process' | 'nonce' | 'expires'>): boolean {
    if (process !== this.process || this.#expires.has(nonce)) return false;
    this.#forget(Date.now());
    this.#expires.set(nonce, expires);
    return true;
  }

  #forget(now: number): void {
    for (const [nonce, expires] of this.#expires) {
      if (expires > now) return;
      this.#expires.delete(nonce);
    }
  }
}
