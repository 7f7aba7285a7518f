/** An input schema above 16 KiB is listed in part: what the whole accepts, the part accepts. */
import { expect, test } from 'vitest';
import { LARGEST_INPUT, cutInputForListing } from '../../../src/derive/schema/cut-schema.ts';
import type { JsonSchema, ObjectSchema } from '../../../src/util/json-schema.ts';
import { makeSchemaTest } from '../../../src/util/check-values.ts';
import { requireChecked } from '../../../src/util/check-values.ts';
import { makeSample } from '../../../templates/runtime/features/mock/sample.ts';

const text: JsonSchema = { type: 'string' };
const long = 'A description of some length. '.repeat(20);

function members(count: number, make: (index: number) => JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`member${index}`, make(index)]));
}

function object(properties: Record<string, JsonSchema>, more: object = {}): ObjectSchema {
  return { type: 'object', properties, ...more };
}

const small = object({ a: text });
/** Types that refer to each other, as those of large APIs do. */
const web = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => [
    `Type${index}`,
    object({
      id: text,
      ...Object.fromEntries(
        [1, 2, 3, 7].map((step) => [`to${step}`, { $ref: `#/$defs/Type${(index * step + 1) % 300}` }]),
      ),
    }),
  ]),
);

const rows: Record<string, { whole: ObjectSchema; keeps: RegExp; lacks: RegExp }> = {
  'examples go first': {
    whole: object(
      members(20, () => ({ type: 'string', description: 'Kept.', examples: ['x'.repeat(1000)] })),
    ),
    keeps: /Kept\./,
    lacks: /"examples"/,
  },
  'then descriptions below the second level': {
    whole: object({
      top: object(
        { second: object(members(40, () => ({ type: 'string', description: long }))) },
        { description: 'Kept.' },
      ),
    }),
    keeps: /Kept\./,
    lacks: /of some length/,
  },
  'alternatives that are cut are one type each': {
    whole: object({
      first: object(
        members(2, () => ({
          anyOf: [
            object(members(300, () => text)),
            { type: 'array', items: text },
            { type: 'string', enum: [''] },
          ],
        })),
      ),
    }),
    keeps: /"anyOf":\[\{"type":"object"\},\{"type":"array","items":\{\}\}/,
    lacks: /"type":\[/,
  },
  'then enums above 20 values': {
    whole: object(members(5, () => ({ enum: Array.from({ length: 500 }, (_, index) => `value${index}`) }))),
    keeps: /"type":"string".*"value19\\" and 480 more values: describe_tool \{name, path: \\"\/member0\\"\}/,
    lacks: /"enum"/,
  },
  'then depth, optional members first': {
    whole: object({ spec: { $ref: '#/$defs/Type1' } }, { required: ['spec'], $defs: web }),
    keeps: /"type":"object","description":"describe_tool \{name, path: \\"\/spec\/to1.*\\"\}\."/,
    lacks: /"Type200"/,
  },
  'then the largest members': {
    whole: object({
      ...members(3, () => object(members(300, () => text))),
      plain: { type: 'string', description: 'Kept.' },
    }),
    keeps: /Kept\./,
    lacks: /never/,
  },
  'words of other scripts are cut by their bytes, and never within a character': {
    whole: object(members(60, () => ({ type: 'string', description: '説明😀'.repeat(60) }))),
    keeps: /"member10":[^}]*説明… describe_tool \{name, path: \\"\/member10\\"\}\."/,
    lacks: /\\ud[89a-f]|"member\d+":\{"type":"string"\}/,
  },
  'members without words leave the way to them to the top': {
    whole: object(members(300, (at) => ({ type: 'string', description: `Kept: ${String(at)}. ${long}` }))),
    keeps: /"member299":\{"type":"string"\}.*"description":"More of the arguments: describe_tool \{name\}\."/,
    lacks: /Kept/,
  },
  'a list keeps that it is one': {
    whole: object({ all: { type: 'array', items: object(members(900, () => text)) } }),
    keeps:
      /"all":\{"type":"array","items":\{"type":"object","description":"describe_tool \{name, path: \\"\/all\/\*\\"\}\."\}\}/,
    lacks: /member0/,
  },
  'a union becomes any of its alternatives, and nothing is refused by what is left': {
    whole: object({
      one: {
        oneOf: Array.from({ length: 40 }, (_, index) =>
          object(
            members(30, () => text),
            { required: [`member${index % 30}`] },
          ),
        ),
      },
      not: { not: object(members(300, () => text)) },
    }),
    keeps: /"one"/,
    lacks: /"oneOf"|"not":\{"not"/,
  },
  'more arguments than fit are counted': {
    whole: object(
      members(2000, () => text),
      { required: ['member1999'], additionalProperties: false },
    ),
    keeps: /"member1999".*more arguments: describe_tool \{name\}/,
    lacks: /"additionalProperties":false/,
  },
};

for (const [what, { whole, keeps, lacks }] of Object.entries(rows))
  test(what, () => {
    const { schema, isCut } = cutInputForListing(whole);
    const listed = JSON.stringify(schema);
    expect(isCut).toBe(true);
    expect(Buffer.byteLength(listed)).toBeLessThanOrEqual(LARGEST_INPUT);
    expect(listed).toMatch(keeps);
    expect(listed).not.toMatch(lacks);
    const accepts = makeSchemaTest(schema);
    for (const full of [false, true]) {
      const sample = makeSample(whole, { full });
      if (sample !== undefined && makeSchemaTest(whole)(sample)) expect(accepts(sample)).toBe(true);
    }
  });

test('what is cut is no longer than it was, and its pointer is a sentence', () => {
  const values = Array.from({ length: 21 }, (_, index) => String.fromCharCode(97 + index));
  const list = values.map((value) => `* \`${value}\` - ${value.toUpperCase()}`).join('\n');
  const short = `${'word '.repeat(9)}and no end`;
  const { schema } = cutInputForListing(
    object({
      tags: { type: 'array', items: text },
      status: { type: 'string', enum: values, description: `Its status\n\n${list}` },
      short: { type: 'string', description: short },
      long: object({ a: object(members(400, () => text)) }, { description: 'A long one' }),
      ...members(100, () => object(members(8, () => text))),
    }),
  );
  expect(schema.properties).toMatchObject({
    tags: { type: 'array', items: text },
    status: { type: 'string', enum: values, description: 'Its status' },
    short: { description: short },
    long: { type: 'object', description: 'A long one. describe_tool {name, path: "/long"}.' },
  });
});

test('what fits is listed whole', () => {
  expect(cutInputForListing(small)).toEqual({ schema: small, isCut: false });
});

test('a schema with an `$id` stays whole, since references may use it', () => {
  const named = object({ spec: { $ref: '#/$defs/Type1' } }, { $id: 'urn:example:large', $defs: web });
  expect(cutInputForListing(named)).toEqual({ schema: named, isCut: false });
});

test('every reference that is left leads somewhere', () => {
  const { schema } = cutInputForListing(
    object({ a: { $ref: '#/$defs/Type1' }, b: { $ref: '#/$defs/Type2' } }, { $defs: web }),
  );
  expect(() => requireChecked(schema)).not.toThrow();
});
