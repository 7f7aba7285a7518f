// The parameters of functions that are wrapped, bound, or typed by a tuple.
import { afterEach, expect, test, vi } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';
import { loadFunctions, THE_CONTEXT } from './run-functions.ts';

interface Row {
  /** The declaration that is tagged, of `f`. */
  given: string;
  /** Default `@tool`. */
  tags?: string;
  /** The input schema, but for `type` and `additionalProperties`. */
  input: object;
  args?: Record<string, unknown>;
  /** Arguments of the wrapped function. */
  want?: unknown[];
  /** Names of diagnostics. */
  told?: string[];
}

const declarations = `
import type { Context } from 'mcpgen/runtime';
declare global { var seen: (given: unknown[]) => void }
function wrap<A extends unknown[], R>(inner: (...args: A) => R): (...args: A) => R {
  return (...args: A): R => inner(...args);
}
/** @param city Of the forecast. */
function base(city: string, days = 3): void { globalThis.seen([city, days]); }
type Named = [city: string, days?: number];
interface Query { city: string; /** How many. */ days?: number }
`;
const seen = 'globalThis.seen(args)';

const said: Row[] = [
  {
    // Before the constant.
    given: `export const f = wrap((at: Date, n?: number): void => { globalThis.seen([at, n]); })`,
    tags: '@tool\n@param at When. @format date\n@param [n=2] How often. @minimum 1',
    input: {
      properties: {
        at: { type: 'string', format: 'date', description: 'When.' },
        n: { type: 'number', description: 'How often.', minimum: 1 },
      },
      required: ['at'],
    },
    args: { at: '2026-01-31' },
    want: [new Date('2026-01-31'), undefined],
  },
  {
    given: `export const f = (größe: number): void => { globalThis.seen([größe]); }`,
    tags: '@tool\n@param größe In cm. @minimum 1',
    input: {
      properties: { grosse: { type: 'number', description: 'In cm.', minimum: 1 } },
      required: ['grosse'],
    },
  },
];

const rows: Row[] = [
  {
    given: `export const f = wrap((x: string, c: Context, y?: number): void => { globalThis.seen([x, c, y]); })`,
    input: { properties: { x: { type: 'string' }, y: { type: 'number' } }, required: ['x'] },
    args: { x: 'a' },
    want: ['a', THE_CONTEXT, undefined],
  },
  {
    given: `export function f(...args: Parameters<typeof base>): void { ${seen} }`,
    input: {
      properties: {
        city: { type: 'string', description: 'Of the forecast.' },
        days: { type: 'number', default: 3 },
      },
      required: ['city'],
    },
    args: { city: 'Bern' },
    want: ['Bern'],
  },
  {
    given: 'export const f = base.bind(null, "Bern")',
    input: { properties: { days: { type: 'number', default: 3 } } },
    args: { days: 5 },
    want: ['Bern', 5],
  },
  {
    given: `export function f(...args: [/** Town. @minLength 1 */ city: string, days?: number]): void { ${seen} }`,
    input: {
      properties: {
        city: { type: 'string', description: 'Town.', minLength: 1 },
        days: { type: 'number' },
      },
      required: ['city'],
    },
    args: { city: 'Bern', days: 2 },
    want: ['Bern', 2],
  },
  {
    given: `export const f = wrap((at: Date, /** Lines. @minItems 1 */ ...lines: bigint[]): void => { globalThis.seen([at, ...lines]); })`,
    input: {
      properties: {
        at: { type: 'string', format: 'date-time' },
        lines: {
          type: 'array',
          items: { type: 'integer' },
          description: 'Lines.',
          minItems: 1,
        },
      },
      required: ['at'],
    },
    args: { at: '2026-01-31T09:00:00.000Z', lines: [1, 2] },
    want: [new Date('2026-01-31T09:00:00.000Z'), 1n, 2n],
  },
  {
    given: `export function f(...args: [string, number?]): void { ${seen} }`,
    input: {
      properties: { args_0: { type: 'string' }, args_1: { type: 'number' } },
      required: ['args_0'],
    },
    args: { args_0: 'a' },
    want: ['a'],
  },
  {
    given: `export function f(...args: number[]): void { ${seen} }`,
    input: { properties: { args: { type: 'array', items: { type: 'number' } } } },
    args: { args: [1, 2] },
    want: [1, 2],
  },
  {
    // By name, nothing can follow a list of any length.
    given: `export function f(...args: [...string[], number]): void { ${seen} }`,
    input: {
      properties: {
        args: {
          type: 'array',
          items: { type: ['string', 'number'] },
          minItems: 1,
        },
      },
      required: ['args'],
    },
  },
];

afterEach(() => vi.unstubAllGlobals());

test.each([...rows, ...said])('$given', async ({ given, tags = '@tool', input, args, want, told = [] }) => {
  const text = `${declarations}/**\n${tags}\n*/\n${given};\n`;
  const compiled = await compileFiles({ 'a.ts': text });
  const messages = compiled.messages.filter((each) => !each.includes('name-cleaned'));
  expect(messages).toEqual(told.map((name) => expect.stringContaining(name) as unknown));
  const { inputSchema, binding } = toolNamed('f', compiled);
  expect(inputSchema).toEqual({ type: 'object', additionalProperties: false, ...input });
  if (args === undefined || binding.kind !== 'function') return;
  let received: unknown[] = [];
  vi.stubGlobal('seen', (each: unknown[]) => (received = each));
  await loadFunctions(text, compiled).callTool(binding, 'f', args);
  expect(received).toEqual(want);
});
