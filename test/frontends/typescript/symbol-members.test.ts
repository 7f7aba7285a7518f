// A key that is a symbol is a name of TypeScript's own (`__@iterator@12`): no client must ever meet one.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';
test('of types whose keys are symbols', async () => {
  const { model, problems } = await compileFiles({
    'a.ts': `
declare const mark: unique symbol;
interface Marked { [mark]?: string; a: string }
class Held { a = 'x'; get [Symbol.toStringTag](): string { return 'Held'; } }
/** @tool */ export function f(o: Marked, n: { m: Marked }): Marked { return o; }
/** @tool */ export function g(): Partial<Held> { return new Held(); }
`,
  });
  expect(problems.filter((each) => each.includes('error'))).toEqual([]);
  expect(model?.tools).toHaveLength(2);
  expect(JSON.stringify(model)).not.toContain('__@');
});
