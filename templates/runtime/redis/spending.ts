// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Rates of all nodes. Events that come while Redis is asked about their key are asked for together. */

/**
 * A bucket that refills steadily, as `RateLimiter`: `t` events are left at the time `a`, by the clock of Redis. Returns how many of the
 * wanted events are spent, and the milliseconds until there is one more.
 */
export const SPEND = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local count, period, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local kept = redis.call('HMGET', KEYS[1], 't', 'a')
local left, at = tonumber(kept[1]), tonumber(kept[2])
if not left or not at or left ~= left or at ~= at then left, at = count, now end
left = math.min(count, math.max(0, left) + math.max(0, now - at) * count / period)
local spent = math.min(wanted, math.floor(left))
left = left - spent
redis.call('HSET', KEYS[1], 't', string.format('%.6f', left), 'a', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], period)
return {spent, math.max(1, math.ceil((1 - left) * period / count))}`;

interface Waiting {
  /** 0: spent. */
  tell: (waitMs: number) => void;
  fail: (thrown: unknown) => void;
}

/** Runs `SPEND` for so many events. */
type Ask = (key: string, count: number, periodMs: number, wanted: number) => Promise<unknown>;

export class Spending {
  readonly #ask: Ask;
  /** Keys that Redis is asked about, and who waits for the next time. */
  readonly #lines = new Map<string, Waiting[]>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async spend(key: string, count: number, periodMs: number): Promise<number> {
    const id = `${count} ${periodMs} ${key}`;
    return new Promise((tell, fail) => {
      const line = this.#lines.get(id);
      if (line !== undefined) return void line.push({ tell, fail });
      const first = [{ tell, fail }];
      this.#lines.set(id, first);
      void this.#serve(id, first, async (wanted) => this.#ask(key, count, periodMs, wanted));
    });
  }

  async #serve(id: string, line: Waiting[], ask: (wanted: number) => Promise<unknown>): Promise<void> {
    while (line.length > 0) {
      const some = line.splice(0);
      try {
        const { spent, waitMs } = readAnswer(await ask(some.length));
        some.forEach(({ tell }, at) => tell(at < spent ? 0 : waitMs));
      } catch (thrown) {
        for (const { fail } of some) fail(thrown);
      }
    }
    this.#lines.delete(id);
  }
}

/** What others made of it refuses nobody for ever: a wait that is no number is a second. */
function readAnswer(answer: unknown): { spent: number; waitMs: number } {
  const [spent, waitMs]: unknown[] = Array.isArray(answer) ? answer : [];
  return {
    spent: typeof spent === 'number' ? spent : 0,
    waitMs: typeof waitMs === 'number' && waitMs > 0 ? waitMs : 1_000,
  };
}
