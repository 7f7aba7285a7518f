// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The heartbeat tells other nodes that this node lives while they wait for its work, and finds out which others live. */
import type { SharedState } from '../feature-loaders.ts';

/** After this time without a sign of life, a node counts as ended. */
const LEASE_MS = 4_000;
const BEAT_MS = 1_000;

const hearts = new WeakMap<SharedState, Heartbeat>();

export class Heartbeat {
  readonly #shared: SharedState;
  readonly #isWaitedFor = new Set<() => boolean>();
  #beat: NodeJS.Timeout | undefined;

  /** Returns the heartbeat of this node, which all its parts share. */
  static heartbeatOf(shared: SharedState): Heartbeat {
    const heart = hearts.get(shared) ?? new Heartbeat(shared);
    hearts.set(shared, heart);
    return heart;
  }

  private constructor(shared: SharedState) {
    this.#shared = shared;
  }

  /** Tells other nodes that this one lives, until nobody waits for it. Resolves when they know. */
  async keepBeating(isWaitedFor: () => boolean): Promise<void> {
    this.#isWaitedFor.add(isWaitedFor);
    if (this.#beat !== undefined) return;
    await this.#renewLease();
    this.#beat ??= setInterval(() => this.#renewOrStop(), BEAT_MS).unref();
  }

  async isAlive(node: string): Promise<boolean> {
    const shared = this.#shared;
    if (node === shared.node) return true;
    // After Redis was away, nodes have had no chance yet to say that they live.
    if (shared.health.store === 'redis' && Date.now() - shared.health.since.getTime() < LEASE_MS) return true;
    return (await shared.get(`alive ${node}`)) !== undefined;
  }

  #renewOrStop(): void {
    for (const isWaitedFor of this.#isWaitedFor) {
      if (!isWaitedFor()) this.#isWaitedFor.delete(isWaitedFor);
    }
    if (this.#isWaitedFor.size > 0) return void this.#renewLease().catch(() => undefined);
    clearInterval(this.#beat);
    this.#beat = undefined;
  }

  async #renewLease(): Promise<void> {
    await this.#shared.set(`alive ${this.#shared.node}`, '', LEASE_MS);
  }
}
