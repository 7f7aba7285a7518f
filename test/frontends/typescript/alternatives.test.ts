// Which alternative of a union a value is: arguments by the schema that accepts them, results by what they are.
import { expect, test } from 'vitest';
import { decode, UnfitArguments } from '../../../templates/runtime/features/functions/decode.ts';
import { toJson } from '../../../templates/runtime/features/functions/encode.ts';
import { parseJson, writeJson } from '../../../templates/runtime/json-rpc.ts';
import { compileSchema } from '../../runtime/schema/validator.ts';
import { expectCompiled, programOf, readerOf } from './type-program.ts';

const day = new Date('2026-01-31T09:00:00.000Z');
const text = day.toISOString();
const midnight = new Date('2026-01-31T00:00:00.000Z');
const bytes = new Uint8Array([1, 2, 3]);

interface Row {
  type: string;
  /** JSON on the wire, and the value that the function gets. */
  json: unknown;
  value: unknown;
}

const given = (type: string, ...pairs: [json: unknown, value: unknown][]): Row[] =>
  pairs.map(([json, value]) => ({ type, json, value }));

/** These come back as they went: what is revived is written as the same JSON. */
const both: Row[] = [
  ...given(
    '{ since: Date } | { since: number }',
    [{ since: text }, { since: day }],
    [{ since: 5 }, { since: 5 }],
  ),
  ...given(
    'Date[] | number[]',
    [[text], [day]],
    [
      [1, 2],
      [1, 2],
    ],
    [[], []],
  ),
  ...given('Set<number> | string[]', [[1, 2], new Set([1, 2])], [['a'], ['a']]),
  ...given(
    'Map<string, number> | { x: string }',
    [{ a: 1 }, new Map([['a', 1]])],
    [{ x: 'a' }, { x: 'a' }],
    [{ x: 1 }, new Map([['x', 1]])],
  ),
  ...given(
    '[number, Date] | [number]',
    [
      [1, text],
      [1, day],
    ],
    [[1], [1]],
  ),
  ...given("'now' | Date", ['now', 'now'], [text, day]),
  ...given('bigint | Date | boolean', [5, 5n], [text, day], [true, true]),
  ...given('{ at?: Date } | { at?: number }', [{ at: text }, { at: day }], [{ at: 1 }, { at: 1 }], [{}, {}]),
  ...given(
    "{ k: 'a' | 'b'; v: Date } | { k: 'b' | 'c'; v: number }",
    [
      { k: 'a', v: text },
      { k: 'a', v: day },
    ],
    [
      { k: 'b', v: 1 },
      { k: 'b', v: 1 },
    ],
    [
      { k: 'b', v: text },
      { k: 'b', v: day },
    ],
  ),
  ...given(
    '{ a: Date } | { b: Date }',
    [{ a: text }, { a: day }],
    [{ b: text }, { b: day }],
    [
      { a: text, b: text },
      { a: day, b: day },
    ],
  ),
  ...given(
    'Inner | { n: bigint; m: string }',
    [
      { n: 1, m: 'a' },
      { n: 1n, m: 'a' },
    ],
    [{ n: text }, { n: day }],
  ),
  ...given('Pearls', [
    { next: { next: null, b: text }, a: text },
    { next: { next: null, b: day }, a: day },
  ]),
  ...given(
    '{ p?: never; a: Date } | { p: number; a: string }',
    [{ a: text }, { a: day }],
    [
      { p: 1, a: text },
      { p: 1, a: text },
    ],
  ),
];

/** Alternatives that no JSON distinguishes: the choice that docs/types.md names. */
const chosen: Row[] = [
  ...given(
    '{ at: string } | { at: Date; b: number }',
    [
      { at: text, b: 1 },
      { at: day, b: 1 },
    ],
    [{ at: text }, { at: text }],
  ),
  ...given('Date | string', [text, text]),
  ...given('Set<string> | string[]', [['a'], ['a']]),
  ...given('{ at: Date; b: Date } | { at: string; c: Date }', [
    { at: text, b: text, c: text },
    { at: day, b: day, c: day },
  ]),
  ...given('Record<string, Date> | { x: string }', [{ x: text }, { x: text }]),
  ...given('{ x?: string } | Map<string, boolean>', [{}, {}]),
  ...given('Uint8Array | Date', ['AQID', bytes]),
  ...given("{ k: 'a'; at: Date } | { k: string; at: string }", [
    { k: 'a', at: text },
    { k: 'a', at: text },
  ]),
];

class Point {
  readonly #secret = 1;
  x = 2;
  get y(): number {
    return this.#secret;
  }
}

