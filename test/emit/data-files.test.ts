import { expect, test } from 'vitest';
import { printBindings } from '../../src/emit/data/print-bindings.ts';
import { printCatalog } from '../../src/emit/data/print-catalog.ts';
import { empty, getPet, hostile, models, petstore } from './models.ts';

test('the catalog has one item a line', () => {
  const lines = printCatalog(petstore).split('\n');
  expect(lines.map((line) => line.replace(/^\{"(name|uri|uriTemplate)":"([^"]*)".*\}/, '<$2>'))).toEqual([
    '{',
    '"tools": [',
    '<getPet>,',
    '<addPet>',
    '],',
    '"resources": [',
    '<petstore://inventory>',
    '],',
    '"resourceTemplates": [',
    '<petstore://pets/{petId}>',
    '],',
    '"prompts": [',
    '<adopt>',
    '],',
    '"completions": true',
    '}',
    '',
  ]);
});

test('empty lists are on one line', () => {
  expect(printCatalog(empty)).toBe(
    '{\n"tools": [],\n"resources": [],\n"resourceTemplates": [],\n"prompts": [],\n"completions": false\n}\n',
  );
  expect(printBindings(empty)).toBe(
    '{\n"tools": {},\n"resources": {},\n"resourceTemplates": {},\n"prompts": {},\n"completions": []\n}\n',
  );
});

test('the catalog lists MCP members and nothing else', () => {
  const catalog = JSON.parse(printCatalog(petstore)) as { tools: unknown[]; prompts: unknown[] };
  const { binding, scopes, tags, origin, ...listed } = getPet;
  expect([binding, scopes, tags, origin]).toHaveLength(4);
  expect(catalog.tools[0]).toEqual(listed);
  expect(catalog.prompts).toEqual([{ name: 'adopt', arguments: [{ name: 'kind', required: true }] }]);
});

test('bindings keep scopes and tags only where there are some', () => {
  const { tools } = JSON.parse(printBindings(petstore)) as { tools: Record<string, object> };
  expect(tools['getPet']).toEqual({ do: getPet.binding, scopes: ['pets:read'], tags: ['pets'] });
  expect(Object.keys(tools['addPet'] ?? {})).toEqual(['do']);
});

test.each(Object.entries(models))('%s: line breaks are found between items only', (_, model) => {
  const items =
    model.tools.length + model.resources.length + model.resourceTemplates.length + model.prompts.length;
  expect(
    printCatalog(model)
      .split('\n')
      .filter((line) => line.startsWith('{"')),
  ).toHaveLength(items);
  JSON.parse(printCatalog(hostile));
});
