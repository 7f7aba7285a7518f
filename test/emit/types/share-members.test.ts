/** Long types of arguments that several tools of a large API have are printed once. */
import { expect, test } from 'vitest';
import { nameSharedTypes } from '../../../src/emit/types/share-members.ts';
import { TypePrinter } from '../../../src/emit/types/type-printer.ts';
import type { JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';

const values = Array.from({ length: 30 }, (_, index) => `value number ${index}`);

function print(count: number): { name: string; type: string }[] {
  const printer = new TypePrinter();
  return Array.from({ length: count }, (_, index) => {
    const schema: JsonSchemaObject = {
      type: 'object',
      required: ['fields'],
      properties: {
        id: { type: 'string' },
        fields: { type: 'array', items: { enum: values } },
        [`own${index}`]: { enum: values.map((value) => `${value} of ${index}`) },
      },
      additionalProperties: false,
    };
    return { name: `tool${index}`, type: printer.printArgumentsType(schema) };
  });
}

test('types of less than 1 MB stay as they are', () => {
  const tools = print(3);
  expect(nameSharedTypes(tools)).toEqual({ tools, shared: [] });
});

test('types of more name what several have, and put back they are the same', () => {
  const before = print(1000);
  const { tools, shared } = nameSharedTypes(before);
  expect(shared).toHaveLength(1);
  expect(tools[0]?.type).toMatch(/^ {4}fields: Schemas\['shared [0-9a-f]{8}'\];$/m);
  expect(tools[0]?.type).toMatch(/^ {4}id\?: string;$/m);
  expect(tools[0]?.type).toContain("| 'value number 29 of 0'");
  const [{ name, type } = { name: '', type: '' }] = shared;
  const whole = tools.map((tool) => tool.type.replace(`Schemas['${name}']`, type.replaceAll('\n', '\n  ')));
  expect(whole).toEqual(before.map((tool) => tool.type));
});

test('a tool with the arguments of an earlier one refers to it', () => {
  const large = print(1000);
  const type = large[0]?.type ?? '';
  const { tools } = nameSharedTypes([...large, { name: 'same', type }, { name: 'none', type: '{}' }]);
  expect(tools.at(-2)).toEqual({ name: 'same', type: "Tools['tool0']" });
  expect(tools[0]?.type).toMatch(/^\{/);
  expect(tools.at(-1)).toEqual({ name: 'none', type: '{}' });
});
