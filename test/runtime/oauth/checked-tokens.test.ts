import { expect, test } from 'vitest';
import { CheckedTokens } from '../../../templates/runtime/oauth/checked-tokens.ts';
import { TokenRefusal } from '../../../templates/runtime/oauth/refusals.ts';

/** Of whose clock the test says the time, and who counts its checks. */
function subject(most = 2) {
  const state = { now: 0, checks: 0 };
  const tokens = new CheckedTokens<string>({ most, refusedMs: 10, now: () => state.now });
  const ask = async (name: string, refusal?: Error): Promise<string> =>
    tokens
      .checkOnce(name, async () => {
        state.checks += 1;
        if (refusal !== undefined) throw refusal;
        return Promise.resolve({ value: name, until: 100 });
      })
      .catch((thrown: unknown) => String(thrown));
  return { state, tokens, ask };
}

test('no more tokens are remembered than there may be: the one checked first goes first', async () => {
  const { tokens, ask } = subject();
  for (const name of ['a', 'b', 'c']) await ask(name);
  expect(['a', 'b', 'c'].map((name) => tokens.findGood(name))).toEqual([undefined, 'b', 'c']);
});

test('a bad one is remembered for a moment, and drives no good one out', async () => {
  const { state, tokens, ask } = subject();
  await ask('good');
  const bad = new TokenRefusal('no');
  for (const name of ['x', 'y', 'z', 'z']) expect(await ask(name, bad)).toBe('TokenRefusal: no');
  expect([state.checks, tokens.findGood('good')]).toEqual([4, 'good']);
  // The first of three is forgotten, and the last is not.
  await ask('x', bad);
  await ask('z', bad);
  expect(state.checks).toBe(5);
  state.now = 10;
  expect([await ask('z'), state.checks]).toEqual(['z', 6]);
});
