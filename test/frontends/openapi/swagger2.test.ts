/** Swagger 2.0 in the words of the model: given beside want. */
import { expect, test } from 'vitest';
import type { Operation } from '../../../src/model/source-model.ts';
import { firstOperation, modelOf, swagger, without } from './reading.ts';

async function operation(members: object, document: object = {}): Promise<Operation> {
  return firstOperation(await modelOf(swagger(members, document)));
}

const list = { type: 'array', items: { type: 'string' } };

test.each<[what: string, document: object, urls: string[]]>([
  [
    'host, base path and schemes',
    { host: 'a.b', basePath: '/v1/', schemes: ['http', 'https'] },
    ['https://a.b/v1', 'http://a.b/v1'],
  ],
  ['no schemes', { host: 'a.b:8080' }, ['https://a.b:8080']],
  ['web sockets only', { host: 'a.b', schemes: ['wss'] }, ['https://a.b']],
  ['a host that is a URL', { host: 'http://a.b/', basePath: 'v1', schemes: ['http'] }, ['http://a.b/v1']],
  ['no host', { host: undefined, basePath: '/v1' }, ['/v1']],
  ['nothing', { host: undefined, basePath: '/' }, []],
])('servers: %s', async (_what, document, urls) => {
  expect((await modelOf(swagger({}, document))).servers.map(({ url }) => url)).toEqual(urls);
});

test.each<[place: string, format: string | undefined, want: object]>([
  ['query', undefined, { explode: false, schema: list }],
  ['query', 'ssv', { style: 'spaceDelimited', schema: list }],
  ['query', 'pipes', { style: 'pipeDelimited', schema: list }],
  ['query', 'multi', { schema: list }],
  ['query', 'tsv', { explode: false, separator: '\t', schema: list }],
  ['header', 'csv', { schema: list }],
  ['header', 'ssv', { separator: ' ', schema: list }],
  ['header', 'tsv', { separator: '\t', schema: list }],
])('collectionFormat in %s: %s', async (place, format, want) => {
  const parameter = {
    name: 'q',
    in: place,
    ...list,
    ...(format === undefined ? {} : { collectionFormat: format }),
  };
  const [first] = (await operation({ parameters: [parameter] })).parameters;
  expect(without(first, 'origin')).toEqual({ name: 'q', in: place, required: false, ...want });
});

test('the keywords of a parameter are its schema', async () => {
  const parameter = {
    name: 'n',
    in: 'query',
    required: true,
    description: 'D',
    type: 'integer',
    maximum: 9,
    exclusiveMaximum: true,
    default: 1,
    'x-a': 1,
    allowEmptyValue: true,
  };
  expect((await operation({ parameters: [parameter] })).parameters).toMatchObject([
    {
      name: 'n',
      required: true,
      description: 'D',
      allowEmptyValue: true,
      schema: { type: 'integer', exclusiveMaximum: 9, default: 1 },
    },
  ]);
});

test('a body parameter takes the media types of consumes', async () => {
  const body = {
    name: 'b',
    in: 'body',
    required: true,
    description: 'D',
    schema: { $ref: '#/definitions/Pet' },
  };
  const definitions = { Pet: { type: 'object', 'x-nullable': true } };
  const document = { consumes: ['application/json', 'application/xml'], definitions };
  expect((await operation({ parameters: [body] }, document)).body).toMatchObject({
    required: true,
    description: 'D',
    content: [
      { mediaType: 'application/json', kind: 'json', schema: { $ref: '#/$defs/Pet' } },
      { mediaType: 'application/xml', kind: 'xml', schema: { $ref: '#/$defs/Pet' } },
    ],
  });
  const own = { parameters: [body], consumes: ['application/merge-patch+json'] };
  expect((await operation(own, document)).body?.content.map(({ mediaType }) => mediaType)).toEqual([
    'application/merge-patch+json',
  ]);
  expect((await modelOf(swagger(own, document))).schemas.Pet).toEqual({ type: ['object', 'null'] });
});

test.each<[what: string, consumes: string[], types: string[], want: string[]]>([
  ['no consumes', [], ['string'], ['application/x-www-form-urlencoded']],
  [
    'both',
    ['multipart/form-data', 'application/x-www-form-urlencoded'],
    ['string'],
    ['multipart/form-data', 'application/x-www-form-urlencoded'],
  ],
  ['a file', ['application/x-www-form-urlencoded'], ['file', 'string'], ['multipart/form-data']],
  ['JSON only', ['application/json'], ['string'], ['application/x-www-form-urlencoded']],
])('form parameters: %s', async (_what, consumes, types, want) => {
  const parameters = types.map((type, index) => ({ name: `f${index}`, in: 'formData', type }));
  expect((await operation({ parameters, consumes })).body?.content.map(({ mediaType }) => mediaType)).toEqual(
    want,
  );
});

test('form parameters make one object, with files, descriptions and list formats', async () => {
  const parameters = [
    { name: 'photo', in: 'formData', type: 'file', required: true, description: 'A photo' },
    { name: 'tags', in: 'formData', ...list },
    { name: 'ids', in: 'formData', ...list, collectionFormat: 'multi' },
    { name: 'rows', in: 'formData', ...list, collectionFormat: 'tsv' },
  ];
  expect((await operation({ parameters })).body).toMatchObject({
    required: true,
    content: [
      {
        kind: 'multipart',
        schema: {
          type: 'object',
          required: ['photo'],
          properties: {
            photo: { type: 'string', format: 'binary', description: 'A photo' },
            tags: list,
            ids: list,
            rows: list,
          },
        },
        encoding: { tags: { explode: false }, rows: { explode: false, separator: '\t' } },
      },
    ],
  });
});

test('security definitions', async () => {
  const securityDefinitions = {
    basic: { type: 'basic' },
    key: { type: 'apiKey', in: 'query', name: 'k' },
    app: {
      type: 'oauth2',
      flow: 'application',
      tokenUrl: 'https://a.b/token',
      scopes: { read: 'Read', 'x-a': 'no' },
    },
    code: {
      type: 'oauth2',
      flow: 'accessCode',
      authorizationUrl: 'https://a.b',
      tokenUrl: 'https://a.b/token',
      scopes: {},
    },
  };
  const model = await modelOf(swagger({ security: [{ app: ['read'] }] }, { securityDefinitions }));
  expect(model.securitySchemes).toMatchObject({
    basic: { type: 'http', scheme: 'basic' },
    key: { type: 'apiKey', in: 'query', name: 'k' },
    app: { type: 'oauth2', tokenUrl: 'https://a.b/token', scopes: { read: 'Read' } },
    code: { login: { authorizationUrl: 'https://a.b', tokenUrl: 'https://a.b/token' } },
  });
  expect(model.securitySchemes.code).not.toHaveProperty('tokenUrl');
});

test('the discriminator of Swagger 2.0 is a property name', async () => {
  const definitions = {
    Pet: {
      type: 'object',
      discriminator: 'kind',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
    },
    Cat: { allOf: [{ $ref: '#/definitions/Pet' }] },
  };
  const model = await modelOf(
    swagger(
      { responses: { 200: { description: 'D', schema: { $ref: '#/definitions/Pet' } } } },
      { definitions },
    ),
  );
  expect(model.schemas.Pet).toEqual({
    anyOf: [
      { $ref: '#/$defs/Cat', properties: { kind: { const: 'Cat' } } },
      { $ref: '#/$defs/Pet_base', properties: { kind: { const: 'Pet' } } },
    ],
  });
});
