/** Patterns end: work is counted, so no row hangs whatever the machine. The fuzz target `patterns` compares with the engine. */
import { expect, test } from 'vitest';
import { classifyPattern } from '../../src/util/classify-pattern.ts';
import { patterns } from '../../templates/runtime/features/patterns/index.ts';
import type { Schema } from '../../templates/runtime/types.ts';
import { compileSchema, type Extensions, type PatternTest } from '../../templates/runtime/validate.ts';

const makeTest = patterns().parts?.['patterns']?.['linear'] as (source: string) => PatternTest | undefined;
const compile = (schema: object) => compileSchema(schema as Schema, { makeTest } as Extensions);

test.each([
  ['^(a+)+$', 'a'.repeat(5_000) + '!'],
  ['^(.*a){25}$', 'a'.repeat(4_000)],
  ['^(a?){30}a{30}b$', 'a'.repeat(5_000)],
  ['^(\\w+\\s?)*$', 'word '.repeat(1_000) + '!'],
  ['^(?=(a+)+$).*$', 'a'.repeat(5_000) + '!'],
  ['(?<=(a+)+b)c', 'a'.repeat(5_000)],
  ['a+b', 'a'.repeat(50_000)],
])('%s is matched without backtracking', (pattern, text) => {
  expect(classifyPattern(pattern)).toBe('guarded');
  const shorter = pattern === '^(.*a){25}$' ? text.slice(0, 24) : text;
  const [misfit] = compile({ pattern })(shorter);
  expect(misfit?.message).toMatch(/must match the pattern|too large/);
});

test.each(['(a)\\1+$', '^(?:(a)|b)*\\1$'])('%s is never run', (pattern) => {
  expect(classifyPattern(pattern)).toBe('unsafe');
});

test('names of members are matched so, too', () => {
  const check = compile({
    patternProperties: { '^(a+)+$': { type: 'integer' } },
    additionalProperties: false,
  });
  expect(check({ aaa: 1 })).toEqual([]);
  expect(check({ aaa: 'x' })).toMatchObject([{ path: ['aaa'] }]);
  expect(check({ [`${'a'.repeat(5_000)}!`]: 1 })).toHaveLength(1);
});

test('the work of a check has an end', () => {
  const check = compile({ items: { pattern: '^(?:[ab]*[bc]*)*d$' } });
  expect(check(Array(3_000).fill(`${'ab'.repeat(1_000)}d`))).toMatchObject([
    { message: expect.stringMatching(/too large/) as string },
  ]);
});
