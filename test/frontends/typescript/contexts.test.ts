// A `Context` parameter or member gets the call's context.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

const declarations = `
import type { Context } from 'mcpgen/runtime';
type Alias = Context;
interface Mine extends Context { note?: string }
interface Deeper extends Mine { log: Context['log'] }
`;

test.each([
  { given: 'x: string, ctx: Context', want: { contextAt: 1 } },
  { given: 'x: string, ctx: Alias', want: { contextAt: 1 } },
  { given: 'ctx: Mine, x: string', want: { contextAt: 0 } },
  { given: 'ctx: Deeper | undefined, x: string', want: { contextAt: 0 } },
  { given: 'x: string, ctx: Context & { note?: string }', want: { contextAt: 1 } },
  { given: 'o: { x: string; ctx: Mine }', want: { contextIn: ['ctx'] } },
])('$given', async ({ given, want }) => {
  const text = `${declarations}/** @tool */\nexport function f(${given}): void { void arguments; }\n`;
  const compiled = await compileFiles({ 'a.ts': text });
  expect(compiled.problems).toEqual([]);
  const { inputSchema, binding } = toolNamed('f', compiled);
  expect(inputSchema.properties).toEqual({ x: { type: 'string' } });
  expect(binding).toMatchObject(want);
});
