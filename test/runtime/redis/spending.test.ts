// Events are asked for together, and in reserve only where the limit is large.
import { expect, test, vi } from 'vitest';
import { Spending } from '../../../templates/runtime/redis/spending.ts';

const MINUTE = 60_000;

/** A bucket that never refills, and what it was asked for. */
function open(left: number) {
  const asked: number[] = [];
  const spending = new Spending(async (_key, _count, _periodMs, wanted) => {
    asked.push(wanted);
    await new Promise((resolve) => setImmediate(resolve));
    const spent = Math.min(wanted, left);
    left -= spent;
    return [spent, 77];
  });
  return { asked, spending, left: () => left };
}

const many = async (spending: Spending, calls: number, count: number) =>
  Promise.all(Array.from({ length: calls }, async () => spending.spendRateToken('key', count, MINUTE)));

test('those who wait are asked for together, and of a small limit as many as they are', async () => {
  const { asked, spending } = open(999);
  expect(await many(spending, 30, 999)).toEqual(Array(30).fill(0));
  expect(asked).toEqual([1, 29]);
});

test('more than is left is refused, with the time until there is one', async () => {
  const { asked, spending } = open(10);
  const waits = await many(spending, 30, 10);
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  expect(waits.filter((wait) => wait > 0)).toEqual(Array(20).fill(77));
  expect(asked).toEqual([1, 29]);
});

test('of a large limit some are in reserve, and are given at once', async () => {
  const { asked, spending, left } = open(100_000);
  await many(spending, 11, 100_000);
  expect(asked).toEqual([1, 10 + 8 * 10]);
  const given = Array.from({ length: 8 * 10 }, () => spending.spendRateToken('key', 100_000, MINUTE));
  expect(given).toEqual(Array(8 * 10).fill(0));
  expect(left()).toBe(100_000 - 11 - 8 * 10);
});

test('the reserve is a thousandth of the limit at most, and not kept', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  try {
    const { asked, spending } = open(5_000);
    await many(spending, 100, 5_000);
    expect(asked).toEqual([1, 99 + 5]);
    vi.setSystemTime(2_000);
    expect(spending.spendRateToken('key', 5_000, MINUTE)).toBeInstanceOf(Promise);
  } finally {
    vi.useRealTimers();
  }
});

test('a caller who waits for each call has none in reserve', async () => {
  const { asked, spending } = open(100_000);
  for (let call = 0; call < 3; call++) await spending.spendRateToken('key', 100_000, MINUTE);
  expect(asked).toEqual([1, 1, 1]);
});

test('a failure is told to all who wait, and the next are asked for again', async () => {
  let isAway = true;
  const spending = new Spending(async () => {
    if (isAway) throw new Error('away');
    return [1, 1];
  });
  const results = await Promise.allSettled(
    [1, 2].map(async () => spending.spendRateToken('key', 10, MINUTE)),
  );
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await spending.spendRateToken('key', 10, MINUTE)).toBe(0);
});
