import { expect, test } from 'vitest';
import { printPropertyKey } from '../../../src/emit/print-literals.ts';
import { TypePrinter } from '../../../src/emit/types/type-printer.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../src/util/json-schema.ts';
import { typeErrors } from '../../docs/type-errors.ts';
import { hostileText } from '../models.ts';

const values = Array.from({ length: 12 }, (_, index) => `value-${String(index)}`);
const point: JsonSchemaObject = {
  type: 'object',
  properties: { x: { type: 'number' } },
  required: ['x'],
};
const text = { type: 'string' } as const;

/** Of one argument `it`, required. */
function typeOf(schema: JsonSchema, $defs: Record<string, JsonSchema> = {}): string {
  const printer = new TypePrinter();
  const printed = printer.printArgumentsType({
    type: 'object',
    properties: { it: schema },
    required: ['it'],
    $defs,
  });
  return printed.slice('{\n    it: '.length, -';\n  }'.length);
}

test.each<[string, JsonSchemaObject, string]>([
  ['a string', text, 'string'],
  ['an integer', { type: 'integer' }, 'number'],
  ['several types', { type: ['string', 'null'] }, 'string | null'],
  ['numbers named once', { type: ['integer', 'number'] }, 'number'],
  ['what no value fits', { not: {} }, 'never'],
  ['a choice that no value fits', { anyOf: [text, { not: {} }] }, 'string'],
  ['an argument that must be left out', { properties: { a: false } }, '{\n      a?: never;\n    }'],
  ['choices', { enum: ['a', "it's", 1, null] }, "'a' | \"it's\" | 1 | null"],
  ['an object among choices', { type: 'object', enum: [{ a: 1 }] }, 'Record<string, unknown>'],
  ['more choices than a line takes', { enum: values }, values.map((one) => `'${one}'`).join('\n      | ')],
  ['a list', { type: 'array', items: text }, 'string[]'],
  ['a list of choices', { type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
  ['a list or nothing', { type: ['array', 'null'], items: text }, 'string[] | null'],
  ['a tuple', { type: 'array', prefixItems: [text] }, 'unknown[]'],
  ['an object', point, '{\n      x: number;\n    }'],
  ['an object without its type', { properties: { a: text } }, '{\n      a?: string;\n    }'],
  [
    'an object in an object',
    { type: 'object', properties: { p: point, 'a-b': text } },
    "{\n      p?: {\n        x: number;\n      };\n      'a-b'?: string;\n    }",
  ],
  ['an object of any members', { type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
  ['an object of no members', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
  ['a map', { type: 'object', additionalProperties: text }, '{ [name: string]: string }'],
  [
    'members by pattern',
    { type: 'object', patternProperties: { a: text }, additionalProperties: false },
    'Record<string, unknown>',
  ],
  [
    'a map with a member of its own',
    { ...point, additionalProperties: text },
    '{\n      x: number;\n      [name: string]: unknown;\n    }',
  ],
  ['one of several', { oneOf: [text, { type: 'array', items: text }] }, 'string | string[]'],
  ['any of several', { anyOf: [point, { type: 'null' }] }, '{\n      x: number;\n    } | null'],
  ['one that may be anything', { oneOf: [text, {}] }, 'unknown'],
  ['what differs in its bounds alone', { type: 'string', anyOf: [{ minLength: 2 }, {}] }, 'string'],
  ['all of several', { allOf: [point, { minProperties: 1 }] }, '{\n      x: number;\n    }'],
  [
    'members beside all of several',
    { type: 'object', allOf: [{ oneOf: [text, point] }], properties: { y: text } },
    '{\n      y?: string;\n    } & (string | {\n      x: number;\n    })',
  ],
  [
    'a union of intersections',
    { oneOf: [{ allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] }, text] },
    "(Schemas['A'] & Schemas['B']) | string",
  ],
  ['a reference', { $ref: '#/$defs/A' }, "Schemas['A']"],
  ['an escaped reference', { $ref: '#/$defs/a~1b' }, "Schemas['a/b']"],
  ['a dangling reference', { $ref: '#/$defs/constructor' }, 'unknown'],
  ['a reference to elsewhere', { $ref: '#/$defs/A/items' }, 'unknown'],
])('%s', (_, schema, want) => {
  expect(typeOf(schema, { A: point, B: text, 'a/b': text })).toBe(want);
});

test('a schema that arguments share is printed once, with what it needs', () => {
  const $defs: Record<string, JsonSchema> = {
    Pet: { type: 'object', properties: { owner: { $ref: '#/$defs/Owner' } } },
    Owner: point,
  };
  const printer = new TypePrinter();
  const pet = { $ref: '#/$defs/Pet' };
  expect(printer.printArgumentsType({ type: 'object', properties: { pet, 'other.pet': pet }, $defs })).toBe(
    "{\n    pet?: Schemas['Pet'];\n    'other.pet'?: Schemas['Pet'];\n  }",
  );
  printer.printArgumentsType({ type: 'object', properties: { pet }, $defs });
  expect(printer.printSchemaTypes().map(({ name, type }) => [name, type])).toEqual([
    ['Pet', "{\n    owner?: Schemas['Owner'];\n  }"],
    ['Owner', '{\n    x: number;\n  }'],
  ]);
});

/** Both interfaces, of a tool whose one argument `it` names `It`, with a value that fits and one that does not. */
function program([, $defs, good, bad]: Case, index: number): string {
  const printer = new TypePrinter();
  const properties = { it: { $ref: '#/$defs/It' } };
  const tool = printer.printArgumentsType({ type: 'object', properties, required: ['it'], $defs });
  const schemas = printer
    .printSchemaTypes()
    .map(({ name, type }) => `  ${printPropertyKey(name)}: ${type};\n`);
  return `namespace Case${index} {
interface Tools { tool: ${tool}; }
interface Schemas {\n${schemas.join('')}}
export const good: Tools['tool']['it'] = ${good};
// @ts-expect-error
export const bad: Tools['tool']['it'] = ${bad};
}
`;
}

type Case = [what: string, $defs: Record<string, JsonSchema>, good: string, bad: string];

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

const cases: Case[] = [
  [
    'a tree',
    {
      It: {
        type: 'object',
        properties: { name: text, kids: { type: 'array', items: ref('It') } },
        required: ['name'],
      },
    },
    "{ name: 'a', kids: [{ name: 'b', kids: [] }] }",
    "{ name: 'a', kids: [{ kids: [] }] }",
  ],
  [
    'a base that knows what extends it',
    {
      It: { oneOf: [ref('Cat'), ref('Dog')] },
      Cat: {
        allOf: [
          ref('It'),
          { type: 'object', properties: { lives: { type: 'integer' } }, required: ['lives'] },
        ],
      },
      Dog: { type: 'object', properties: { barks: { type: 'boolean' } }, required: ['barks'] },
    },
    '{ lives: 9 }',
    '{}',
  ],
  ['a list of itself', { It: { type: ['array', 'string'], items: ref('It') } }, "['a', ['b']]", '1'],
  [
    'names that mean something in code',
    { It: { type: 'object', properties: { [hostileText]: text, __proto__x: ref('Tools') } }, Tools: text },
    "{ __proto__x: 'a' }",
    '{ __proto__x: 1 }',
  ],
  [
    'a base of its own name that is closed',
    { It: { ...point, additionalProperties: false, allOf: [{ type: 'object' }] } },
    '{ x: 1 }',
    '{ y: 1 }',
  ],
  [
    'what names itself at once, which is anything',
    {
      It: { type: 'object', properties: { x: ref('One') } },
      One: { anyOf: [ref('Other'), text] },
      Other: ref('One'),
    },
    '{ x: 1 }',
    '1',
  ],
];

test('TypeScript takes the types of what leads back to itself, and refuses what does not fit', () => {
  expect(typeErrors(cases.map(program).join(''))).toEqual([]);
});

test('schemas that stand in one another without end are followed so far and no further', () => {
  let deep: JsonSchema = text;
  for (let level = 0; level < 10_000; level += 1) deep = { type: 'array', items: deep };
  expect(typeOf(deep)).toMatch(/^unknown(\[\])+$/);
  const chain = Array.from({ length: 10_000 }, (_, index): [string, JsonSchema] => [
    `C${index}`,
    ref(`C${index + 1}`),
  ]);
  const printer = new TypePrinter();
  printer.printArgumentsType({
    type: 'object',
    properties: { it: ref('C0') },
    $defs: Object.fromEntries(chain),
  });
  expect(printer.printSchemaTypes()[0]).toMatchObject({ name: 'C0', type: "Schemas['C1']" });
});
