// Credentials of callers are asked for once, given up when nobody waits, and forgotten in time.
import { expect, test } from 'vitest';
import { Held, type Holding } from '../../../../templates/runtime/oauth/on-behalf/held-credentials.ts';

/** One who waits, and may leave. */
function waiter() {
  const callbacks = new Set<() => void>();
  return {
    leave: () => callbacks.forEach((callback) => callback()),
    onEnd: (callback: () => void) => {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
  };
}

/** Questions, each answered when told to. */
function questions() {
  const asked: { signal: AbortSignal; answer: (holding: Holding<string>) => void; fail: () => void }[] = [];
  const ask = async (signal: AbortSignal) =>
    new Promise<Holding<string>>((answer, reject) => {
      asked.push({ signal, answer, fail: () => reject(new Error('no')) });
    });
  return { asked, ask };
}

test('it is given up with the last who leaves, and then asked anew', async () => {
  const held = new Held<string>(10, () => 0);
  const { asked, ask } = questions();
  const [one, other] = [waiter(), waiter()];
  void held.getOrAsk('a', ask, one);
  void held.getOrAsk('a', ask, other);
  one.leave();
  expect(asked[0]?.signal.aborted).toBe(false);
  other.leave();
  expect(asked[0]?.signal.aborted).toBe(true);
  const later = held.getOrAsk('a', ask, waiter());
  // Too late: nobody waits for it, and what came after it counts.
  asked[0]?.answer({ value: 'old', until: 10 });
  asked[1]?.answer({ value: 'new', until: 10 });
  expect((await later).value).toBe('new');
  expect((await held.getOrAsk('a', ask, waiter())).value).toBe('new');
});

test.each<[number, number]>([
  [9, 1],
  [10, 2],
])('kept until 10, at %i it was asked for %i times', async (later, want) => {
  let now = 0;
  const held = new Held<string>(10, () => now);
  let count = 0;
  const ask = async () => Promise.resolve({ value: `${++count}`, until: 10 });
  await held.getOrAsk('a', ask, waiter());
  now = later;
  await held.getOrAsk('a', ask, waiter());
  expect(count).toBe(want);
});
