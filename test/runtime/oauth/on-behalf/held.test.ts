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

test('those who come while it is asked wait for the same', async () => {
  const held = new Held<string>(10, () => 0);
  const { asked, ask } = questions();
  const all = ['a', 'a', 'b', 'a'].map((key) => held.getOrAsk(key, ask, waiter()));
  expect(asked).toHaveLength(2);
  asked.forEach(({ answer }, index) => answer({ value: `${index}`, until: 0 }));
  expect((await Promise.all(all)).map(({ value }) => value)).toEqual(['0', '0', '1', '0']);
});

test('what fails is not kept', async () => {
  const held = new Held<string>(10, () => 0);
  const { asked, ask } = questions();
  const first = [held.getOrAsk('a', ask, waiter()), held.getOrAsk('a', ask, waiter())];
  asked[0]?.fail();
  for (const each of first) await expect(each).rejects.toThrow('no');
  void held.getOrAsk('a', ask, waiter());
  expect(asked).toHaveLength(2);
});

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

test('of too many the oldest goes; what was refused goes, unless another took its place', async () => {
  const held = new Held<string>(2, () => 0);
  let count = 0;
  const ask = async () => Promise.resolve({ value: `${++count}`, until: 10 });
  const get = async (key: string) => held.getOrAsk(key, ask, waiter());
  for (const key of ['a', 'b', 'c']) await get(key);
  expect((await get('b')).value).toBe('2');
  const old = await get('a');
  expect(old.value).toBe('4');
  held.forgetHolding('a', old);
  expect((await get('a')).value).toBe('5');
  held.forgetHolding('a', old);
  expect((await get('a')).value).toBe('5');
});
