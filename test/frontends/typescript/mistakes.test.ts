// Mistakes are reported at the user's own place.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const tool = '/** @tool */\nexport function f';
const context = "import type { Context, ServerHandle } from 'mcpgen/runtime';\n";

test.each<{ given: string; want: string[]; files?: Record<string, string>; words?: RegExp }>([
  {
    given: `${tool}(x: stirng): void { void x; }`,
    want: ['a.ts:2:19 error untyped-value', 'a.ts:2:22 error typescript-error'],
  },
  {
    given: `import type { Gone } from './gone.ts';\n${tool}(x: Gone, y: Gone[]): Gone { void y; return x; }`,
    want: [
      'a.ts:1:27 error typescript-error',
      'a.ts:3:19 error untyped-value',
      'a.ts:3:28 error untyped-value',
    ],
  },
  {
    given: `${tool}(x: any, y: stirng): void { void [x, y]; }`,
    want: [
      'a.ts:2:19 error untyped-value',
      'a.ts:2:27 error untyped-value',
      'a.ts:2:30 error typescript-error',
    ],
  },
  {
    given: `${tool}<T, U>(x: T[], y: T, z: { u: U }): T[] { void [y, z]; return x; }`,
    want: [17, 25, 33, 44].map((column) => `a.ts:2:${column} error unresolved-generic`),
  },
  ...['T[keyof T][]', 'Set<T[K]>', 'Map<string, T[K]>', 'Awaited<T[K]>[]'].map((type) => ({
    given: `${tool}<T extends object, K extends keyof T>(x: ${type}, y: number): void { void [x, y]; }`,
    want: ['a.ts:2:56 error unresolved-generic'],
    words: /^a\.ts.*: `x(?:\[\])?` of `f` is/,
  })),
  // The mistake is in a file that TypeScript is told to skip.
  {
    given: `import type { Odd } from './odd.js';\n${tool}(x: Odd): void { void x; }`,
    files: { 'odd.d.ts': 'export type Odd = Gone;\n' },
    want: ['a.ts:3:19 error untyped-value'],
  },
  {
    given: `${context}${tool}(x: { deep: { ctx: Context } }): void { void x; }`,
    want: ['a.ts:3:32 error type-without-json'],
  },
  {
    given: `${context}${tool}(x: string, y: string | Context): void { void [x, y]; }`,
    want: ['a.ts:3:30 error type-without-json'],
  },
  {
    given: `${context}${tool}(ctx: Context): { ctx: Context } { return { ctx }; }`,
    want: ['a.ts:3:36 error type-without-json'],
  },
  {
    given: `import { ToolError } from 'mcpgen/runtime';\nclass Gone extends ToolError { constructor(id: string) { super(id); this.name = 'Gone'; } }\nclass Lost extends ToolError { override name = 'Lost'; }\n${tool}(x: string): void { throw x === '' ? new Lost() : new Gone(x); }`,
    want: [],
  },
  // Optional parts are left out.
  {
    given: `${tool}(x: string, y = (): void => {}, ...z: (() => void)[]): void { void [x, y, z]; }`,
    want: ['a.ts:2:30 warning member-left-out', 'a.ts:2:50 warning member-left-out'],
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

const faults: Record<string, { code: string; files?: Record<string, string>; want: string[] }> = {
  'a type error': {
    code: `${tool}(x: stirng): void { void x; }`,
    want: ['error typescript-error', 'error untyped-value'],
  },
  'a method of a class that is not exported': {
    code: '/** @instance session */\nclass N { /** @tool N_x */ x(): void {} }\nvoid N;',
    want: ['warning idle-tag'],
  },
  'an unknown kind of instance': {
    code: '/** @instance sesion */\nexport class N { /** @tool N_x */ x(): void {} }',
    want: ['error bad-tag'],
  },
  'a class that needs arguments, with other faults': {
    code: '/** @instance sesion */\nexport class N { constructor(a: string) { void a; }\n/** @tool N_x */ x(a: any, b: string): void { void [a, b]; } }',
    want: ['error bad-tag', 'error class-not-constructible', 'error untyped-value'],
  },
  'a bad prefix': {
    code: 'class C_N { /** @tool N_x */ x(): void {} }\n/** @prefix a b */\nexport const N = new C_N();',
    want: ['error bad-tag'],
  },
  'no function': { code: '/** @tool */\nexport const N = 3;', want: ['error misplaced-tag'] },
  'any as a function': { code: '/** @tool */\nexport const N: any = 3;', want: ['error misplaced-tag'] },
  'an unknown type of a library': {
    code: `import type { Odd } from './odd.js';\n${tool}(x: Odd): void { void x; }`,
    want: ['error untyped-value'],
  },
  'a resource without its variable': {
    code: "/** @resource a://N/{id} */\nexport function N(): string { return ''; }",
    want: ['error bad-resource-uri'],
  },
  'a schema that is not there': {
    code: `${tool}(/** @schema Nowhere */ x: string, y: string): void { void [x, y]; }`,
    want: ['error schema-unusable'],
  },
  'a file that is not carried': {
    code: `import { readFileSync } from 'node:fs';\n${tool}(x: string): string { return readFileSync(new URL(x, import.meta.url), 'utf8'); }`,
    want: ['warning file-not-carried'],
  },
  'a package without a range': {
    code: `import { Command } from 'commander';\n${tool}(): void { void Command; }`,
    want: ['warning package-range-assumed'],
  },
};

/** Each fault, with names of its own. */
const given = Object.values(faults).map(({ code, want }, at) => ({
  want,
  code: code.replaceAll('N', `n${at}`).replace('function f(', `function n${at}(`),
}));

function count(all: readonly string[]): string[] {
  return all.map((each) => each.replace(/^\S+ (?=\w+ [\w-]+$)/, '')).toSorted();
}

test('no fault hides one in the same file', async () => {
  const lines = given.flatMap(({ code }) => code.split('\n'));
  const imports = new Set(lines.filter((line) => line.startsWith('import ')));
  const code = [...imports, ...lines.filter((line) => !line.startsWith('import '))].join('\n');
  const { problems } = await compileFiles({ 'a.ts': code, 'odd.d.ts': 'export type Odd = Gone;\n' }, [
    'a.ts',
  ]);
  expect(count(problems)).toEqual(given.flatMap(({ want }) => want).toSorted());
});
