// `tools` of the configuration, for tools of any source.
import { expect, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import type { ToolRules } from '../../src/config/options/tool-rules.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'Lists pets.',
        parameters: [
          { name: 'limit', in: 'query' as const, schema: { type: 'integer' as const } },
          { name: 'kind', in: 'query' as const, required: true, schema: { type: 'string' as const } },
        ],
        responses: { 200: { description: 'x' } },
      },
      post: { operationId: 'addPet', summary: 'Adds a pet.', responses: { 201: { description: 'x' } } },
    },
    '/state': {
      get: { operationId: 'state', summary: 'Reads the state.', responses: { 200: { description: 'x' } } },
    },
  },
};

async function compiled(tools: Record<string, ToolRules>) {
  const { model, diagnostics } = await compile({ document, tools });
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const warnings = diagnostics
    .filter(({ name }) => name === 'rule-without-effect' || name === 'argument-rule-unusable')
    .map(({ message }) => message);
  return { model, warnings };
}

test('words and hints', async () => {
  const words = { title: 'T', description: 'D.', annotations: { idempotentHint: false }, pin: true };
  const { model, warnings } = await compiled({ listPets: words });
  expect(model.tools[0]).toMatchObject({
    ...words,
    annotations: { readOnlyHint: true, idempotentHint: false },
  });
  expect(warnings).toEqual([]);
});

test('a new name, which resources that the tool reads follow', async () => {
  const { model } = await compiled({ state: { name: 'read_state' } });
  expect(model.tools.map(({ name }) => name)).toEqual(['listPets', 'addPet', 'read_state']);
  const read = model.resources.flatMap(({ binding }) =>
    binding.do.kind === 'tool' ? [binding.do.name] : [],
  );
  expect(read).not.toContain('state');
});

test.each([
  [{ addPet: { name: 'listPets' } }, 'another tool has it'],
  [{ addPet: { name: 'search_tools' } }, 'another tool has it'],
  [{ addPet: { name: 'add pet' } }, 'The name `add pet`'],
  [{ adPet: { title: 'x' } }, 'no such tool'],
  [{ listPets: { arguments: { limitt: { hide: true } } } }, '`limitt`'],
  [{ listPets: { arguments: { kind: { hide: true } } } }, 'it is hidden and required'],
])('%j does nothing, and a warning says so', async (words: Record<string, ToolRules>, problem) => {
  const { model, warnings } = await compiled(words);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(problem);
  expect(model.tools.map(({ name }) => name)).toEqual(['listPets', 'addPet', 'state']);
  expect(Object.keys(model.tools[0]?.inputSchema.properties ?? {})).toEqual(['limit', 'kind']);
});

test.each([
  ['addPet', { readOnlyHint: true }, { readOnlyHint: true, destructiveHint: false }, 0],
  ['state', { destructiveHint: true }, { readOnlyHint: false, destructiveHint: true }, 0],
  ['state', { readOnlyHint: true, destructiveHint: true }, { readOnlyHint: false, destructiveHint: true }, 1],
])('hints of %s that oppose those of the source: %j', async (name, annotations, want, contradictions) => {
  const { model, diagnostics } = await compile({ document, tools: { [name]: { annotations } } });
  expect(model?.tools.find((tool) => tool.name === name)?.annotations).toMatchObject(want);
  expect(diagnostics.filter((each) => each.name === 'hints-contradict')).toHaveLength(contradictions);
});

test('two tools exchange no names, and one name is given once', async () => {
  const { model, warnings } = await compiled({ addPet: { name: 'pet' }, state: { name: 'pet' } });
  expect(model.tools.map(({ name }) => name)).toEqual(['listPets', 'pet', 'state']);
  expect(warnings).toHaveLength(1);
});

test('hidden tools and arguments', async () => {
  const { model, warnings } = await compiled({
    state: { hide: true },
    listPets: { arguments: { limit: { hide: true }, kind: { description: 'Of which kind.' } } },
  });
  expect(warnings).toEqual([]);
  expect(model.tools.map(({ name }) => name)).toEqual(['listPets', 'addPet']);
  expect(model.deselected?.map(({ op }) => op[0])).toEqual(['state']);
  expect(model.tools[0]?.inputSchema.properties).toEqual({
    kind: { type: 'string', description: 'Of which kind.' },
  });
});
