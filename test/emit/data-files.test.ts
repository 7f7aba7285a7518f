import { expect, test } from 'vitest';
import { printBindings, printCatalog } from '../../src/emit/data-files.ts';
import { toListedSchema } from '../../src/derive/schema/listed-schema.ts';
import { empty, getPet, models, petstore } from './models.ts';

test('the catalog lists MCP members and nothing else', () => {
  const catalog = JSON.parse(printCatalog({ ...petstore, readOnly: true })) as {
    tools: unknown[];
    prompts: unknown[];
  };
  const { binding, scopes, tags, origin, ...listed } = getPet;
  expect([binding, scopes, tags, origin]).toHaveLength(4);
  expect(catalog.tools[0]).toEqual({ ...listed, inputSchema: toListedSchema(listed.inputSchema) });
  expect(Object.keys(catalog)).toEqual(['tools', 'resources', 'resourceTemplates', 'prompts', 'guards']);
  expect(catalog).toMatchObject({ guards: { readOnly: true } });
  expect(catalog.prompts).toEqual([{ name: 'adopt', arguments: [{ name: 'kind', required: true }] }]);
});

test('bindings have samples of resources only for mock mode', () => {
  const result = { as: 'json', sample: { a: 1 } } as const;
  const target = { kind: 'function', module: 'a.ts', export: 'a', parameters: [], result } as const;
  const resource = {
    uri: 'a://b',
    name: 'a',
    origin: getPet.origin,
    binding: { do: { ...target, parameters: [] } },
  };
  const model = { ...empty, resources: [resource] };
  expect(printBindings(model)).toContain('"result":{"as":"json","sample":{"a":1}}');
  expect(printBindings(model, false)).toContain('"result":{"as":"json"}');
});

test.each(Object.entries(models))(
  '%s: without its line breaks the catalog is JSON without whitespace',
  (_, model) => {
    const text = printCatalog(model);
    expect(text.replaceAll('\n', '')).toBe(JSON.stringify(JSON.parse(text)));
  },
);
