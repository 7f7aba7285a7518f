// Types made at random, up to three levels, and values of them: our validator, Ajv and the type agree.
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { reachedDefinitions } from '../../../src/model/schema-walk.ts';
import { decode } from '../../../templates/runtime/features/functions/decode.ts';
import { compileSchema } from '../../runtime/schema/validator.ts';
import { programOf, readerOf } from './type-program.ts';

/** A written type, values that fit it and values that do not. */
interface Made {
  text: string;
  fits: unknown[];
  misfits: unknown[];
}

const leaves: Made[] = [
  { text: 'string', fits: ['', 'a'], misfits: [1, null, {}, []] },
  { text: 'number', fits: [0, -1.5], misfits: ['1x', null, {}, []] },
  { text: 'boolean', fits: [true, false], misfits: [1, 'yes', null] },
  { text: 'null', fits: [null], misfits: [1, 'a', {}] },
  { text: "'a' | 'b'", fits: ['a', 'b'], misfits: ['c', 1, null] },
  { text: '1 | 2', fits: [1, 2], misfits: [3, 'a', null] },
  { text: '`x-${number}`', fits: ['x-1'], misfits: ['x', 'y-1', 1] },
  { text: 'object', fits: [{}, []], misfits: [1, 'a', null] },
];

type Maker = (parts: [Made, Made]) => Made;

const first = ({ fits: [one] }: Made): unknown => one;

const makers: Maker[] = [
  ([a]) => ({
    text: `(${a.text})[]`,
    fits: [[], a.fits],
    misfits: [1, null, ...a.misfits.map((each) => [each])],
  }),
  ([a]) => ({
    text: `Record<string, ${a.text}>`,
    fits: [{}, { k: first(a) }],
    misfits: ['a', [], ...a.misfits.map((k) => ({ k }))],
  }),
  ([a, b]) => ({
    text: `{ a: ${a.text}; b?: ${b.text} }`,
    fits: [...a.fits.map((each) => ({ a: each })), { a: first(a), b: first(b) }],
    misfits: [
      {},
      [],
      ...a.misfits.map((each) => ({ a: each })),
      ...b.misfits.map((each) => ({ a: first(a), b: each })),
    ],
  }),
  ([a, b]) => ({
    text: `[${a.text}, ${b.text}]`,
    fits: a.fits.map((each) => [each, first(b)]),
    misfits: [
      [],
      [first(a)],
      ...a.misfits.map((each) => [each, first(b)]),
      ...b.misfits.map((each) => [first(a), each]),
    ],
  }),
  ([a]) => ({
    text: `Page<${a.text}>`,
    fits: [{ items: a.fits }],
    misfits: [{}, ...a.misfits.map((each) => ({ items: [each] }))],
  }),
  ([a]) => ({
    text: `Partial<{ p: ${a.text} }>`,
    fits: [{}, { p: first(a) }],
    misfits: [1, ...a.misfits.map((p) => ({ p }))],
  }),
  ([a]) => ({
    text: `{ [K in 'm' | 'n']: ${a.text} }`,
    fits: [{ m: first(a), n: first(a) }],
    misfits: [{ m: first(a) }, ...a.misfits.map((m) => ({ m, n: first(a) }))],
  }),
];

const leaf = fc.constantFrom(...leaves);

function made(depth: number): fc.Arbitrary<Made> {
  if (depth === 0) return leaf;
  const inner = made(depth - 1);
  const whole = fc.tuple(fc.constantFrom(...makers), inner, inner).map(([make, a, b]) => make([a, b]));
  return fc.oneof({ arbitrary: leaf, weight: 1 }, { arbitrary: whole, weight: 4 });
}

const TYPES = 1_900;

const prelude = 'interface Page<X> { items: X[] }\n';

test('at least 20,000 values of types up to three levels', () => {
  const types = fc.sample(made(3), { numRuns: TYPES, seed: 24 });
  const text = types.map((each, at) => `export interface T${at} { it: ${each.text} }`).join('\n');
  const readings = readerOf(programOf({ 'a.ts': `${prelude}${text}\n` }));
  const read = types.map((_, at) => readings.read(`T${at}`, { inline: true }));
  readings.reader.finishReading();
  expect(readings.problems()).toEqual([]);
  const { schemas, codecs } = readings.reader;
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  const wrong: unknown[] = [];
  let values = 0;
  for (const [at, { schema, codec }] of read.entries()) {
    const whole = { ...schema, $defs: reachedDefinitions(schema, schemas) };
    const ours = compileSchema(whole);
    const theirs = ajv.compile(whole as AnySchema);
    const { fits = [], misfits = [], text: written = '' } = types[at] ?? {};
    for (const [list, isFit] of [
      [fits, true],
      [misfits, false],
    ] as const) {
      for (const value of list) {
        values += 1;
        const given = { it: value };
        const verdict = ours(given).length === 0;
        if (verdict !== isFit || theirs(given) !== isFit) wrong.push([written, value, isFit]);
        if (isFit) expect(decode(structuredClone(given), codec, codecs as never)).toEqual(given);
      }
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(values).toBeGreaterThanOrEqual(20_000);
});
