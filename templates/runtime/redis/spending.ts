// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Rates of all nodes. Events that come while Redis is asked about their key are asked for together, with some for the next. */

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

interface Line {
  readonly waiting: Waiting[];
  isAsking: boolean;
  /** How many calls waited together when Redis was asked last. */
  crowd: number;
  /** Events that are spent already, for calls to come. */
  left: number;
  until: number;
}

/** A node has at most this part of a limit in reserve, so that limits below 1,000 are exact. */
const RESERVED_PART = 1_000;

/** Events in reserve for each that waited beside the first, now or the last time: callers who wait for one another have none. */
const RESERVED_EACH = 8;

const RESERVED_MS = 1_000;

/** Runs `SPEND` for so many events. */
type Ask = (key: string, count: number, periodMs: number, wanted: number) => Promise<unknown>;

export class Spending {
  readonly #ask: Ask;
  /** Lines by key and rate; the one that was asked about longest ago comes first. */
  readonly #lines = new Map<string, Line>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Spends one event of a rate; answers at once while a reserve is left, else asks Redis. */
  spendRateToken(key: string, count: number, periodMs: number): number | Promise<number> {
    const id = `${count} ${periodMs} ${key}`;
    const line = this.#lines.get(id) ?? { waiting: [], isAsking: false, crowd: 0, left: 0, until: 0 };
    if (line.left > 0 && line.until > Date.now()) {
      line.left--;
      return 0;
    }
    return new Promise((tell, fail) => {
      line.waiting.push({ tell, fail });
      if (!line.isAsking) void this.#askRedisWhileWaiting(id, line, key, count, periodMs);
    });
  }

  async #askRedisWhileWaiting(
    id: string,
    line: Line,
    key: string,
    count: number,
    periodMs: number,
  ): Promise<void> {
    line.isAsking = true;
    this.#forgetIdleLines();
    this.#lines.delete(id);
    this.#lines.set(id, line);
    while (line.waiting.length > 0) {
      const some = line.waiting.splice(0);
      const others = Math.max(some.length, line.crowd) - 1;
      const reserved = Math.min(Math.floor(count / RESERVED_PART), RESERVED_EACH * others);
      try {
        const { spent, waitMs } = parseSpendAnswer(
          await this.#ask(key, count, periodMs, some.length + reserved),
        );
        some.forEach(({ tell }, at) => tell(at < spent ? 0 : waitMs));
        line.left = Math.min(reserved, Math.max(0, spent - some.length));
        line.until = Date.now() + RESERVED_MS;
        line.crowd = some.length + line.waiting.length;
        this.#resolveFromReserve(line);
      } catch (thrown) {
        for (const { fail } of some) fail(thrown);
      }
    }
    line.isAsking = false;
    if (line.left === 0) this.#lines.delete(id);
  }

  /** Serves callers who arrived while Redis was asked, from the events spent in advance. */
  #resolveFromReserve(line: Line): void {
    const some = line.waiting.splice(0, line.left);
    line.left -= some.length;
    for (const { tell } of some) tell(0);
  }

  #forgetIdleLines(): void {
    const now = Date.now();
    for (const [id, { isAsking, until }] of this.#lines) {
      if (isAsking || until > now) break;
      this.#lines.delete(id);
    }
  }
}

/** A value that others wrote refuses nobody for ever: a wait that is no number becomes a second. */
function parseSpendAnswer(answer: unknown): { spent: number; waitMs: number } {
  const [spent, waitMs]: unknown[] = Array.isArray(answer) ? answer : [];
  return {
    spent: typeof spent === 'number' ? spent : 0,
    waitMs: typeof waitMs === 'number' && waitMs > 0 ? waitMs : 1_000,
  };
}
