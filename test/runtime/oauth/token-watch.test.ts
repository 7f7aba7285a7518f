// Open streams are checked again: they continue while their token is good, and end with words for the client.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AuthInfo } from '../../../templates/runtime/definition.ts';
import type { CheckedCaller } from '../../../templates/runtime/oauth/verifier.ts';
import { CheckFailure, TokenRefusal } from '../../../templates/runtime/oauth/refusals.ts';
import { watchToken } from '../../../templates/runtime/oauth/checked-tokens.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** As found `at` a time in seconds, to be looked at again 30 seconds later. */
function found(more: Partial<AuthInfo> = {}): CheckedCaller {
  const auth: AuthInfo = { issuer: 'i', subject: 'alice', scopes: ['read'], claims: {}, ...more };
  return {
    auth,
    subject: auth.subject,
    untilRefused: () => () => undefined,
    endsAt: (auth.expiresAt ?? Infinity) * 1000,
    checkedUntil: Math.min(Date.now() + 30_000, (auth.expiresAt ?? Infinity) * 1000),
  };
}

/** Watches a token, of which `answers` are what each look comes to; the last of them for ever. */
function watched(first: CheckedCaller, answers: (() => CheckedCaller)[]) {
  const seen = { looks: 0, ends: [] as string[], reported: [] as unknown[] };
  const stop = watchToken(first, {
    look: async () => {
      const answer = answers[Math.min(seen.looks++, answers.length - 1)];
      if (answer === undefined) throw new Error('not to be looked at');
      return Promise.resolve(answer());
    },
    limits: { failureMs: 5_000, uncheckedMs: 60_000 },
    now: Date.now,
    report: (thrown) => void seen.reported.push(thrown),
    end: (why) => void seen.ends.push(`${Date.now() / 1000}s: ${why}`),
  });
  return { seen, stop };
}

function refused(): never {
  throw new TokenRefusal('no');
}

function away(): never {
  throw new CheckFailure('away');
}

function broken(): never {
  throw new Error('broken');
}

test.each<[string, Partial<AuthInfo>, (() => CheckedCaller)[], looks: number, ends: string[]]>([
  ['one that is good and never expires', {}, [found], 10, []],
  [
    'one that expires before it is to be looked at',
    { expiresAt: 20 },
    [],
    0,
    ['20s: The token has expired.'],
  ],
  [
    'one that expires later',
    { expiresAt: 70 },
    [() => found({ expiresAt: 70 })],
    2,
    ['70s: The token has expired.'],
  ],
  ['one that has expired', { expiresAt: -1 }, [], 0, ['0s: The token has expired.']],
  [
    'one that is revoked',
    { expiresAt: 9_999 },
    [found, refused],
    2,
    ['60s: The token is not valid any more.'],
  ],
  [
    'one of somebody else',
    {},
    [() => found({ subject: 'bob' })],
    1,
    ['30s: The token reaches less far than it did.'],
  ],
  [
    'one with fewer scopes',
    {},
    [() => found({ scopes: [] })],
    1,
    ['30s: The token reaches less far than it did.'],
  ],
  ['one with more scopes', {}, [() => found({ scopes: ['read', 'write'] })], 10, []],
  ['one of an issuer that is away for a moment', {}, [away, away, found], 12, []],
  ['one of an issuer that stays away', {}, [away], 13, ['90s: The token can not be checked.']],
  ['one that can not be looked at', {}, [broken], 1, ['30s: The token can not be checked.']],
])('%s', async (_, first, answers, looks, ends) => {
  const { seen } = watched(found(first), answers);
  await vi.advanceTimersByTimeAsync(311_000);
  expect(seen.ends).toEqual(ends);
  expect(seen.looks).toBe(looks);
  expect(seen.reported.map(String)).toEqual(answers.includes(broken) ? ['Error: broken'] : []);
});

test('what is over is not looked at', async () => {
  const { seen, stop } = watched(found(), [refused]);
  stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(seen).toEqual({ looks: 0, ends: [], reported: [] });
});

test('what ends while its token is looked at is told nothing', async () => {
  const { seen, stop } = watched(found(), [
    () => {
      stop();
      return refused();
    },
  ]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(seen).toEqual({ looks: 1, ends: [], reported: [] });
});
