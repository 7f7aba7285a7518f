import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonSchema, JsonSchemaObject } from '../../../src/util/json-schema.ts';
import { httpServer } from '../../support/loopback.ts';
import {
  firstOperation,
  folderOf,
  openapi,
  operationsOf,
  read,
  readSource,
  withOperation,
  withSchema,
} from './reading.ts';

const schemaPointer = '/paths/~1a/get/responses/200/content/application~1json/schema';

function responseSchema(model: Parameters<typeof operationsOf>[0] | undefined): unknown {
  return model && firstOperation(model).responses[0]?.content[0]?.schema;
}

test('a tree of files is read as one document, and origins name the real file', async () => {
  const cwd = folderOf({
    'api/openapi.yaml':
      'openapi: 3.1.0\ninfo: {title: T, version: v}\nservers: [{url: "https://a.b"}]\npaths:\n  /a: {$ref: "paths/a.json"}\n',
    'api/paths/a.json': {
      parameters: [{ $ref: '../shared.yaml#/parameters/limit' }],
      get: {
        responses: { 200: { content: { 'application/json': { schema: { $ref: '../schemas/pet.yaml' } } } } },
      },
    },
    'api/shared.yaml': 'parameters:\n  limit: {name: limit, in: query, schema: {type: integer}}\n',
    'api/schemas/pet.yaml': 'type: object\nproperties:\n  owner: {$ref: owner.json#/Owner}\n',
    'api/schemas/owner.json': {
      Owner: { type: 'object', properties: { pets: { items: { $ref: 'pet.yaml' } } } },
    },
  });
  const { model, told } = await readSource('api/openapi.yaml', { cwd });
  expect(told).toEqual([]);
  expect(responseSchema(model)).toEqual({ $ref: '#/$defs/pet' });
  expect(model?.schemas).toEqual({
    pet: { type: 'object', properties: { owner: { $ref: '#/$defs/Owner' } } },
    Owner: { type: 'object', properties: { pets: { items: { $ref: '#/$defs/pet' }, type: 'array' } } },
  });
  expect(model?.schemaOrigins).toEqual({
    pet: { kind: 'document', file: 'api/schemas/pet.yaml', pointer: '' },
    Owner: { kind: 'document', file: 'api/schemas/owner.json', pointer: '/Owner' },
  });
  expect(model && firstOperation(model).parameters).toMatchObject([
    { name: 'limit', origin: { file: 'api/shared.yaml', pointer: '/parameters/limit' } },
  ]);
});

test.each<[ref: string, told: string]>([
  ['../outside.json#/Secret', 'ref-outside-root'],
  ['../../../../../../../../../etc/passwd', 'ref-outside-root'],
  ['file:///etc/passwd', 'ref-outside-root'],
  ['../does-not-exist.json', 'ref-outside-root'],
  ['link.json#/Secret', 'ref-outside-root'],
  ['missing.yaml', 'invalid-ref'],
  ['broken.json#/A', 'invalid-ref'],
  ['folder', 'invalid-ref'],
  ['other.json#/Missing', 'dangling-ref'],
  ['#/components/schemas/Missing', 'dangling-ref'],
  ['http://example.com/a.json', 'remote-ref-refused'],
  ['//example.com/a.json', 'invalid-ref'],
  ['data:application/json,{}', 'invalid-ref'],
])('%s is refused as %s, and the tool stays', async (ref, name) => {
  const root = folderOf({
    'outside.json': { Secret: { const: 'secret' } },
    'root/package.json': {},
    'root/api.json': withSchema({ $ref: ref }),
    'root/other.json': {},
    'root/broken.json': '{',
    'root/folder/x.json': {},
  });
  symlinkSync(join(root, 'outside.json'), join(root, 'root/link.json'));
  const { model, told } = await readSource('api.json', { cwd: join(root, 'root') });
  expect(told).toEqual([`warning ${name} ${schemaPointer}/$ref`]);
  expect(responseSchema(model)).toBe(true);
});

