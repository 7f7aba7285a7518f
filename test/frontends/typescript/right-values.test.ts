// What a type says is what is listed and what leaves: constraints hold together, and results are of the right alternative.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode, UnfitArguments } from '../../../templates/runtime/features/functions/decode.ts';
import { toJson } from '../../../templates/runtime/features/functions/encode.ts';
import { writeJson } from '../../../templates/runtime/json-rpc.ts';
import { compileSchema } from '../../runtime/schema/validator.ts';
import { compileFiles, toolNamed } from './compile-files.ts';
import { loadFunctions } from './run-functions.ts';
import { expectCompiled, programOf, readerOf } from './type-program.ts';

const day = new Date('2026-01-31T09:00:00.000Z');
const text = day.toISOString();

const results: { type: string; value: string; want: unknown }[] = [
  { type: "['ok', N] | ['err', A]", value: "['err', { a: 'x', more: 1 }]", want: ['err', { a: 'x' }] },
  {
    type: '[N, ...A[]] | [A, ...N[]]',
    value: "[{ a: 'x', n: 1 }, { n: 2, a: 3 }]",
    want: [{ a: 'x' }, { n: 2 }],
  },
  {
    type: 'Generator<N> | Generator<A>',
    value: "(function* () { yield { a: 'x', z: 1 }; })()",
    want: [{ a: 'x' }],
  },
  {
    type: '{ toJSON(): N } | { toJSON(): A }',
    value: "{ toJSON: () => ({ a: 'x', z: 1 }) }",
    want: { a: 'x' },
  },
  { type: '{ of: N[] } | { of: A[] }', value: "{ of: [{ a: 'x', more: 1 }] }", want: { of: [{ a: 'x' }] } },
  // Members that the type does not name do not leave.
  { type: 'Record<`x-${string}`, string>', value: "{ 'x-a': 'b', token: 'secret' }", want: { 'x-a': 'b' } },
  { type: '{ [at: number]: A }', value: "{ 1: { a: 'x', z: 1 }, token: 'secret' }", want: { 1: { a: 'x' } } },
];

test.each(results)('a result of $type: $value', async ({ type, value, want }) => {
  const code = `interface N { n: number }\ninterface A { a: string }\nconst day = new Date('${text}');
/** @tool */\nexport function f(): ${type} { void day; return ${value} as never; }\n`;
  const compiled = await compileFiles({ 'a.ts': code });
  expect(compiled.messages).toEqual([]);
  const { binding, outputSchema } = toolNamed('f', compiled);
  const answer = (await loadFunctions(code, compiled).callTool(binding, 'f', {})) as {
    structuredContent: object;
  };
  const { structuredContent } = JSON.parse(writeJson(answer)) as typeof answer;
  expect(
    outputSchema?.properties?.['result'] === undefined
      ? structuredContent
      : Object.values(structuredContent)[0],
  ).toEqual(want);
});

const schemas: { code: string; want: object }[] = [
  {
    code: 'export function f(/** @pattern ^.{4}$ */ a: `id-${string}`, b?: 1)',
    want: { a: { type: 'string', pattern: '^id-[\\s\\S]*$', allOf: [{ pattern: '^.{4}$' }] } },
  },
  {
    code: 'export function f(/** @minItems 0 @maxItems 9 */ a: [string, ...string[]], b?: 1)',
    want: { a: { minItems: 1, maxItems: 9 } },
  },
  { code: 'export function f(/** @minimum 5 */ a: Port, b?: 1)', want: { a: { minimum: 5, maximum: 9 } } },
  { code: 'export function f(/** @maximum 99 */ a: Port, b?: 1)', want: { a: { minimum: 1, maximum: 9 } } },
  {
    code: 'export function f(/** @uniqueItems false */ a: Set<string>, b?: 1)',
    want: { a: { uniqueItems: true } },
  },
  {
    code: 'export function f(a: `a${string}` & `${string}z`, b?: 1)',
    want: { a: { pattern: '^a[\\s\\S]*$', allOf: [{ pattern: '^[\\s\\S]*z$' }] } },
  },
  {
    code: 'export function f(/** @minLength 3 */ a: string & MinLength<2> & { readonly __brand: "A" }, b?: 1)',
    want: { a: { type: 'string', minLength: 3 } },
  },
  { code: 'export function f(query: Text)', want: { query: { type: 'string' } } },
  { code: 'export function f(a: Patch, b?: 1)', want: { a: { description: 'What changes.' } } },
  { code: 'export function f(a: Frozen, b?: 1)', want: { a: { required: ['id'] } } },
  { code: 'export function f<T extends User>(key: keyof T, b?: 1)', want: { key: { enum: ['id', 'born'] } } },
  { code: 'export function f(a: Frozen)', want: { id: { minLength: 7 } } },
  {
    code: 'export function f(/** @format email */ a: Uuid, b?: 1)',
    want: { a: { format: 'uuid', allOf: [{ format: 'email' }] } },
  },
  { code: 'export function f(a: { of: ReadonlyDeep<Plain> })', want: { a: {} } },
];

