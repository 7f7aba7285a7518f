// Text that clients see: descriptions, titles, names, and their order.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

test.each([
  ['Words. @since 2', 'Words.'],
  ['Words. @internal', 'Words.'],
  ['Words.\n * @remarks More.\n * @since 2\n * Still of that.', 'Words.'],
  ['Words. @deprecated Use g. @since 3', 'Deprecated: Use g. Words.'],
  // Words behind an at sign that prose has stay.
  ['Posts to @module or @name, as `@since 2`.', 'Posts to @module or @name, as `@since 2`.'],
])('of "%s" clients read "%s"', async (given, want) => {
  const text = `/** ${given} */\nexport interface Named { /** ${given} */ a: string }
/** @tool\n * ${given} */\nexport function f(/** ${given} */ p: string, o: Named): void {}\n`;
  const tagged = text
    .replace('/** @tool\n * ', '/** ')
    .replace(' */\nexport function', '\n * @tool */\nexport function');
  const compiled = await compileFiles({ 'a.ts': tagged });
  expect(compiled.messages).toEqual([]);
  const { description, inputSchema } = toolNamed('f', compiled);
  expect(description).toBe(want);
  const member = want.replace(/^Deprecated: Use g[.] Words[.]$/, want);
  expect(inputSchema.properties?.['p']).toMatchObject({ description: member });
  expect(inputSchema.$defs?.['Named']).toMatchObject({ properties: { a: { description: member } } });
});

test('@param and @returns count in one line too', async () => {
  const compiled = await compileFiles({
    'a.ts':
      '/** Adds. @tool @param a The first. @minimum 1 @param b The second. @returns The sum. */\nexport function f(a: number, b: number): void {}\n',
  });
  expect(compiled.messages).toEqual([]);
  const { description, inputSchema } = toolNamed('f', compiled);
  expect(description).toBe('Adds.');
  expect(inputSchema.properties).toEqual({
    a: { type: 'number', description: 'The first.', minimum: 1 },
    b: { type: 'number', description: 'The second.' },
  });
});

test.each([
  ['(o?: { a: string; b?: number })', ['o'], undefined],
  ['(o: { a: string; n: number } = load())', ['o'], undefined],
  ['(o?: { a?: string; b?: number })', ['a', 'b'], undefined],
  ['(o: { a: string; b?: number } = { a: "x" })', ['o'], undefined],
  ['({ a = "" }: { a?: string } = {})', ['a'], undefined],
  ['(o: { a: string })', ['a'], ['a']],
])('f%s has the arguments %j', async (given, names, required) => {
  const compiled = await compileFiles({
    'a.ts': `import type { Context } from 'mcpgen/runtime';
declare function load(): { a: string; n: number };
/** @tool */\nexport function f${given}: void {}\n`,
  });
  expect(compiled.messages).toEqual([]);
  const { inputSchema } = toolNamed('f', compiled);
  expect(Object.keys(inputSchema.properties ?? {})).toEqual(names);
  expect(inputSchema.required).toEqual(required);
});