test('the root is the nearest folder with package.json or .git, and --ref-root widens it', async () => {
  const schema = { type: 'string' };
  const folder = folderOf({
    'common.json': { A: schema },
    'project/package.json': {},
    'project/common.json': { A: schema },
    'project/specs/inside.json': withSchema({ $ref: '../common.json#/A' }),
    'project/specs/outside.json': withSchema({ $ref: '../../common.json#/A' }),
  });
  const cwd = join(folder, 'project', 'specs');
  expect((await readSource('inside.json', { cwd })).told).toEqual([]);
  expect((await readSource('outside.json', { cwd })).told).toEqual([
    `warning ref-outside-root ${schemaPointer}/$ref`,
  ]);
  expect((await readSource('outside.json', { cwd, refRoot: '../..' })).told).toEqual([]);
});

test('a $ref in data is data, and a property may have any name', async () => {
  const data = { $ref: '/etc/passwd' };
  const names = ['$ref', 'nullable', 'properties', 'example', 'x-a', '$id'];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const schema = { type: 'object', properties, default: data, const: data, example: data, 'x-data': data };
  const { told, model } = await read(withSchema(schema));
  expect(told).toEqual([]);
  expect(responseSchema(model)).toEqual({ type: 'object', properties, default: data, const: data });
});

test('pointers pass through maps that are references, and know percent and tilde escapes', async () => {
  const cwd = folderOf({
    'api.json': withSchema(
      {
        anyOf: [
          { $ref: '#/components/schemas/Pet' },
          { $ref: 'schemas.json#/a~1b' },
          { $ref: 'schemas.json#/a%20c' },
        ],
      },
      { $ref: 'schemas.json' },
    ),
    'schemas.json': { Pet: { type: 'string' }, 'a/b': { type: 'integer' }, 'a c': { type: 'boolean' } },
  });
  const { told, model } = await readSource('api.json', { cwd });
  expect(told).toEqual([]);
  expect(Object.keys(model?.schemas ?? {}).sort()).toEqual(['Pet', 'a_b', 'a_c']);
});

test('$id, $anchor and $defs of JSON Schema 2020-12', async () => {
  const schemas = {
    Tree: {
      $id: 'https://example.com/tree',
      type: 'object',
      properties: { left: { $ref: '#' }, leaf: { $ref: '#leaf' }, name: { $ref: '#/$defs/name' } },
      $defs: { leaf: { $anchor: 'leaf', type: 'integer' }, name: { type: 'string' } },
    },
  };
  const { told, model } = await read(withSchema({ $ref: 'https://example.com/tree' }, schemas));
  expect(told).toEqual([]);
  expect(model?.schemas).toEqual({
    Tree: {
      type: 'object',
      properties: {
        left: { $ref: '#/$defs/Tree' },
        leaf: { $ref: '#/$defs/Tree_leaf' },
        name: { $ref: '#/$defs/Tree_name' },
      },
    },
    Tree_leaf: { type: 'integer' },
    Tree_name: { type: 'string' },
  });
});

test('$self names a document, and its files are found beside it', async () => {
  const entry = {
    ...withSchema({ $ref: 'pet.json#/Pet' }, {}, '3.2.0'),
    $self: 'https://example.com/api/openapi',
  };
  const cwd = folderOf({
    'api.json': entry,
    'pet.json': {
      Pet: { type: 'object', properties: { a: { $ref: 'https://example.com/api/openapi#/info/x' } } },
    },
  });
  const { told, model } = await readSource('api.json', { cwd });
  expect(told).toEqual(['warning dangling-ref /Pet/properties/a/$ref']);
  expect(responseSchema(model)).toEqual({ $ref: '#/$defs/Pet' });
});