const types = `import type { MinLength } from 'mcpgen/runtime';
/** @minimum 1 @maximum 9 */ type Port = number;
/** @format uuid */ type Uuid = string;
interface User { id: string; born: Date }
interface Plain { id: string; deep: { n: number } }
/** What changes. */ type Patch = Partial<User>;
/** @schema {"type":"object","properties":{"id":{"minLength":7}},"required":["id"]} */ type Frozen = Readonly<User>;
/** @schema {"type":"string"} */ interface Text { at: Date }
/** Makes all of it read-only. */ type ReadonlyDeep<T> = { readonly [K in keyof T]: ReadonlyDeep<T[K]> };
void (0 as unknown as [Port, Uuid, Patch, Frozen, Text, ReadonlyDeep<Plain>, MinLength<1>]);
`;

test.each(schemas)('the arguments of $code', async ({ code, want }) => {
  const compiled = await compileFiles({ 'a.ts': `${types}/** @tool */\n${code}: void {}\n` });
  expect(compiled.messages).toEqual([]);
  const { properties, $defs } = toolNamed('f', compiled).inputSchema;
  if (!code.includes('ReadonlyDeep')) return expect(properties).toMatchObject(want);
  expect(JSON.stringify([properties, $defs])).not.toContain('read-only');
});

test.each([
  'exports.counter = new Counter(1);',
  'module.exports = new Counter(1);',
  'module.exports = { counter: new Counter(1) };',
  'exports.counter = Object.freeze(new Counter(1));',
])('CommonJS: %s', async (end) => {
  const code = `class Counter { constructor(n) { this.n = n; }\n/** @tool count_up */ up() { return 1; } }\n${end}\n`;
  const { model, messages } = await compileFiles({ 'package.json': '{ "name": "common" }', 'a.js': code }, [
    'a.js',
  ]);
  expect(
    model?.tools.map(({ name }) => name),
    messages.join('\n'),
  ).toEqual(['count_up']);
});

test('CommonJS: a function of `exports`', async () => {
  const code =
    '/** Greets. @tool @param {string} name @returns {string} */\nexports.greet = (name) => name;\n';
  const { model } = await compileFiles({ 'package.json': '{ "name": "common" }', 'a.js': code }, ['a.js']);
  expect(model?.tools.map(({ name }) => name)).toEqual(['greet']);
});

test('a mapped type of any text, intersected, has one name', async () => {
  const code = `type Tagged = { id: string } & { [K in string]: unknown };
/** @tool */\nexport function f(a: Tagged, b: Tagged[]): Tagged { void b; return a; }`;
  const { inputSchema } = toolNamed('f', await compileFiles({ 'a.ts': code }));
  expect(Object.keys(inputSchema.$defs ?? {})).toEqual(['Tagged']);
  expect(inputSchema.properties).toEqual({
    a: { $ref: '#/$defs/Tagged' },
    b: { type: 'array', items: { $ref: '#/$defs/Tagged' } },
  });
});

test('optional members of type any are left out with a warning, required ones are errors', async () => {
  const code = `/** @tool */ export function f(o: { a?: any; b: string }): { c?: any; d: number } { void o; return { d: 1 }; }
/** @tool */ export function g(o: { a: any }): void {}`;
  const { problems } = await compileFiles({ 'a.ts': code });
  expect(problems).toEqual([
    'a.ts:1:37 warning member-left-out',
    'a.ts:1:62 warning member-left-out',
    'a.ts:2:37 error untyped-value',
  ]);
});

test.each(['note Mind.', 'warning Mind.', 'document ./a.md', 'host a', 'disableGroups', 'include ./a.md'])(
  'a tag of other tools is let be: @%s',
  async (tag) => {
    const { problems } = await compileFiles({
      'a.ts': `/** Does it.\n * @tool\n * @${tag} */\nexport function f(): void {}`,
    });
    expect(problems).toEqual([]);
  },
);

