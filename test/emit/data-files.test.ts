import { expect, test } from 'vitest';
import { printBindings, printCatalog } from '../../src/emit/data-files.ts';
import { toListedSchema } from '../../src/derive/schema/listed-schema.ts';
import { splitCatalog } from '../../templates/runtime/core/catalog-store.ts';
import { empty, getPet, hostile, models, petstore } from './models.ts';

test('a large catalog has equal parts once, and names in full', () => {
  const description = 'A description that all tools have. '.repeat(30);
  const tools = Array.from({ length: 1_000 }, (_, at) => {
    const name = `a_name_that_is_long_enough_for_a_mark_in_the_pool_of_parts_${at}`;
    return { ...getPet, name, title: name, description };
  });
  const catalog = JSON.parse(printCatalog({ ...empty, tools })) as {
    pool: object;
    tools: { name: unknown }[];
  };
  expect(Object.values(catalog.pool)).toContain(description);
  expect(catalog.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
});

test('the catalog lists MCP members and nothing else', () => {
  const catalog = JSON.parse(printCatalog(petstore)) as { tools: unknown[]; prompts: unknown[] };
  const { binding, scopes, tags, origin, ...listed } = getPet;
  expect([binding, scopes, tags, origin]).toHaveLength(4);
  expect(catalog.tools[0]).toEqual({ ...listed, inputSchema: toListedSchema(listed.inputSchema) });
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

test('the runtime cuts the lists out without parsing them', () => {
  for (const model of [petstore, hostile]) {
    const text = printCatalog(model);
    const { tools, prompts, completions } = splitCatalog(text);
    expect([tools.items, prompts.items]).toEqual([undefined, undefined]);
    expect(tools.lines?.replaceAll('\n', '')).toBe(JSON.stringify(JSON.parse(text).tools));
    expect(prompts.lines?.replaceAll('\n', '')).toBe(JSON.stringify(JSON.parse(text).prompts));
    expect(completions).toBe(JSON.parse(text).completions);
  }
});
