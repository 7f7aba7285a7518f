/** Another reader of the same files, as an oracle: what a reference stands for must be the same. */
import SwaggerParser from '@apidevtools/swagger-parser';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import { firstOperation, folderOf, readSource, withSchema } from './reading.ts';

/** A schema with its references replaced by what they stand for. */
function expand(schema: unknown, pool: Record<string, JsonSchema>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => expand(item, pool));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return expand(pool[String(schema.$ref).replace('#/$defs/', '')], pool);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, expand(value, pool)]));
}

test('references across files mean what they mean to swagger-parser', async () => {
  const cwd = folderOf({
    'api/openapi.json': withSchema({ $ref: '../models/order.yaml#/Order' }),
    'models/order.yaml':
      'Order:\n  type: object\n  properties:\n    id: {$ref: "#/Id"}\n    lines: {type: array, items: {$ref: "./deep/line.json"}}\nId: {type: string, format: uuid}\n',
    'models/deep/line.json': {
      type: 'object',
      properties: { product: { $ref: '../../api/../models/product.json#/definitions/a~1b' } },
    },
    'models/product.json': {
      definitions: { 'a/b': { type: 'object', properties: { price: { type: 'number' } } } },
    },
    'package.json': {},
  });
  const { model, told } = await readSource('api/openapi.json', { cwd });
  expect(told).toEqual([]);
  const ours = expand(model && firstOperation(model).responses[0]?.content[0]?.schema, model?.schemas ?? {});
  const theirs = await SwaggerParser.dereference(join(cwd, 'api/openapi.json'));
  expect(theirs).toHaveProperty(
    ['paths', '/a', 'get', 'responses', '200', 'content', 'application/json', 'schema'],
    ours,
  );
});