test('remote references are fetched from allowed hosts only, redirects included', async () => {
  const { url, close } = await httpServer((request, response) => {
    if (request.url === '/away.json') response.writeHead(302, { location: 'http://localhost:1/x' }).end();
    else if (request.url === '/gone.json') response.writeHead(404).end();
    else if (request.url === '/b.json') response.end('{"B":{"type":"integer"}}');
    else
      response.end('{"A":{"type":"array","items":{"$ref":"b.json#/B"}},"F":{"$ref":"file:///etc/passwd"}}');
  });
  onTestFinished(close);
  const { host } = new URL(url);
  const at = async (
    path: string,
    allowRemoteRefs: string[],
  ): Promise<{ told: string[]; schemas: unknown }> => {
    const { told, model } = await read(withSchema({ $ref: `http://${host}/${path}` }), { allowRemoteRefs });
    return { told, schemas: model?.schemas };
  };
  expect(await at('a.json#/A', [])).toMatchObject({
    told: [`warning remote-ref-refused ${schemaPointer}/$ref`],
  });
  const behindName = withSchema({ $ref: `http://schemas.example@${host}/a.json#/A` });
  expect((await read(behindName, { allowRemoteRefs: ['schemas.example'] })).told).toEqual([
    `warning remote-ref-refused ${schemaPointer}/$ref`,
  ]);
  expect(await at('a.json#/A', [host])).toEqual({
    told: [],
    schemas: { A: { type: 'array', items: { $ref: '#/$defs/B' } }, B: { type: 'integer' } },
  });
  expect(await at('a.json#/F', ['127.0.0.1'])).toMatchObject({ told: ['warning ref-outside-root /F/$ref'] });
  expect(await at('away.json', [host])).toMatchObject({
    told: [`warning invalid-ref ${schemaPointer}/$ref`],
  });
  expect(await at('gone.json', [host])).toMatchObject({
    told: [`warning invalid-ref ${schemaPointer}/$ref`],
  });
});

test('a fragment follows the version of the document that opened it', async () => {
  const cwd = folderOf({
    'old.json': withSchema({ $ref: 'part.json#/A' }, {}, '3.0.3'),
    'new.json': withSchema({ $ref: 'part.json#/A' }, {}, '3.1.0'),
    'part.json': { A: { $ref: '#/B', maxLength: 3 }, B: { type: 'string' } },
  });
  const schemas = async (source: string): Promise<unknown> =>
    (await readSource(source, { cwd })).model?.schemas;
  expect(await schemas('old.json')).toEqual({ B: { type: 'string' } });
  expect(await schemas('new.json')).toEqual({
    A: { $ref: '#/$defs/B', maxLength: 3 },
    B: { type: 'string' },
  });
});

test('fields beside the $ref of a path win, and resolve in their own file', async () => {
  const cwd = folderOf({
    'api.json': openapi({
      paths: {
        '/a': {
          $ref: 'a.json',
          parameters: [{ $ref: '#/components/parameters/q' }],
          put: { operationId: 'put' },
        },
      },
      components: { parameters: { q: { name: 'q', in: 'query', schema: {} } } },
    }),
    'a.json': { get: { operationId: 'get' }, put: { operationId: 'lost' } },
  });
  const { model, told } = await readSource('api.json', { cwd });
  expect(told).toEqual([]);
  const operations = model === undefined ? [] : operationsOf(model);
  expect(
    operations.map(({ operationId, parameters }) => [operationId, parameters.map(({ name }) => name)]),
  ).toEqual([
    ['get', ['q']],
    ['put', ['q']],
  ]);
});

test('endless-schema: a parent in oneOf of its children, who take it in by allOf', async () => {
  const { model, told } = await read(
    withSchema(
      { $ref: '#/components/schemas/Pet' },
      {
        Pet: { type: 'object', oneOf: [{ $ref: '#/components/schemas/Cat' }] },
        Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { required: ['lives'] }] },
      },
    ),
  );
  expect(told).toEqual(['warning endless-schema /components/schemas/Pet']);
  expect(model?.schemas['Pet']).toEqual({ type: 'object', oneOf: [{}] });
});

const Pet = { type: 'object', properties: { name: { type: 'string' } } };

