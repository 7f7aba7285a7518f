// Tags that a description speaks of are none, and those behind code are.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const fence = '```';

test.each([
  { given: ['Use `@tool b` or {@link tool @tool}.', '@tool a'] },
  { given: ['Use ``a ` @tool b``, then `c`.', '@tool a'] },
  { given: [`${fence} @tool b ${fence}`, '@tool a'] },
  { given: [`${fence}ts`, '/** Words. */', '@tool b', fence, '@tool a'] },
  { given: ['~~~', fence, '@tool b', '~~~', '@tool a'] },
  { given: [`${fence}${'`'}`, fence, '@tool b', `${fence}${'`'}`, '@tool a'] },
  { given: ['Words.', fence, '@tool a'] },
  {
    given: ['@tool a', `@scope read`, '@example', fence, '@tool b @scope none', fence, '@title T'],
    title: 'T',
  },
])('$given', async ({ given, title }) => {
  const block = ['/**', ...given.map((line) => ` * ${line.replace('*/', '*\u200b/')}`), ' */'];
  const { model, problems } = await compileFiles({
    'a.ts': [...block, 'export function f(): void {}'].join('\n'),
  });
  // The space without width keeps the end of a comment within one.
  expect(problems.filter((problem) => !problem.endsWith('hidden-text'))).toEqual([]);
  expect(model?.tools.map(({ name }) => name)).toEqual(['a']);
  if (title !== undefined) expect(model?.tools[0]).toMatchObject({ title, scopes: ['read'] });
});
