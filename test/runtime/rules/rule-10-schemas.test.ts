// Rule 10: schemas are listed as they were written, to every revision that has them.
import { expect, test } from 'vitest';
import type { SchemaObject } from '../../../templates/runtime/types.ts';
import { LEGACY_REVISIONS } from '../../../templates/runtime/json-rpc.ts';
import { hello } from '../harness.ts';
import { NEWEST_LEGACY } from './speaking.ts';
import { subject } from './subject.ts';

const schema: SchemaObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { kind: { enum: ['a', 'b'] } },
  properties: { kind: { $ref: '#/$defs/kind' }, size: { type: 'integer', 'x-unit': 'cm' } },
  allOf: [{ required: ['kind'] }],
  if: { properties: { kind: { const: 'a' } } },
  then: { required: ['size'] },
  else: { properties: { size: { maximum: 9 } } },
  additionalProperties: false,
};

const tool = (name: string) => ({
  name,
  inputSchema: schema,
  outputSchema: schema,
  handler: () => ({ kind: 'b' }),
});

function withSchemas() {
  return subject(undefined, { handlers: { extraTools: [tool('x')] } });
}

interface Listed {
  tools: { inputSchema: object; outputSchema?: object }[];
}

test.each(LEGACY_REVISIONS)('%s lists them verbatim', async (revision) => {
  const { ask } = withSchemas();
  await ask('initialize', hello(revision));
  const [listed] = ((await ask('tools/list')).result as unknown as Listed).tools;
  expect(listed?.inputSchema).toEqual(schema);
  expect(listed?.outputSchema).toEqual(revision < '2025-06-18' ? undefined : schema);
});

test('so does the modern era', async () => {
  const [listed] = ((await withSchemas().modern('tools/list')).result as unknown as Listed).tools;
  expect([listed?.inputSchema, listed?.outputSchema]).toEqual([schema, schema]);
});

test.each<[object, boolean]>([
  [{ kind: 'b' }, true],
  [{ kind: 'a', size: 12 }, true],
  [{ kind: 'a' }, false],
  [{ kind: 'b', size: 10 }, false],
  [{ kind: 'c' }, false],
  [{}, false],
  [{ kind: 'b', more: 1 }, false],
])('%j is judged by all of it: %s', async (args, fits) => {
  const { ask } = withSchemas();
  await ask('initialize', hello(NEWEST_LEGACY));
  const { result } = await ask('tools/call', { name: 'x', arguments: args });
  expect(result?.['isError'] ?? false).toBe(!fits);
});
