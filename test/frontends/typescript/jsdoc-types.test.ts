// JavaScript whose types are JSDoc: what its tags say of parameters and members, and which overload is the tool.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

interface Row {
  title: string;
  given: string;
  want: { properties: unknown; required?: string[] };
}

const text = { type: 'string' };
const number = { type: 'number' };

const rows: Row[] = [
  {
    title: '@callback',
    given: `
/**
 * @callback Adder
 * @param {number} a The first.
 * @param {number} [b=2] The second.
 * @param {...number} rest Others.
 * @returns {number}
 */
/** @tool f @type {Adder} */
export const f = (a, b = 2) => a + b;`,
    want: {
      properties: {
        a: { ...number, description: 'The first.' },
        b: { ...number, description: 'The second.' },
        rest: { type: 'array', items: number, description: 'Others.' },
      },
      required: ['a'],
    },
  },
  {
    title: '@overload: the first, where the tags stand before the function',
    given: `
/**
 * @overload
 * @param {string} a The text.
 * @param {number} [b] How often.
 * @returns {string}
 */
/**
 * @overload
 * @param {number} a The number.
 * @returns {number}
 */
/**
 * @tool f
 * @param {string | number} a Either.
 * @param {number} [b]
 * @returns {string | number}
 */
export function f(a, b) { return b === undefined ? a : b; }`,
    want: {
      properties: { a: { ...text, description: 'The text.' }, b: { ...number, description: 'How often.' } },
      required: ['a'],
    },
  },
  {
    title: '@param of members',
    given: `
/**
 * @tool f
 * @param {Object} opts Options.
 * @param {string} opts.city Its city.
 * @param {number} [opts.n=5] How many.
 * @param {string} [opts.unit='C']
 * @param {number[]} [opts.days=[1, 2]] Which.
 * @param {string} [opts.folder=process.cwd()] Where.
 */
export function f(opts) { void opts; }`,
    want: {
      properties: {
        city: { ...text, description: 'Its city.' },
        n: { ...number, description: 'How many.' },
        unit: text,
        days: { type: 'array', items: number, description: 'Which.' },
        folder: { ...text, description: 'Where.' },
      },
      required: ['city'],
    },
  },
  {
    title: '@typedef',
    given: `
/**
 * Which days.
 * @typedef {Object} Days
 * @property {number} [n=3] How many.
 * @property {Object} [of] Of what.
 * @property {string} of.name Its name.
 */
/** @tool f @param {Days[]} days */
export function f(days) { void days; }`,
    want: { properties: { days: { type: 'array', items: { $ref: '#/$defs/Days' } } }, required: ['days'] },
  },
];

test.each(rows)('$title', async ({ given, want }) => {
  const compiled = await compileFiles({ 'a.js': given }, ['a.js']);
  expect(compiled.messages).toEqual([]);
  const { properties, required } = toolNamed('f', compiled).inputSchema;
  expect({ properties, ...(required === undefined ? {} : { required }) }).toEqual(want);
});

test.each([
  { tagged: 0, want: { description: 'One.', a: text } },
  { tagged: 1, want: { description: 'Two.', a: number } },
  { tagged: 2, want: { description: 'All.', a: text } },
])('of overloads the tagged one is the tool: $tagged', async ({ tagged, want }) => {
  const tag = (at: number): string => (at === tagged ? ' @tool f' : '');
  const given = [
    `/** One.${tag(0)} */ export function f(a: string): string;`,
    `/** Two.${tag(1)} */ export function f(a: number): number;`,
    `/** All.${tag(2)} */ export function f(a: string | number): string | number { return a; }`,
  ].join('\n');
  const { description, inputSchema } = toolNamed('f', await compileFiles({ 'a.ts': given }));
  expect({ description, a: inputSchema.properties?.['a'] }).toEqual(want);
});
