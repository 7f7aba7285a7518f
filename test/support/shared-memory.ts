/** `SharedState` in memory, for nodes of one test. */
import { RateLimiter } from '../../templates/runtime/core/shared-state.ts';
import type { SharedHealth, SharedState, StreamEntry } from '../../templates/runtime/feature-loaders.ts';

interface Kept {
  value: unknown;
  /** Milliseconds since the epoch. */
  expires: number;
}

/** State that several instances of a test share. */
export class SharedMemory implements SharedState {
  readonly isShared = true;
  readonly nodes = 1;
  readonly health: SharedHealth = { store: 'memory', state: 'up', since: new Date() };
  readonly #kept = new Map<string, Kept>();
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  #node: string | undefined;

  /** The id is made when first asked for: few servers need it, and random bytes delay a start. */
  get node(): string {
    return (this.#node ??= crypto.randomUUID());
  }

  get scope(): string {
    return this.node;
  }

  async takeOnce(key: string, ttlMs: number): Promise<boolean> {
    return this.compareAndSet(`once ${key}`, undefined, '', ttlMs);
  }

  async takeRateToken(key: string, count: number, periodMs: number): Promise<number> {
    const limiter =
      this.#findUnexpired<RateLimiter>(`rate ${key}`) ?? new RateLimiter(count, Date.now, periodMs);
    this.#keepUntil(`rate ${key}`, limiter, periodMs);
    return limiter.tryTake() ? 0 : limiter.waitMs;
  }

  async get(key: string): Promise<string | undefined> {
    return this.#findUnexpired(key);
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#keepUntil(key, value, ttlMs);
  }

  async delete(key: string): Promise<void> {
    this.#kept.delete(key);
  }

  async compareAndSet(
    key: string,
    before: string | undefined,
    value: string,
    ttlMs: number,
  ): Promise<boolean> {
    if (this.#findUnexpired(key) !== before) return false;
    this.#keepUntil(key, value, ttlMs);
    return true;
  }

  async appendEntry(stream: string, text: string, { most, ttlMs }: { most: number; ttlMs: number }) {
    const entries = this.#findUnexpired<StreamEntry[]>(`stream ${stream}`) ?? [];
    const id = `${Number.parseInt(entries.at(-1)?.id ?? '0', 10) + 1}-0`;
    this.#keepUntil(`stream ${stream}`, [...entries, { id, text }].slice(-most), ttlMs);
    await this.publish(`stream ${stream}`, id);
    return id;
  }

  async readEntries(stream: string, after = '0-0'): Promise<StreamEntry[]> {
    const last = Number.parseInt(after, 10);
    const all = this.#findUnexpired<StreamEntry[]>(`stream ${stream}`) ?? [];
    return all.filter(({ id }) => Number.parseInt(id, 10) > last);
  }

  async onAppend(stream: string, listener: () => void): Promise<() => void> {
    return this.subscribe(`stream ${stream}`, listener);
  }

  async publish(channel: string, text: string): Promise<void> {
    for (const listener of [...(this.#listeners.get(channel) ?? [])]) listener(text);
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    // Each subscription wraps its listener, since one listener may be given twice.
    const own = (text: string): void => listener(text);
    this.#listeners.set(channel, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) this.#listeners.delete(channel);
    };
  }

  onReconnect(): () => void {
    return () => undefined;
  }

  async revoke(id: string, ttlMs: number): Promise<void> {
    this.#keepUntil(`revoked ${id}`, '', ttlMs);
  }

  async isRevoked(id: string): Promise<boolean> {
    return this.#findUnexpired(`revoked ${id}`) !== undefined;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  #findUnexpired<T = string>(key: string): T | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.expires > Date.now() ? (kept.value as T) : undefined;
  }

  #keepUntil(key: string, value: unknown, ttlMs: number): void {
    const now = Date.now();
    for (const [name, { expires }] of this.#kept) {
      if (expires > now) break;
      this.#kept.delete(name);
    }
    this.#kept.delete(key);
    this.#kept.set(key, { value, expires: now + ttlMs });
  }
}