test.each<[ref: string, hint: RegExp]>([
  ['#/components/schemas/Pett', /Did you mean `#\/components\/schemas\/Pet`\?/],
  ['#/components/schemas/Pet/properties/nam', /`#\/components\/schemas\/Pet\/properties\/name`/],
  ['#/components/schemas/cat~1dock', /Did you mean ``#\/components\/schemas\/cat~1`dog``\?/],
  ['#/components/schemas/Something', /Correct the reference/],
  ['#anchor', /Correct the reference/],
])('the dangling reference %s is told with what is near', async (ref, hint) => {
  const { found, told } = await read(withSchema({ $ref: ref }, { Pet, 'cat/`dog': {} }));
  expect(told).toEqual([`warning dangling-ref ${schemaPointer}/$ref`]);
  expect(found[0]?.hint).toMatch(hint);
});

test('the nearest name is looked for in the document the reference leads to', async () => {
  const cwd = folderOf({
    'api.json': withSchema({ $ref: 'other.json#/Pett' }, { Pet }),
    'other.json': { Pets: Pet },
  });
  const { found } = await readSource('api.json', { cwd });
  expect(found[0]?.hint).toBe('Did you mean `other.json#/Pets`?');
});

test('many dangling references are told, the first of them with a proposal', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`p${index}`, { $ref: `#/components/schemas/Pet${index}` }]),
  );
  const { found } = await read(withSchema({ properties }, { Pet }));
  expect(found).toHaveLength(30);
  expect(found.filter(({ hint }) => hint?.startsWith('Did you mean'))).toHaveLength(20);
});

test.each([
  '#',
  '#/info',
  '#/paths/~1a',
  '#/paths/~1a/get',
  '#/components',
  '#/components/parameters/Q',
  '#/components/responses/R/content/application~1json',
])('%s is invalid-schema', async (ref) => {
  const components = {
    schemas: {},
    parameters: { Q: { name: 'q', in: 'query', schema: { type: 'string' } } },
    responses: { R: { description: 'R', content: { 'application/json': { schema: Pet } } } },
  };
  const { model, told } = await read({ ...withSchema({ $ref: ref, description: 'D' }), components });
  expect(told).toEqual([`warning invalid-schema ${schemaPointer}/$ref`]);
  expect(responseSchema(model)).toEqual({ description: 'D' });
});

test.each([
  '#/components/responses/R/content/application~1json/schema',
  '#/components/parameters/Q/schema',
  '#/x-shared/Pet',
])('%s is a schema', async (ref) => {
  const components = {
    parameters: { Q: { name: 'q', in: 'query', schema: { type: 'string' } } },
    responses: { R: { description: 'R', content: { 'application/json': { schema: Pet } } } },
  };
  const document = { ...withSchema({ $ref: ref }), components, 'x-shared': { Pet } };
  expect((await read(document)).told).toEqual([]);
});

test('a $dynamicRef of a generic schema is the schema that binds its anchor', async () => {
  const schemas = {
    List: {
      $id: 'https://a.b/list',
      $defs: { T: { $dynamicAnchor: 'T', not: {} } },
      type: 'array',
      items: { $dynamicRef: '#T' },
    },
    Pet: { type: 'object', properties: { name: { type: 'string' } } },
    Numbers: {
      $id: 'https://a.b/numbers',
      $defs: { T: { $dynamicAnchor: 'T', type: 'integer' } },
      $ref: 'list',
    },
    Pets: {
      $id: 'https://a.b/pets',
      $defs: { T: { $dynamicAnchor: 'T', $ref: '#/components/schemas/Pet' } },
      $ref: 'list',
    },
    Both: {
      type: 'object',
      properties: {
        numbers: { $ref: '#/components/schemas/Numbers' },
        pets: { $ref: '#/components/schemas/Pets' },
      },
    },
  };
  // Inside a schema with `$id` a reference is relative to it.
  schemas.Pets.$defs.T.$ref = 'https://a.b/pet';
  Object.assign(schemas.Pet, { $id: 'https://a.b/pet' });
  const { model, told } = await read(withSchema({ $ref: '#/components/schemas/Both' }, schemas));
  expect(told).toEqual([]);
  const pool = model?.schemas ?? {};
  const memberOf = (reference: JsonSchema | undefined): JsonSchemaObject =>
    pool[(reference as JsonSchemaObject).$ref?.replace('#/$defs/', '') ?? ''] as JsonSchemaObject;
  const { numbers, pets } = (pool['Both'] as JsonSchemaObject).properties ?? {};
  const [listOfNumbers, listOfPets] = [numbers, pets].map((list) => memberOf(memberOf(list)));
  expect(memberOf(listOfNumbers?.items)).toEqual({ type: 'integer' });
  expect(listOfPets?.items).toEqual({ $ref: '#/$defs/Pet' });
});

