import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import type { SourceModel } from '../../../src/model/source-model.ts';
import { body, derive, media, operation, origin, source } from '../support.ts';

const string: JsonSchema = { type: 'string' };
const member: JsonSchema = { type: 'object', properties: { a: string } };

const schemas: Record<string, JsonSchema> = {
  Pet: { ...member, xml: { name: 'pet' } },
  Plain: member,
  Spaced: member,
  'pet.yaml': member,
  Nested: member,
  Free: { type: 'object' },
  Pets: { type: 'array', items: { $ref: '#/$defs/Pet' } },
  Loop: { type: 'object', properties: { next: { $ref: '#/$defs/Loop', xml: { name: 'then' } } } },
};

const schemaOrigins: SourceModel['schemaOrigins'] = {
  Pet: { ...origin, pointer: '/components/schemas/Pet' },
  Plain: { ...origin, pointer: '/components/schemas/Plain' },
  Spaced: { ...origin, pointer: '/components/schemas/a b' },
  'pet.yaml': { ...origin, pointer: '' },
  Nested: { ...origin, pointer: '/components/responses/X/schema' },
  Pets: { ...origin, pointer: '/definitions/Pets' },
  Loop: { ...origin, pointer: '/components/schemas/a~1b' },
};

const xmlOf = (schema: JsonSchema) =>
  derive(
    source([operation('POST /x', { body: body([media('application/xml', schema)]) })], {
      schemas,
      schemaOrigins,
    }),
  );

const pet = { name: 'pet', properties: { a: {} } };

test.each<[string, JsonSchema, want: object]>([
  [
    'an inline schema with a name',
    { ...member, xml: { name: 'x' } },
    { root: { name: 'x', properties: { a: {} } } },
  ],
  [
    'a component with a name',
    { $ref: '#/$defs/Pet' },
    { root: { ref: 'Pet', name: 'pet' }, schemas: { Pet: pet } },
  ],
  [
    'a component',
    { $ref: '#/$defs/Plain' },
    { root: { ref: 'Plain', name: 'Plain' }, schemas: { Plain: { properties: { a: {} } } } },
  ],
  [
    'a file',
    { $ref: '#/$defs/pet.yaml' },
    { root: { ref: 'pet.yaml', name: 'pet.yaml' }, schemas: { 'pet.yaml': { properties: { a: {} } } } },
  ],
  [
    'null beside it',
    { anyOf: [{ $ref: '#/$defs/Pet' }, { type: 'null' }] },
    { root: { ref: 'Pet', name: 'pet' }, schemas: { Pet: pet } },
  ],
  [
    'a list of components',
    { $ref: '#/$defs/Pets' },
    {
      root: { ref: 'Pets', name: 'Pets', nodeType: 'element', items: { ref: 'Pet' } },
      schemas: { Pets: { items: { ref: 'Pet' } }, Pet: pet },
    },
  ],
  [
    'older words',
    {
      type: 'object',
      xml: { name: 'x' },
      properties: {
        l: { type: 'array', items: string, xml: { wrapped: true } },
        t: { ...string, xml: { attribute: true } },
        w: { ...string, xml: { wrapped: true } },
      },
    },
    {
      root: {
        name: 'x',
        properties: { l: { nodeType: 'element', items: {} }, t: { nodeType: 'attribute' }, w: {} },
      },
    },
  ],
  [
    'names that no node has',
    {
      type: 'object',
      xml: { name: 'x' },
      properties: {
        '#text': { ...string, xml: { nodeType: 'text' } },
        'the list': { type: 'array', items: { ...string, xml: { name: 'l' } } },
      },
    },
    {
      root: {
        name: 'x',
        properties: { '#text': { nodeType: 'text' }, 'the list': { items: { name: 'l' } } },
      },
    },
  ],
])('XML is bound: %s', (_what, schema, want) => {
  const { model, problems } = xmlOf(schema);
  expect(problems).not.toContain('xml-as-text');
  expect(model.tools[0]?.binding).toHaveProperty('body.xml', want);
});

test.each<[string, JsonSchema, because: string]>([
  ['an inline schema', member, 'nothing names its root element'],
  ['a place without a name', { $ref: '#/$defs/Nested' }, 'nothing names its root element'],
  [
    'branches',
    { oneOf: [{ $ref: '#/$defs/Pet' }, { $ref: '#/$defs/Plain' }] },
    'nothing names its root element',
  ],
  ['the name of a component', { $ref: '#/$defs/Spaced' }, '`a b` is no name of an element'],
  ['a name with a slash', { $ref: '#/$defs/Loop' }, '`a/b` is no name of an element'],
  ['a name', { ...member, xml: { name: 'a:b' } }, '`a:b` is no name of an element'],
  [
    'the name of a property',
    { type: 'object', xml: { name: 'a' }, properties: { 'a b': string } },
    '`a b` is no name of an element',
  ],
  [
    'a root that is text',
    { ...member, xml: { name: 'a', nodeType: 'text' } },
    'its root is of the node type `text`, where a document has an element',
  ],
])('XML that cannot be bound is one text, and told: %s', (_what, schema, because) => {
  const { model, problems, messages } = xmlOf(schema);
  expect(problems).toEqual(['body-not-composed']);
  expect(messages[0]).toContain(`since ${because}.`);
  expect(model.tools[0]?.inputSchema.properties).toEqual({
    body: { type: 'string', description: 'An XML document.' },
  });
  expect(model.tools[0]?.binding).toHaveProperty('body', {
    mediaType: 'application/xml',
    kind: 'xml',
    required: true,
    argument: 'body',
  });
});
