// A handler is called without a server: what it tells is recorded, and what the test does not give is named.
import { expect, test } from 'vitest';
import { fakeContext } from '../../templates/runtime/tools.ts';
import type {} from '../../templates/runtime/features/ask/index.ts';
import type { Context } from '../../templates/runtime/types.ts';

const greet = async (_: object, { log, progress, elicit }: Context): Promise<string> => {
  await log('info', 'begun');
  await progress(1, 2);
  const { content } = await elicit('Who?', { name: { type: 'string' } });
  return `hello ${content?.name ?? 'nobody'}`;
};

test('a handler is called with what the test gives', async () => {
  const answer = { action: 'accept', content: { name: 'Ada' } } as const;
  const context = fakeContext({ elicit: async () => answer as never });
  expect(await greet({}, context)).toBe('hello Ada');
  expect(context.logged).toEqual([{ level: 'info', data: 'begun' }]);
  expect(context.progressed).toEqual([{ done: 1, total: 2, message: undefined }]);
});

test('a member that the test does not give is named', async () => {
  await expect(greet({}, fakeContext())).rejects.toThrow(/gives no `elicit`.*fakeContext\(\{ elicit: /);
  expect(await Promise.resolve(fakeContext())).toHaveProperty('meta', undefined);
});
