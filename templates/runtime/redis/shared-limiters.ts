// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Limits of calls by client that all nodes count together. */
import type { Limiter } from '../core/shared-state.ts';
import type { NodeState, SharedState } from '../feature-loaders.ts';
import { type ClientLimiters, KeyedRateLimiters } from '../transports/http/client-limits.ts';

/** Counts what clients do on all nodes. While the shared state is away, each node allows its part. */
export class SharedRateLimiters implements ClientLimiters {
  readonly #shared: SharedState;
  readonly #callsPerMinute: number;
  readonly #own: KeyedRateLimiters;

  constructor(shared: NodeState, callsPerMinute: number, most: number) {
    this.#shared = shared as SharedState;
    this.#callsPerMinute = callsPerMinute;
    this.#own = new KeyedRateLimiters(Math.max(1, Math.floor(callsPerMinute / this.#shared.nodes)), most);
  }

  limiterForClient(client: string): Limiter {
    let waitMs = 0;
    const take = (): boolean | Promise<boolean> => {
      const spent = this.#shared.takeRateToken(client, this.#callsPerMinute, 60_000);
      return spent === 0 || isSpent(spent);
    };
    const isSpent = async (spent: number | Promise<number>): Promise<boolean> => {
      try {
        waitMs = await spent;
        return waitMs === 0;
      } catch {
        const own = this.#own.limiterForClient(client);
        const isTaken = own?.tryTake() !== false;
        waitMs = own?.waitMs ?? 0;
        return isTaken;
      }
    };
    return {
      tryTake: take,
      get waitSeconds() {
        return Math.ceil(waitMs / 1_000);
      },
    };
  }
}
