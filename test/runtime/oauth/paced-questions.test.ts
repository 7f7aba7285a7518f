// Questions about tokens: how many at a time, and that a failure is a reason to wait.
import { expect, test } from 'vitest';
import { type IssuerAnswer, limitIntrospections } from '../../../templates/runtime/oauth/ask-issuer.ts';
import { CheckFailure } from '../../../templates/runtime/oauth/refusals.ts';

const URL_OF_ISSUER = new URL('https://id.test/introspect');
const LIMITS = { questions: 2, failuresInARow: 3, failureMs: 5_000 };

/** Asks for each of `answers` in turn: how many of them the issuer was asked for. */
async function askedFor(...answers: (number | 'away')[]): Promise<number> {
  let asked = 0;
  let asks = 0;
  const questions = limitIntrospections(
    async () => {
      const status = answers[asked++];
      if (typeof status !== 'number') throw new CheckFailure('away');
      return Promise.resolve({ status, json: {} });
    },
    LIMITS,
    () => 0,
  );
  while (asks++ < answers.length) await questions(URL_OF_ISSUER).catch(() => undefined);
  return asked;
}

test.each<[(number | 'away')[], number]>([
  [[200, 200, 200, 200], 4],
  [[400, 400, 400, 400], 4],
  [[500, 500, 200, 500, 500], 5],
  [[500, 502, 503, 200], 3],
  [['away', 200], 1],
  [[401, 200], 1],
  [[429, 200], 1],
])('of answers %j %i are had', async (answers, asked) => {
  expect(await askedFor(...answers)).toBe(asked);
});

test('more than there may be at a time wait for those before them', async () => {
  const open: ((answer: IssuerAnswer) => void)[] = [];
  const questions = limitIntrospections(
    async () => new Promise((resolve) => open.push(resolve)),
    LIMITS,
    () => 0,
  );
  const answers = [1, 2, 3].map(async () => questions(URL_OF_ISSUER));
  await Promise.resolve();
  expect(open).toHaveLength(2);
  for (const each of [0, 1, 2]) {
    await expect.poll(() => open.length).toBeGreaterThan(each);
    open[each]?.({ status: 200, json: { each } });
  }
  expect(await Promise.all(answers)).toHaveLength(3);
});
