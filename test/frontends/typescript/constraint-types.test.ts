// Constraints that are types hold wherever the type arrives.
import { describe, expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

const head = `import type { ${'Format, Integer, MaxItems, MaxLength, Maximum, MinItems, MinLength, Minimum, MultipleOf, ExclusiveMaximum, ExclusiveMinimum, Pattern, UniqueItems'} } from 'mcpgen/runtime';
/** A port. */ type Port = number & Minimum<1> & Maximum<9>;
interface Page<X> { items: X[] }
`;

describe('constraint types', () => {
  test.each<[string, object]>([
    ['number & Minimum<0>', { type: 'number', minimum: 0 }],
    ['number & ExclusiveMinimum<0> & ExclusiveMaximum<1>', { exclusiveMinimum: 0, exclusiveMaximum: 1 }],
    ['bigint & Minimum<-5n>', { type: 'integer', minimum: -5 }],
    ['number & Integer', { type: 'number', multipleOf: 1 }],
    ['number & MultipleOf<0.5>', { multipleOf: 0.5 }],
    ['string & MinLength<1> & MaxLength<3>', { type: 'string', minLength: 1, maxLength: 3 }],
    ["string & Pattern<'^/a/$'>", { type: 'string', pattern: '^/a/$' }],
    ["string & Format<'email'>", { type: 'string', format: 'email' }],
    [
      'string[] & MinItems<1> & MaxItems<2> & UniqueItems',
      { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true },
    ],
    ['(number & Minimum<0>) | null', { type: ['number', 'null'], minimum: 0 }],
    ['Record<string, string & MinLength<1>>', { additionalProperties: { type: 'string', minLength: 1 } }],
    ['[string & MinLength<1>]', { prefixItems: [{ type: 'string', minLength: 1 }] }],
  ])('%s', async (type, want) => {
    const text = `${head}/** Takes it. @tool take */ export function take(value: ${type}, other: string): void { void [value, other]; }`;
    const compiled = await compileFiles({ 'a.ts': text });
    expect(compiled.messages).toEqual([]);
    expect(toolNamed('take', compiled).inputSchema.properties?.['value']).toMatchObject(want);
  });

  test('a wrong use is reported where the type is written', async () => {
    const text = `${head}/** Takes it. @tool take */ export function take(value: string & Minimum<1>): void { void value; }`;
    const { problems } = await compileFiles({ 'a.ts': text });
    expect(problems).toEqual(['a.ts:4:50 warning idle-tag']);
  });
});
