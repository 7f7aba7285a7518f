// Without `strictNullChecks` types hold no null: what is written says where it may come.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

test.each([
  { returns: 'string | null', want: { type: ['string', 'null'] } },
  { returns: 'Promise<string | null>', want: { type: ['string', 'null'] } },
  { returns: 'Date | null', want: { type: ['string', 'null'], format: 'date-time' } },
  { returns: 'string', want: { type: 'string' } },
])('a function that returns $returns', async ({ returns, want }) => {
  const compiled = await compileFiles({
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": false } }',
    't.ts': `/** @tool */\nexport function f(): ${returns} { return null; }\n`,
  });
  expect(toolNamed('f', compiled).outputSchema?.properties).toEqual({ result: want });
});