/** Results: the returned value, and the JSON that is written. */
const results: Row[] = [
  ...given(
    'Map<Date, string> | { x: string }',
    [[[text, 'a']], new Map([[day, 'a']])],
    [{ x: 'a' }, { x: 'a' }],
  ),
  ...given('Day | number', ['2026-01-31', midnight]),
  ...given(
    'Iterable<User> | { error: string }',
    [[{ id: 1 }], new Set([{ id: 1, hash: 'x' }])],
    [[{ id: 1 }], [{ id: 1, hash: 'x' }]],
  ),
  ...given('{ v: Date; a: string } | { v: string; b?: string }', [
    { v: 'x', b: 'b' },
    { v: 'x', a: undefined, b: 'b' },
  ]),
  ...given('[{ a?: 1 }, 2] | { b?: 1 }[] | Date[]', [[{ b: 1 }], [{ b: 1 }]]),
  ...given(
    '{ of: Own } | { of: Date }',
    [{ of: { own: text } }, { of: { toJSON: () => ({ own: day }) } }],
    [{ of: text }, { of: day }],
  ),
  ...given('Shown | { z: Date }', [{ x: 2, y: 1 }, new Point()], [{ z: text }, { z: day }]),
];

const declarations = `
interface Dated { n: Date }
interface Counted { n: number }
type Inner = Dated | Counted;
type Pearls = { next: Pearls | null; a: Date } | { next: Pearls | null; b: Date };
/** @format date */
type Day = Date;
interface User { id: number }
interface Own { toJSON(): { own: Date } }
export class Shown { private secret = 1; x = 2; get y() { return this.secret; } }
`;

const types = [...new Set([...both, ...chosen, ...results].map(({ type }) => type))];
const program = programOf({
  'a.ts': `${declarations}${types.map((type, index) => `export type T${index} = ${type};\n`).join('')}`,
});
expectCompiled(program);
const readings = readerOf(program);
const forms = new Map(
  (['input', 'output'] as const).flatMap((direction) =>
    types
      .map((type, index) => [type, index] as const)
      .filter(([type]) => direction === 'output' || !results.some((row) => row.type === type))
      .map(([type, index]) => [`${direction} ${type}`, readings.read(`T${index}`, { direction })]),
  ),
);
const { schemas, codecs } = readings.reader;

function formOf(direction: 'input' | 'output', type: string) {
  const form = forms.get(`${direction} ${type}`);
  if (form === undefined) throw new Error(`${type} was not read`);
  // As a project carries it.
  const { schema, codec } = JSON.parse(JSON.stringify(form)) as typeof form;
  return { accepts: compileSchema({ ...schema, $defs: schemas }), codec };
}

const titled = (rows: readonly Row[]) =>
  rows.map((row) => ({ ...row, name: `${row.type} of ${JSON.stringify(row.json)}` }));

test.each(titled([...both, ...chosen]))('an argument: $name', ({ type, json, value }) => {
  const { accepts, codec } = formOf('input', type);
  const arrived = parseJson(writeJson(json));
  expect(accepts(arrived)).toEqual([]);
  expect(decode(arrived, codec, codecs)).toStrictEqual(value);
  expect(arrived).toEqual(json);
});

test.each(titled([...both, ...results]))('a result: $name', ({ type, json, value }) => {
  const { accepts, codec } = formOf('output', type);
  const written = JSON.parse(writeJson(toJson(value, codec, codecs))) as unknown;
  expect(written).toEqual(json);
  expect(accepts(written)).toEqual([]);
});

test('text that none of the alternatives takes is refused', () => {
  const { codec } = formOf('input', '{ since: Date } | { since: number }');
  expect(() => decode({ since: 'soon' }, codec, codecs)).toThrow(UnfitArguments);
});

test('what is of several alternatives at every level is looked at once by each', () => {
  const { codec } = formOf('input', 'Pearls');
  const chain = (end: unknown, at: unknown): unknown => {
    let value = end;
    // Deeper ones are refused by the check of the arguments.
    for (let level = 0; level < 12; level += 1) value = { next: value, a: at, b: at };
    return value;
  };
  const given = chain(null, text);
  const revived = decode(given, codec, codecs);
  expect(revived).toEqual(chain(null, day));
  expect(toJson(revived, formOf('output', 'Pearls').codec, codecs)).toEqual(given);
  const refused = { next: null, a: 'soon', b: 'soon' };
  expect(() => decode(chain(refused, text), codec, codecs)).toThrow(UnfitArguments);
});

test('a result that contains itself is refused as such, also by way of alternatives', () => {
  const value: Record<string, unknown> = { a: day, b: day };
  value['next'] = value;
  const { codec } = formOf('output', 'Pearls');
  expect(() => toJson(value, codec, codecs)).toThrow('contains itself');
});
