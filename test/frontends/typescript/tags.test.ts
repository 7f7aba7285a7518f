// Tags and where they are allowed: each problem at its place, and none for ordinary JSDoc.
import { beforeAll, describe, expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

interface Row {
  /** The block of a function; `{n}` is a name of its own. */
  given: string;
  /** Code after the tag. Default an exported function with the parameter `city`. */
  code?: string;
  /** `line:column severity name`. Default none. */
  want?: string[];
  /** A part of the first message. */
  words?: string;
}

const values: Row[] = [
  { given: '/** @tool a @scopes s:b */', want: ['1:13 error unknown-tag'], words: 'Did you mean @scope?' },
  {
    given: '/** A. @tool @readonly @scopes admin */',
    want: ['1:14 error misplaced-tag', '1:24 error unknown-tag'],
    words: 'Did you mean @readOnly?',
  },
  { given: '/** @tool get weather */', want: ['1:5 error bad-tag'], words: 'not `get weather`' },
  { given: '/**\n * @tool {n}\n * Words.\n */', want: ['2:4 error bad-tag'], words: 'before the first tag' },
  { given: '/** @prompt plan trip */', want: ['1:5 error bad-tag'] },
  { given: '/** @resource a://b words */', want: ['1:5 error bad-resource-uri'] },
  { given: '/** @complete plan.city words */', want: ['1:5 error unfit-function'] },
  { given: '/** @list a://b c */', want: ['1:5 error bad-tag'] },
  { given: '/** @tool {n} @hidden always */', want: ['1:15 error bad-tag'], words: 'takes no value' },
  { given: '/** @tool {n} @title A @title B */', want: ['1:24 error bad-tag'], words: 'second time' },
  { given: '/**\n * @tool {n}\n * @title A\n * Words.\n */', want: ['3:4 error bad-tag'], words: 'one line' },
  { given: '/** @tool {n} @scope a @scope b,c */' },
  { given: '/** @tool {n} @scope a @since 2 */' },
  { given: '/** @tool {n} @scope a"b */', want: ['1:15 error bad-tag'], words: 'a"b' },
  { given: '/** @tool {n} @readOnly yes */', want: ['1:15 error bad-tag'] },
  {
    given: '/** @tool {n} @readOnly @destructive */',
    want: ['1:25 warning hints-contradict'],
    words: '(`@readOnly`)',
  },
  { given: '/** @tool {n} @readOnly @destructive false */' },
  {
    given: '/** @tool {n} @resource {n}://a @mimeType application/geo+json */',
    code: 'export function f(): { a: string } { return { a: "" }; }',
  },
];

const contents: Row[] = [
  ...['void', 'undefined', 'null', 'never'].map((type) => ({
    given: '/** @resource {n}://a */',
    code: `export function f(): ${type} { throw new Error(); }`,
    want: ['2:17 error unfit-function'],
    words: `it returns \`${type}\``,
  })),
  {
    given: '/** @resource {n}://a */',
    code: 'export function f(): string | undefined { return undefined; }',
  },
];

const places: Row[] = [
  { given: '/** @tool {n} @readonly */', want: ['1:15 error misplaced-tag'], words: 'mean @readOnly?' },
  { given: '/** Words. @tol {n} */', want: ['1:12 error unknown-tag'], words: 'mean @tool?' },
  { given: '/** Words. @readOnlyy @tool {n} */', want: ['1:12 error unknown-tag'], words: 'mean @readOnly?' },
  { given: '/** Mail to a@tool.example, `@tol` or @tools/core. @tool {n} */' },
  {
    given: '/** @tool {n} @instance session */',
    want: ['1:15 error misplaced-tag'],
    words: 'apply to a tool',
  },
  { given: '/** @tool {n} @minLength 2 */', want: ['1:15 error misplaced-tag'] },
  { given: '/** @prompt {n} @scope a @mimeType text/plain */', want: ['1:26 error misplaced-tag'] },
  { given: '/** @tool {n} @deprecated Use g. */' },
  {
    given: [
      '/**',
      ' * @internal',
      ' * @tool {n}',
      ' * @param city - Words.',
      ' * @returns {string} Words.',
      ' * @throws {Error} When it rains.',
      ' * @see other',
      ' * @since 2',
      ' * @remarks Words.',
      ' * @example f("x")',
      ' * @template T',
      ' * @author Ada <ada@example.org>',
      ' */',
    ].join('\n'),
  },
];

const params: Row[] = [
  {
    given: '/** @tool {n}\n * @param citi Words. */',
    want: ['2:4 warning param-without-parameter'],
    words: 'mean city?',
  },
  {
    given: '/** @tool {n}\n * @param options Words. */',
    code: 'export function f({ city }: { city: string }): string { return city; }',
  },
];

const options =
  'export function f(city: string, { days = 3 }: { days?: number }): void { void [city, days]; }';

/** Beside a pattern, whose name is what stands in its place. */
const besidePattern: Row[] = [
  {
    given: '/** @tool {n}\n * @param citi Words. */',
    code: options,
    want: ['2:4 warning param-without-parameter', '3:33 error parameter-not-usable'],
    words: 'mean city?',
  },
  {
    given: '/** @tool {n}\n * @param citi Words.\n * @param options Words. */',
    code: options,
    want: ['2:4 warning param-without-parameter'],
    words: 'mean city?',
  },
  { given: '/** @tool {n}\n * @param options Words. */', code: options },
];

const members: Row[] = [
  {
    given: '/** @tool {n} */',
    code: member('/** @title A @title B */ a: number'),
    want: ['2:37 warning idle-tag'],
    words: 'second time',
  },
  {
    given: '/** @tool {n} */',
    code: member('/** Words. @minimun 1 */ a: number'),
    want: ['2:35 warning idle-tag'],
    words: 'no tag has this name',
  },
  {
    given: '/** @tool {n} @param a The size. @min 5 */',
    code: 'export function f(a: number): number { return a; }',
    want: ['1:34 warning idle-tag'],
    words: 'no tag has this name',
  },
  {
    given: '/** @tool {n} */',
    code: member('/** @readOnly */ a: number'),
    want: ['2:28 warning idle-tag'],
    words: 'it belongs to a function',
  },
  {
    given: '/** @tool {n} */',
    code: member('/** @uniqueItems yes */ a: number[]'),
    want: ['2:28 error bad-tag'],
    words: 'needs',
  },
  { given: '/** @tool {n} */', code: member('/** @since 2 @readonly */ readonly a: string') },
];

function member(text: string): string {
  return `export function f(o: { ${text} }): void {}`;
}

const idle: Row[] = [
  {
    given: '/** @default red */ enum Color { red = "red", blue = "blue" }\ninterface Car { color?: Color }',
    code: '/** @tool {n} */ export function f(o: Car): void { void o; }',
    want: ['1:5 warning idle-tag'],
  },
  {
    given: '/** @tool {n} */',
    code: member('a: { /** @header Region */ b: string }'),
    want: ['2:33 warning idle-tag'],
  },
  { given: '/** @tool {n} */', code: member('/** @header Region */ b: string') },
  {
    given: '/** @prompt {n} */',
    code: 'export function f(/** @header Region */ b: string): string { return b; }',
    want: ['2:23 error bad-tag'],
    words: 'is invalid',
  },
  {
    given:
      '/** @prompt {n} */ export function f(city: string): string { return city; }\n/** @complete {n}.city */ export function a(): string[] { return []; }',
    code: '/** @complete {n}.city */ export function b(): string[] { return []; }',
    want: ['3:5 error unfit-function'],
    words: 'another function',
  },
  {
    given: '/** @prompt {n} */ export function f(city: string, town: string): string { return city + town; }',
    code: '/** @complete {n}.city @complete {n}.town */ export function b(): string[] { return []; }',
  },
];

const served: Row[] = [
  { given: 'export const tools = {', code: '/** @tool {n} */ add() { return 1; } };' },
  { given: 'export default {', code: '/** @tool {n} */ add: () => 1 } satisfies object;' },
  { given: 'export const Tools = class {', code: '/** @tool {n} */ add() { return 1; } };' },
  {
    given: 'export class Base {',
    code: '/** @tool {n} */ add() { return 1; } }\nexport class Sub extends Base { more() { return 1; } }',
  },
  { given: '/** @hidden */ export class All {', code: '/** @tool {n} */ add() { return 1; } }' },
  {
    given: 'export function f(): number;',
    code: '/** @tool {n} */\nexport function f(): number { return 1; }',
  },
];

const overridden: Row[] = [
  {
    given: 'class Base {\n/** @tool {n}a */ add() { return 1; } }',
    code: 'export class Sub extends Base {\n/** @tool {n}b */ override add() { return 2; } }',
  },
];

const unserved: Row[] = [
  {
    given: 'class Base {',
    code: '/** @tool {n} */ add() { return 1; } }\nexport class A extends Base {}\nexport class B extends Base {}',
    want: ['2:18 error name-taken'],
  },
  {
    given: 'export abstract class Base {',
    code: '/** @tool {n} */ add() { return 1; } }',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: 'export class A {',
    code: '/** @tool {n} */ get add() { return () => 1; } }',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: 'export class A {',
    code: '/** @tool {n} */ private add() { return 1; } }',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: 'export namespace A {',
    code: '/** @tool {n} */ export function add() { return 1; } }',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: 'export interface A {',
    code: '/** @tool {n} */ add(): number }',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  { given: '/** @tool {n} */', code: 'const a = 1;\nexport {};', want: ['1:5 warning idle-tag'] },
  {
    given: 'export function a() {',
    code: '/** @tool {n} */ function b() { return 1; }\nreturn b; }',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: 'export const a = { b: {',
    code: '/** @tool {n} */ add() { return 1; } } };',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: '/** @tool {n}a */ export function a(): number;',
    code: '/** @tool {n}b */ export function a(): number { return 1; }',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given:
      '/** @tool {n}a */ export function a(a: string): string;\n/** @tool {n}b */ export function a(a: number): string;',
    code: 'export function a(a: unknown): string { return String(a); }',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: 'function logged(f: () => number): () => number { return f; }\nexport class A { @logged',
    code: '/** @tool {n} */ add(): number { return 1; } }',
    want: ['3:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: 'export',
    code: '/** @tool {n} */ function a(): number { return 1; }',
    want: ['2:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: '/** @tool {n} */',
    code: '',
    want: ['1:5 warning idle-tag'],
    words: 'only exported functions',
  },
  {
    given: '/** @readOnly\n * @scope a */',
    code: plain(),
    want: ['1:5 warning idle-tag', '2:4 warning idle-tag'],
    words: 'a tag such as @tool is missing',
  },
  {
    given: '/** @scope a */ export class A {',
    code: '/** @tool {n} */ add() { return 1; } }',
    want: ['1:5 error misplaced-tag'],
    words: 'a class',
  },
  { given: '// /** @tool {n} */', code: 'export const text = "/** @tool */", other = `/** @tool */`;' },
];

function plain(): string {
  return 'export function f(city: string): string { return city; }';
}

const metadata: Row[] = [
  { given: '/** @tool {n} @meta com.example/cost 3 @meta b {"c": [1]} */' },
  { given: '/** @meta cost @tool {n} */', want: ['1:5 error bad-tag'], words: 'needs a value in JSON' },
  { given: '/** @meta -cost 3 @tool {n} */', want: ['1:5 error bad-tag'], words: 'needs a key first' },
  { given: '/** @tool {n}/get */', want: ['2:17 info name-cleaned'], words: '_get' },
  { given: '/** @prompt plan/trip */', want: ['1:5 error bad-tag'], words: '"_", "-" and "."' },
];

const groups = {
  contents,
  values,
  places,
  params,
  besidePattern,
  members,
  idle,
  served,
  overridden,
  unserved,
  metadata,
};
const rows = Object.values(groups).flat();
const found = new Map<Row, string[]>();

const nameOf = (at: number): string => `f${String(at).padStart(2, '0')}`;

beforeAll(async () => {
  const files = Object.fromEntries(
    rows.map(({ given, code = plain() }, at) => [
      `r${at}.ts`,
      `${given}\n${code}\n`.replaceAll('{n}', nameOf(at)),
    ]),
  );
  const { messages } = await compileFiles({
    'a.ts': '/** @tool */\nexport function first(): void {}',
    ...files,
  });
  for (const [at, row] of rows.entries())
    found.set(
      row,
      messages.flatMap((each) => (each.startsWith(`r${at}.ts:`) ? [each.replace(/^.*?:/, '')] : [])),
    );
});

describe.each(Object.entries(groups))('%s', (_, some) => {
  test.each(some)('$given $code', (row) => {
    const messages = found.get(row) ?? [];
    expect(messages.map((each) => each.replace(/: .*$/s, '')).toSorted()).toEqual(row.want ?? []);
    if (row.words !== undefined) expect(messages[0]).toContain(row.words);
  });
});

test('a function that is a writing tool is no resource or prompt of a server that only reads', async () => {
  const code = [
    "/** Burns it. @tool burn @destructive @resource notes://burn/{id} */ export function burn(id: 'a' | 'b'): string { return id; }",
    "/** Looks. @tool look @readOnly @resource notes://look/{id} */ export function look(id: 'a' | 'b'): string { return id; }",
    "/** Says. @tool say @prompt say */ export function say(to: 'a' | 'b'): string { return to; }",
    '/** Asks. @prompt ask */ export function ask(): string { return "?"; }',
  ].join('\n');
  const { model, problems } = await compileFiles({ 'a.ts': code }, ['*.ts'], { readOnly: true });
  expect(problems).toEqual([expect.stringContaining('writers-left-out')]);
  expect(model?.resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['notes://look/{id}']);
  expect(model?.prompts.map(({ name }) => name)).toEqual(['ask']);
  expect(model?.completions.map(({ ref }) => ref)).toEqual([{ kind: 'resource', uri: 'notes://look/{id}' }]);
});