test('a tree refers to the schema that extends it, and alone to itself', async () => {
  const schemas = {
    Tree: {
      $id: 'https://a.b/tree',
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
    },
    Named: {
      $id: 'https://a.b/named',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      properties: { name: { type: 'string' } },
    },
  };
  const alone = await read(withSchema({ $ref: '#/components/schemas/Tree' }, schemas));
  expect([alone.told, alone.model?.schemas]).toMatchObject([
    [],
    { Tree: { properties: { children: { items: { $ref: '#/$defs/Tree' } } } } },
  ]);
  const { told, model } = await read(withSchema({ $ref: '#/components/schemas/Named' }, schemas));
  expect([told, model?.schemas]).toMatchObject([
    [],
    {
      Named: { $ref: '#/$defs/Tree', properties: { name: { type: 'string' } } },
      Tree: { properties: { children: { items: { $ref: '#/$defs/Named' } } } },
    },
  ]);
});

test('a schema that stands in an operation and is referred to is reported once', async () => {
  const faulty = {
    properties: { a: { $dynamicRef: '#x' }, b: { $ref: 'gopher://x/y' }, c: { pattern: '(' } },
  };
  const at = '/paths/~1a/get/responses/200/content/application~1json/schema';
  const content = { 'application/json': { schema: { $ref: `#${at}` } } };
  const document = withSchema(faulty);
  const { told } = await read({
    ...document,
    components: { responses: { Again: { description: 'A', content } } },
    paths: {
      '/a': { get: { responses: { 200: { content: { 'application/json': { schema: faulty } } } } } },
      '/b': { get: { responses: { 200: { $ref: '#/components/responses/Again' } } } },
    },
  });
  expect(told.map((line) => line.split(' ')[1]).sort()).toEqual([
    'dangling-ref',
    'dynamic-ref',
    'invalid-ref',
    'pattern-removed',
  ]);
});

const circle = { $ref: '#/components/x/Loop' };

test.each<[what: string, fate: string, document: (ref: object) => object]>([
  ['schema', 'The schema accepts anything.', (ref) => withSchema(ref)],
  ['parameter', 'The parameter is left out.', (ref) => withOperation({ parameters: [ref] })],
  [
    'path item',
    'The operations behind it are left out.',
    (ref) => openapi({ paths: { '/a': { get: { responses: {} } }, '/b': ref } }),
  ],
  ['body', 'Its target is left out.', (ref) => withOperation({ requestBody: ref })],
  ['response', 'Its target is left out.', (ref) => withOperation({ responses: { 200: ref } })],
  [
    'security scheme',
    'Its target is left out.',
    (ref) => withOperation({}, { components: { securitySchemes: { key: ref } } }),
  ],
  [
    'media type of a parameter',
    'The schema accepts anything.',
    (ref) =>
      withOperation({ parameters: [{ name: 'p', in: 'query', content: { 'application/json': ref } }] }),
  ],
  [
    'discriminator',
    'Its entry in the mapping is left out.',
    ({ $ref }: { $ref?: string }) =>
      withSchema({ oneOf: [true], discriminator: { propertyName: 'p', mapping: { a: $ref } } }),
  ],
])('a reference of a %s that cannot be followed says what becomes of it', async (_what, fate, documentOf) => {
  for (const $ref of ['#/components/x/Gone', '../outside.json', 'https://a.b/c', 'gone.json', 'urn:a:b']) {
    const { found, model } = await read(documentOf({ $ref }));
    expect(model, $ref).toBeDefined();
    expect(
      found.map(({ message }) => message),
      $ref,
    ).toEqual([expect.stringMatching(new RegExp(`^The reference .*\\. ${fate}$`))]);
  }
});

test('a circle of references says what becomes of the thing', async () => {
  const components = { x: { Loop: circle } };
  const { found } = await read(
    withOperation({ parameters: [circle], responses: { 200: circle } }, { components }),
  );
  expect(found.map(({ message }) => message.replace(/.*into a circle/, '…'))).toEqual([
    '… of references. The parameter is left out.',
    '… of references. Its target is left out.',
  ]);
});
