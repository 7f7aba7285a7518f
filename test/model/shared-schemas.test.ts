// A printed model has named schemas once, and is read as if each input had its own.
import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../src/util/json-schema.ts';
import { diffSurfaces } from '../../src/diff/surface-diff.ts';
import { makeSurface } from '../../src/diff/surface.ts';
import { restoreSharedSchemas, shareRepeatedSchemas } from '../../src/model/shared-schemas.ts';
import type { ServerModel } from '../../src/model/server-model.ts';
import { wholeModel } from './support.ts';

/** Named schemas of 5 MB in each of `count` tools. */
function largeModel(count: number, Name: JsonSchema = { type: 'string' }): ServerModel {
  const model = wholeModel();
  const [tool] = model.tools;
  if (tool === undefined) throw new Error('The model has no tool.');
  const Large: JsonSchema = {
    type: 'object',
    description: 'x'.repeat(5e6),
    properties: { name: { $ref: '#/$defs/Name' } },
  };
  const tools = Array.from({ length: count }, (_, index) => ({
    ...tool,
    name: `tool${index}`,
    inputSchema: {
      ...tool.inputSchema,
      properties: { ...tool.inputSchema.properties, large: { $ref: '#/$defs/Large' } },
      $defs: { Large, Name: index === 0 ? Name : ({ type: 'string' } as const) },
    },
  }));
  return { ...model, tools, resources: [], resourceTemplates: [], completions: [] };
}

test('a model of ordinary size has each schema in its place', () => {
  for (const model of [wholeModel(), largeModel(3)]) expect(shareRepeatedSchemas(model)).toBe(model);
});

test('a large one has it once, by the committed schema, and loses nothing', () => {
  const model = largeModel(20, { type: 'integer' });
  const text = JSON.stringify(shareRepeatedSchemas(model));
  expect(text.length).toBeLessThan(6e6);
  const printed = JSON.parse(text) as ServerModel;
  const schema = JSON.parse(
    readFileSync(new URL('../../schema/server-model.json', import.meta.url), 'utf8'),
  ) as AnySchemaObject;
  const validate = new Ajv2020({ strict: false }).compile(schema);
  expect(validate(printed), JSON.stringify(validate.errors)).toBe(true);
  expect(restoreSharedSchemas(printed)).toEqual(model);
});

test('diff compares it by what the inputs refer to', () => {
  const printed = shareRepeatedSchemas(largeModel(20));
  expect(diffSurfaces(makeSurface(largeModel(20)), makeSurface(printed))).toMatchObject({
    changes: [],
  });
  const other = makeSurface(shareRepeatedSchemas(largeModel(20, { type: 'integer' })));
  expect(JSON.stringify(diffSurfaces(makeSurface(printed), other))).toContain('tool0');
});