test.each([
  ['Int8Array', [1, 200]],
  ['Int8Array', [1, 0.5]],
  ['Float32Array', [1, 1e40]],
  ['BigInt64Array', [1, 0.5]],
  ['BigUint64Array', [1, -1]],
])('%s refuses what it would change, also under a schema of one’s own: %j', (as, numbers) => {
  expect(() => decode(numbers, { kind: 'numbers', as: as as 'Int8Array' })).toThrow(UnfitArguments);
  expect(() => decode(numbers, { kind: 'numbers', as: as as 'Int8Array' })).toThrow(
    `\`[1]\` must be a number that ${as} can hold`,
  );
});

test.each([
  ['export async function* f(): AsyncGenerator<string> { for (;;) yield "x".repeat(100_000); }'],
  ['export function f(): Generator<number> { return (function* () { for (let n = 0; ; n++) yield n; })(); }'],
])('a result without an end is refused while it is collected: %s', async (code) => {
  const whole = `/** @tool */\n${code}\n`;
  const compiled = await compileFiles({ 'a.ts': whole });
  const { binding } = toolNamed('f', compiled);
  await expect(loadFunctions(whole, compiled).callTool(binding, 'f', {})).rejects.toThrow(
    'The result has more than',
  );
});

// Drawn types.

interface Drawn {
  type: string;
  /** A value of the type, and its JSON. */
  value: unknown;
  json: unknown;
}

const leaves: Drawn[] = [
  { type: 'string', value: 'a', json: 'a' },
  { type: 'number', value: 1.5, json: 1.5 },
  { type: 'boolean', value: true, json: true },
  { type: 'Date', value: day, json: text },
  { type: 'bigint', value: 7n, json: 7 },
  { type: "'x'", value: 'x', json: 'x' },
  { type: 'Uint8Array', value: new Uint8Array([1, 2]), json: 'AQI=' },
];

const made: fc.Arbitrary<Drawn> = fc.letrec<{ one: Drawn }>((tie) => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...leaves),
    tie('one').map(({ type, value, json }) => ({ type: `(${type})[]`, value: [value], json: [json] })),
    tie('one').map(({ type, value, json }) => ({
      type: `Record<string, ${type}>`,
      value: { k: value },
      json: { k: json },
    })),
    tie('one').map(({ type, value, json }) => ({
      type: `Map<string, ${type}>`,
      value: new Map([['k', value]]),
      json: { k: json },
    })),
    tie('one').map(({ type, value, json }) => ({
      type: `Set<${type}>`,
      value: new Set([value]),
      json: [json],
    })),
    fc.tuple(tie('one'), tie('one')).map(([a, b]) => ({
      type: `[${a.type}, ${b.type}]`,
      value: [a.value, b.value],
      json: [a.json, b.json],
    })),
    fc.tuple(fc.constantFrom('p', 'q'), tie('one')).map(([name, { type, value, json }]) => ({
      type: `{ ${name}: ${type} }`,
      value: { [name]: value, more: 1 },
      json: { [name]: json },
    })),
  ),
})).one;

test('a value of one of two drawn types is written as that type says', () => {
  const pairs = fc.sample(fc.tuple(made, made), { numRuns: 1_500, seed: 44 });
  const lines = pairs.map(([a, b], at) => `export interface T${at} { it: ${a.type} | ${b.type} }`);
  const program = programOf({ 'a.ts': lines.join('\n') });
  expectCompiled(program);
  const readings = readerOf(program);
  const read = pairs.map((_, at) => readings.read(`T${at}`, { direction: 'output', inline: true }));
  readings.reader.finishReading();
  const { codecs } = readings.reader;
  const wrong = pairs.flatMap(([a, b], at) =>
    [a, b].flatMap(({ type, value, json }) => {
      const { schema, codec } = read[at] ?? { schema: {} };
      const written = JSON.parse(writeJson(toJson({ it: value }, codec, codecs))) as unknown;
      const isRight = JSON.stringify(written) === JSON.stringify({ it: json });
      return isRight && compileSchema(schema)(written).length === 0 ? [] : [[a.type, b.type, type, written]];
    }),
  );
  expect(wrong.slice(0, 5)).toEqual([]);
});
