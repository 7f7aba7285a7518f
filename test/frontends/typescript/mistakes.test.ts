// One mistake is one diagnostic, at the user's own place.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const tool = '/** @tool */\nexport function f';
const context = "import type { Context, ServerHandle } from 'mcpgen/runtime';\n";

test.each<{ given: string; want: string[]; files?: Record<string, string>; words?: RegExp }>([
  { given: `${tool}(x: stirng): void { void x; }`, want: ['a.ts:2:22 error typescript-error'] },
  {
    given: `interface A { s: stirng[] }\n${tool}(x: A, y: A): A { void y; return x; }`,
    want: ['a.ts:1:18 error typescript-error'],
  },
  {
    given: `import type { Gone } from './gone.ts';\n${tool}(x: Gone, y: Gone[]): Gone { void y; return x; }`,
    want: ['a.ts:1:27 error typescript-error'],
  },
  {
    given: `${tool}(x: any, y: stirng): void { void [x, y]; }`,
    want: ['a.ts:2:19 error untyped-value', 'a.ts:2:30 error typescript-error'],
  },
  {
    given: `${tool}<T, U>(x: T[], y: T, z: { u: U }): T[] { void [y, z]; return x; }`,
    want: ['a.ts:2:25 error unresolved-generic', 'a.ts:2:44 error unresolved-generic'],
  },
  {
    given: `/** @complete p.a @complete p.b */\nexport function f(x: number): number { return x; }\n/** @prompt */\nexport function p(a: string, b: string): string { return a + b; }`,
    want: ['a.ts:1:5 error bad-completion'],
  },
  ...['T[keyof T][]', 'Set<T[K]>', 'Map<string, T[K]>', 'Awaited<T[K]>[]'].map((type) => ({
    given: `${tool}<T extends object, K extends keyof T>(x: ${type}, y: number): void { void [x, y]; }`,
    want: ['a.ts:2:56 error unresolved-generic'],
    words: /^a\.ts.*: `x(?:\[\])?` of `f` is/,
  })),
  {
    given: `${tool}(x: any[]): void { void x; }`,
    want: ['a.ts:2:19 error untyped-value'],
    words: /: `x\[\]` of `f` is `any`/,
  },
  // The mistake is in a file that TypeScript is told to skip.
  {
    given: `import type { Odd } from './odd.js';\n${tool}(x: Odd): void { void x; }`,
    files: { 'odd.d.ts': 'export type Odd = Gone;\n' },
    want: ['a.ts:3:19 error untyped-value'],
  },
  {
    given: `${context}${tool}(x: { deep: { ctx: Context } }): void { void x; }`,
    want: ['a.ts:3:32 error nested-context'],
  },
  {
    given: `${context}${tool}(x: string, y: { ctx?: Context }): void { void [x, y]; }`,
    want: ['a.ts:3:35 error nested-context'],
  },
  {
    given: `${context}${tool}(x: string, y: Context[]): void { void [x, y]; }`,
    want: ['a.ts:3:30 error nested-context'],
  },
  {
    given: `${context}${tool}(x: string, y: string | Context): void { void [x, y]; }`,
    want: ['a.ts:3:30 error nested-context'],
  },
  {
    given: `${context}${tool}(ctx: Context): { ctx: Context } { return { ctx }; }`,
    want: ['a.ts:3:36 error nested-context'],
  },
  {
    given: `${context}interface App extends Context { db: string }\n${tool}(x: string, ctx: App): void { void [x, ctx]; }`,
    want: ['a.ts:4:30 error parameter-not-usable'],
  },
  {
    given: `${context}${tool}(o: { x: string; ctx: Context & { db: string } }): void { void o; }`,
    want: ['a.ts:3:19 error parameter-not-usable'],
  },
  {
    given: `import { ToolError } from 'mcpgen/runtime';\nclass Gone extends ToolError { constructor(id: string) { super(id); this.name = 'Gone'; } }\nclass Lost extends ToolError { override name = 'Lost'; }\n${tool}(x: string): void { throw x === '' ? new Lost() : new Gone(x); }`,
    want: [],
  },
  // Optional parts are left out.
  {
    given: `${tool}(x: string, y?: () => void): void { void [x, y]; }`,
    want: ['a.ts:2:30 warning member-left-out'],
  },
  {
    given: `${tool}(x: string, y = (): void => {}, ...z: (() => void)[]): void { void [x, y, z]; }`,
    want: ['a.ts:2:30 warning member-left-out', 'a.ts:2:50 warning member-left-out'],
  },
  {
    given: `${tool}(o: { x: string; y?: () => void }): void { void o; }`,
    want: ['a.ts:2:35 warning member-left-out'],
  },
  {
    given: `${tool}(x: string, y: () => void): void { void [x, y]; }`,
    want: ['a.ts:2:30 error type-without-json'],
  },
  {
    given: `${tool}(x: string, y?: any): void { void [x, y]; }`,
    want: ['a.ts:2:30 error untyped-value'],
  },
  {
    given: `${context}${tool}(x: string, y: { server: ServerHandle }): void { void [x, y]; }`,
    want: ['a.ts:3:35 error type-without-json'],
  },
])('$given', async ({ given, files = {}, want, words = /(?:)/ }) => {
  const { problems, messages } = await compileFiles({ 'a.ts': given, ...files }, ['a.ts']);
  expect(problems.toSorted()).toEqual(want);
  expect(messages.join('\n')).toMatch(words);
});
