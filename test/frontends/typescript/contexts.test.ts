// A `Context` parameter or member gets the call's context.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

const declarations = `
import type { Context } from 'mcpgen/runtime';
interface Mine extends Context { note?: string }
type Some = Pick<Context, 'log' | 'signal'>;
interface Few extends Some { note?: string }
`;

test.each([
  { given: 'x: string, ctx: Context', want: { contextAt: 1 } },
  { given: 'ctx: Mine, x: string', want: { contextAt: 0 } },
  { given: 'o: { x: string; ctx: Mine }', want: { contextIn: ['ctx'] } },
  { given: "{ log }: Pick<Context, 'log'>, x: string", want: { contextAt: 0 } },
  { given: 'x: string, ctx?: Some', want: { contextAt: 1 } },
  { given: 'x: string, { log }: Few', want: { contextAt: 1 } },
  { given: "o: { x: string; ctx: Pick<Context, 'log'> }", want: { contextIn: ['ctx'] } },
])('$given', async ({ given, want }) => {
  const text = `${declarations}/** @tool */\nexport function f(${given}): void { void arguments; }\n`;
  const compiled = await compileFiles({ 'a.ts': text });
  expect(compiled.problems).toEqual([]);
  const { inputSchema, binding } = toolNamed('f', compiled);
  expect(inputSchema.properties).toEqual({ x: { type: 'string' } });
  expect(binding).toMatchObject(want);
});

test('a field that clients cannot show in a form is an error where it stands', async () => {
  const { messages } = await compileFiles({
    'a.ts': `${declarations}/** @tool */
export async function ask({ elicit }: Context): Promise<void> {
  await elicit('Where?', { home: { type: 'object' } });
  await elicit('When?', { day: { type: 'string', format: 'time' } });
}
`,
  });
  const said = 'error typescript-error: TypeScript reports an error here:';
  expect(messages).toEqual([
    `a.ts:8:36 ${said} Type '"object"' is not assignable to type '"string" | "number" | "boolean" | "integer" | "array"'. (TS2322)`,
    `a.ts:9:50 ${said} Type '"time"' is not assignable to type '"email" | "uri" | "date" | "date-time" | undefined'. (TS2322)`,
  ]);
});
