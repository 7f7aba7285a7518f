import { expect, test } from 'vitest';
import { VerifiedTokens } from '../../../templates/runtime/oauth/verified-tokens.ts';

test('no more tokens are remembered than there may be: the one checked first goes first', async () => {
  const tokens = new VerifiedTokens<string>(2, () => 0);
  for (const name of ['a', 'b', 'c'])
    await tokens.get(name, async () => Promise.resolve({ value: name, until: 1 }));
  expect(['a', 'b', 'c'].map((name) => tokens.known(name))).toEqual([undefined, 'b', 'c']);
});

test('what was refused is not remembered', async () => {
  const tokens = new VerifiedTokens<string>(2, () => 0);
  const refused = tokens.get('a', async () => Promise.reject(new Error('no')));
  await expect(refused).rejects.toThrow('no');
  expect(await tokens.get('a', async () => Promise.resolve({ value: 'yes', until: 1 }))).toBe('yes');
});
