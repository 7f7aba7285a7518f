import { expect, test } from 'vitest';
import type { HttpBinding, KnownArgument } from '../../../src/model/bindings.ts';
import type { ArgumentRule, Operation } from '../../../src/model/source-model.ts';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import { body, derive, deriveTool, media, operation, parameter, source } from '../support.ts';

const text: JsonSchema = { type: 'string' };

/** `GET /w/{workspace}` with the query parameter `limit` and the rules for it. */
function listed(rules: Record<string, ArgumentRule>, more: Partial<Operation> = {}): Operation {
  return operation('GET /w/{workspace}', {
    operationId: 'list',
    parameters: [parameter('path', 'workspace'), parameter('query', 'limit', { type: 'integer' })],
    xMcp: { arguments: rules },
    ...more,
  });
}

const workspace = { workspace: text };
const limit = { limit: { type: 'integer' } };

test.each<
  [
    string,
    Record<string, ArgumentRule>,
    object,
    string[] | undefined,
    Record<string, KnownArgument> | undefined,
  ]
>([
  ['hidden', { limit: { hide: true } }, workspace, ['workspace'], undefined],
  ['a variable', { workspace: { env: 'W' } }, limit, undefined, { workspace: { env: 'W' } }],
  [
    'a variable that is no text',
    { limit: { env: 'L' } },
    workspace,
    ['workspace'],
    { limit: { env: 'L', isJson: true } },
  ],
  [
    'a variable with a default',
    { workspace: { env: 'W', default: 'me' } },
    limit,
    undefined,
    { workspace: { env: 'W', value: 'me' } },
  ],
  ['a constant', { workspace: { const: 'me' } }, limit, undefined, { workspace: { value: 'me' } }],
  [
    'hidden, with a default',
    { workspace: { hide: true, default: 'me' } },
    limit,
    undefined,
    { workspace: { value: 'me' } },
  ],
  [
    'a default',
    { workspace: { default: 'me' } },
    { workspace: { ...text, default: 'me' }, ...limit },
    undefined,
    { workspace: { value: 'me', isDefault: true } },
  ],
  [
    'renamed and described',
    { workspace: { name: 'team', description: 'A team.' } },
    { team: { ...text, description: 'A team.' }, ...limit },
    ['team'],
    undefined,
  ],
])('%s', (_, rules, properties, required, known) => {
  const { inputSchema, binding } = deriveTool(listed(rules));
  expect(inputSchema.properties).toEqual(properties);
  expect(inputSchema.required).toEqual(required);
  expect((binding as HttpBinding).known).toEqual(known);
});

test('a renamed argument is sent under its own name', () => {
  const { binding } = deriveTool(listed({ workspace: { name: 'team' } }));
  expect(binding).toMatchObject({ parameters: [{ argument: 'team', name: 'workspace' }, {}] });
});

test.each<[string, Record<string, ArgumentRule>, string, string]>([
  ['a misspelt name', { workspce: { hide: true } }, 'rule-without-effect', 'Did you mean `workspace`?'],
  [
    'hidden, required, without a value',
    { workspace: { hide: true } },
    'argument-rule-unusable',
    'stays listed',
  ],
  [
    'a taken name',
    { workspace: { name: 'limit' } },
    'argument-rule-unusable',
    'another argument has that name',
  ],
  [
    'a name that clients refuse',
    { workspace: { name: 'a b' } },
    'argument-rule-unusable',
    'clients accept letters',
  ],
])('%s is reported, and changes nothing', (_, rules, problem, words) => {
  const { problems, messages, model } = derive(source([listed(rules)]));
  expect(problems).toEqual([problem]);
  expect(messages[0]).toContain(words);
  expect(model.tools[0]?.inputSchema.properties).toEqual({ ...workspace, ...limit });
});

test('the configuration wins over the operation, and that over the parameter', () => {
  const given = parameter('query', 'a', text, { rule: { description: 'Own.', default: 'x', hide: true } });
  const rules = { arguments: { a: { description: 'Of the operation.', hide: false } } };
  const of = operation('GET /', { operationId: 'one', parameters: [given], xMcp: rules });
  const tools = { one: { arguments: { a: { description: 'Of the configuration.' } } } };
  const { inputSchema } = deriveTool(of, {}, { tools });
  expect(inputSchema.properties).toEqual({
    a: { ...text, description: 'Of the configuration.', default: 'x' },
  });
});

test.each<[earlier: ArgumentRule, later: ArgumentRule, known: KnownArgument | undefined]>([
  [{ const: 'x' }, { env: 'A' }, { env: 'A' }],
  [{ const: 'x' }, { default: 'y' }, { value: 'y', isDefault: true }],
  [{ const: 'x' }, { const: 'y' }, { value: 'y' }],
  [{ env: 'A', default: 'x' }, { env: 'B' }, { env: 'B' }],
  [{ env: 'A', default: 'x' }, { default: 'y' }, { value: 'y', isDefault: true }],
  [{ env: 'A', default: 'x' }, { hide: false }, { value: 'x', isDefault: true }],
  [{ const: 'x' }, { hide: false }, undefined],
  [{ const: 'x' }, { description: 'A.' }, { value: 'x' }],
])('%j and then %j', (earlier, later, known) => {
  const given = parameter('query', 'a', text, { rule: earlier });
  const tools = { one: { arguments: { a: later } } };
  const of = operation('GET /', { operationId: 'one', parameters: [given] });
  const { binding } = deriveTool(of, {}, { tools });
  expect((binding as HttpBinding).known).toEqual(known && { a: known });
});

test('rules of properties are reported where the body is one argument', () => {
  const schema: JsonSchema = { oneOf: [{ type: 'object', properties: { a: text } }, { type: 'object' }] };
  const given = body([media('application/json', schema, { rules: { a: { const: 'x' } } })]);
  const { problems, messages } = derive(source([operation('POST /', { body: given })]));
  expect(problems).toEqual(['rule-without-effect']);
  expect(messages[0]).toContain('has no argument `a`');
});

test('so is the variable of an operation that code alone calls', () => {
  const parts = source([listed({ limit: { env: 'LIMIT' } }), operation('GET /other')], {
    codeWords: ['list'],
  });
  expect(derive(parts, { exclude: ['op:list'] }).model.upstream?.argumentVariables).toEqual({
    LIMIT: ['limit'],
  });
});

test('the document has rules for all operations with such an argument', () => {
  const xMcp = { arguments: { limit: { hide: true }, pretty: { hide: true } } };
  const { model, problems } = derive(source([listed({}), operation('GET /other')], { xMcp }));
  expect(problems).toEqual([]);
  expect(model.tools[0]?.inputSchema.properties).toEqual(workspace);
});
