import { expect, test } from 'vitest';
import { ModelError, assertModel, assertSchemas } from '../../src/model/assert-model.ts';
import type { ServerModel } from '../../src/model/server-model.ts';
import { wholeModel } from './support.ts';

function assertAll(model: ServerModel): void {
  assertModel(model);
  assertSchemas(model);
}

test('a derived model holds', () => {
  expect(() => {
    assertAll(wholeModel());
  }).not.toThrow();
});

/** The first of a list that a test is about to break. */
function first<T>(list: readonly T[] | undefined): T {
  const item = list?.[0];
  if (item === undefined) throw new Error('the model under test lacks an item');
  return item;
}

function httpOf(model: ServerModel) {
  const { binding } = first(model.tools);
  if (binding.kind !== 'http') throw new Error('the first tool is no request');
  return binding;
}

test.each<[string, (model: ServerModel) => void, RegExp]>([
  ['a tool twice', (model) => model.tools.push(first(model.tools)), /tool createPet occurs twice/],
  [
    'an invalid tool name',
    (model) => (first(model.tools).name = 'a b'),
    /tool a b has a name that clients refuse: letters, digits, .*, 128 at most$/,
  ],
  [
    'an invalid argument',
    (model) => Object.assign(first(model.tools).inputSchema.properties ?? {}, { 'a b': {} }),
    /tool createPet has an argument that clients refuse, "a b": letters, .*, 64 at most$/,
  ],
  [
    'an argument that goes nowhere',
    (model) => Object.assign(first(model.tools).inputSchema.properties ?? {}, { extra: {} }),
    /has the argument extra, which goes nowhere: it is in the schema, and not in the binding$/,
  ],
  [
    'a binding without an argument',
    (model) => delete first(model.tools).inputSchema.properties?.['name'],
    /binds the argument name, which its schema lacks$/,
  ],
  [
    'an argument bound twice',
    (model) => httpOf(model).parameters.push(first(httpOf(model).parameters)),
    /binds an argument twice/,
  ],
  ['a required ghost', (model) => (first(model.tools).inputSchema.required = ['ghost']), /requires ghost/],
  [
    'no object at the top',
    (model) => Object.assign(first(model.tools).inputSchema, { type: 'array' }),
    /inputSchema is not `type: object`/,
  ],
  [
    'a boolean argument',
    (model) => Object.assign(first(model.tools).inputSchema.properties ?? {}, { name: true }),
    /inputSchema has a boolean as the schema of name/,
  ],
  [
    'a union at the top',
    (model) => Object.assign(first(model.tools).inputSchema, { anyOf: [{}] }),
    /inputSchema has anyOf at its top/,
  ],
  [
    'a dangling reference',
    (model) =>
      Object.assign(first(model.tools).inputSchema.properties ?? {}, {
        name: { items: { $ref: '#/$defs/Ghost' } },
      }),
    /dangling \$ref #\/\$defs\/Ghost/,
  ],
  [
    'a definition that nothing reaches',
    (model) => Object.assign(first(model.tools).inputSchema.$defs ?? {}, { Lost: {} }),
    /carries Lost in \$defs/,
  ],
  ['no upstream', (model) => delete model.upstream, /speaks HTTP, but the model has no upstream/],
  [
    'an unknown scheme',
    (model) => (httpOf(model).security = [{ ghost: [] }]),
    /needs the security scheme ghost/,
  ],
  [
    'a resource twice',
    (model) => model.resources.push(first(model.resources)),
    /resource petstore:\/\/pets occurs twice/,
  ],
  [
    'a resource without a scheme',
    (model) => (first(model.resources).uri = '/pets'),
    /resource \/pets is no URI/,
  ],
  [
    'a resource of a ghost',
    (model) => (first(model.resources).binding.do = { kind: 'tool', name: 'ghost' }),
    /refers to the tool ghost/,
  ],
  [
    'a variable that goes nowhere',
    (model) => (first(model.resourceTemplates).uriTemplate = 'x://{ghost}'),
    /has the variable ghost, which goes nowhere/,
  ],
  ['a prompt twice', (model) => model.prompts.push(first(model.prompts)), /prompt adopt occurs twice/],
  [
    'a prompt without words',
    (model) => (first(model.prompts).binding = { kind: 'template', messages: [] }),
    /has no message/,
  ],
  [
    'a prompt argument twice',
    (model) => first(model.prompts).arguments?.push(first(first(model.prompts).arguments)),
    /prompt adopt has an argument twice/,
  ],
])('%s is a bug of ours', (_what, breakModel, want) => {
  const model = wholeModel();
  breakModel(model);
  expect(() => {
    assertAll(model);
  }).toThrow(want);
  expect(() => {
    assertAll(model);
  }).toThrow(ModelError);
});
