// Tags count wherever they stand: those of the function also behind the text of @param, @returns and their like.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

test.each([
  { given: ['/** Drops it. @tool f @returns what was dropped @scope admin @destructive */'] },
  { given: ['/**', ' * @tool f', ' * @returns what was', ' * dropped @scope admin @destructive', ' */'] },
  { given: ['/** @param a - the a @tool f @scope admin @destructive */'] },
  { given: ['/** @param {{ b: string }} a - {@link f} `@scope none` @tool f @scope admin @destructive */'] },
  { given: ['/** @returns an { open brace @tool f @scope admin @destructive */'] },
  { given: ['/** @throws {Error} @tool f @scope admin @destructive */'] },
  { given: ['/** @template T desc @tool f @scope admin @destructive */'] },
])('the tags of a function: $given', async ({ given }) => {
  const code = 'export function f(a: string): string { return a; }';
  const { model, problems } = await compileFiles({ 'a.ts': [...given, code].join('\n') });
  expect(problems).toEqual([]);
  expect(model?.tools).toMatchObject([
    { name: 'f', scopes: ['admin'], annotations: { destructiveHint: true } },
  ]);
});

test.each([
  { given: '/** @tool f @returns what was dropped @scopes admin */', want: ['1:39 error unknown-tag'] },
  { given: '/** @tool f @param a the a @minLenght 3 */', want: ['1:28 warning idle-tag'] },
  { given: '/** @tool f @throws {Error} if not @minLength 3 */', want: ['1:36 error misplaced-tag'] },
  { given: '/** @returns what @tol f */', want: ['1:19 error unknown-tag'] },
  { given: '/**\n * @tool f\n * @author Me @scopes\n */', want: [] },
  { given: '/** @tool f @returns `@scope a`, "@scope b", {@link f @scope {@scope c}} */', want: [] },
  { given: '/**\n * @tool f\n * @returns this\n * ```\n * @scope a\n * ```\n */', want: [] },
  { given: '/**\r\n * @tool f\r\n * @returns this\r\n * ```ts\r\n * @scope a\r\n * ```\r\n */', want: [] },
])('what is lost there is told: $given', async ({ given, want }) => {
  const { problems } = await compileFiles({
    'a.ts': `${given}\nexport function f(a: string): string { return a; }`,
    'b.ts': '/** @tool */\nexport function first(): void {}',
  });
  expect(problems).toEqual(want.map((each) => `a.ts:${each}`));
});
