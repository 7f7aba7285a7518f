/** Operations of OpenAPI 3.0 to 3.2, given beside want. */
import { expect, test } from 'vitest';
import type { Operation, Parameter } from '../../../src/model/source-model.ts';
import { firstOperation, modelOf, openapi, operationsOf, read, withOperation, without } from './reading.ts';

async function operation(members: object, document: object = {}, version = '3.1.0'): Promise<Operation> {
  return firstOperation(await modelOf(withOperation(members, document, version)));
}

function plain(value: Parameter): object {
  return without(value, 'origin');
}

const text = { type: 'string' };

test.each<[version: string, written: boolean | undefined, explode: boolean | undefined]>([
  ['3.0.0', false, undefined],
  ['3.0.3', undefined, undefined],
  ['3.0.3', true, true],
  ['3.0.4', undefined, false],
  ['3.0.10', false, false],
  ['3.1.0', false, undefined],
  ['3.1.0-rc1', undefined, undefined],
  ['3.1.1', false, false],
  ['3.1', undefined, false],
  ['3.2.0', undefined, false],
])('a label of OpenAPI %s with explode %s', async (version, written, explode) => {
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    style: 'label',
    schema: { type: 'array', items: text },
    ...(written === undefined ? {} : { explode: written }),
  };
  const model = await modelOf(openapi({ paths: { '/{id}': { get: { parameters: [id] } } } }, version));
  const [parameter] = firstOperation(model).parameters;
  expect(parameter?.style).toBe('label');
  expect(parameter?.explode).toBe(explode);
});

test.each<[what: string, given: object, want: object]>([
  [
    'a query parameter',
    { name: 'q', in: 'query', schema: text },
    { name: 'q', in: 'query', required: false, schema: text },
  ],
  [
    'defaults written out',
    { name: 'q', in: 'query', style: 'form', explode: true, allowReserved: false, schema: text },
    { name: 'q', in: 'query', required: false, schema: text },
  ],
  [
    'another style',
    { name: 'q', in: 'query', style: 'pipeDelimited', explode: false, schema: text },
    { name: 'q', in: 'query', required: false, style: 'pipeDelimited', schema: text },
  ],
  [
    'form without explode',
    { name: 'q', in: 'query', explode: false, schema: text },
    { name: 'q', in: 'query', required: false, explode: false, schema: text },
  ],
  [
    'deepObject',
    { name: 'f', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
    { name: 'f', in: 'query', required: false, style: 'deepObject', schema: { type: 'object' } },
  ],
  [
    'a cookie of OpenAPI 3.2',
    { name: 'c', in: 'cookie', style: 'cookie', schema: text },
    { name: 'c', in: 'cookie', required: false, style: 'cookie', schema: text },
  ],
  [
    'switches and words',
    {
      name: 'q',
      in: 'query',
      required: true,
      deprecated: true,
      allowReserved: true,
      allowEmptyValue: true,
      description: ' D ',
      schema: text,
    },
    {
      name: 'q',
      in: 'query',
      required: true,
      deprecated: true,
      allowReserved: true,
      allowEmptyValue: true,
      description: 'D',
      schema: text,
    },
  ],
  [
    'content',
    { name: 'q', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    { name: 'q', in: 'query', required: false, mediaType: 'application/json', schema: { type: 'object' } },
  ],
  [
    'the whole query string',
    {
      name: 'all',
      in: 'querystring',
      content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
    },
    {
      name: 'all',
      in: 'querystring',
      required: false,
      mediaType: 'application/x-www-form-urlencoded',
      schema: { type: 'object' },
    },
  ],
  [
    'a wire name with signs',
    { name: 'ids[]', in: 'query', schema: text },
    { name: 'ids[]', in: 'query', required: false, schema: text },
  ],
])('parameter: %s', async (_what, given, want) => {
  expect((await operation({ parameters: [given] })).parameters.map(plain)).toEqual([want]);
});

test('path-level parameters are merged, the operation wins, header names know no case', async () => {
  const parameter = (name: string, place: string, description: string): object => ({
    name,
    in: place,
    description,
    schema: text,
  });
  const model = await modelOf(
    openapi({
      paths: {
        '/a/{id}': {
          parameters: [
            { ...parameter('id', 'path', 'path'), required: true },
            parameter('X-A', 'header', 'path'),
            parameter('q', 'query', 'path'),
          ],
          get: { parameters: [parameter('x-a', 'header', 'own'), { $ref: '#/components/parameters/q' }] },
        },
      },
      components: { parameters: { q: parameter('q', 'query', 'shared') } },
    }),
  );
  expect(
    firstOperation(model).parameters.map(
      ({ in: place, name, description }) => `${place} ${name} ${String(description)}`,
    ),
  ).toEqual(['path id path', 'header x-a own', 'query q shared']);
});

test.each<[mediaType: string, schema: object | undefined, kind: string]>([
  ['application/json', {}, 'json'],
  ['application/vnd.api+json; charset=utf-8', {}, 'json'],
  ['application/json-patch+json', {}, 'json'],
  ['*/*', {}, 'json'],
  ['*/*', { type: 'string', format: 'binary' }, 'binary'],
  ['application/x-www-form-urlencoded', {}, 'form'],
  ['multipart/form-data', {}, 'multipart'],
  ['multipart/mixed', {}, 'multipart'],
  ['application/xml', {}, 'xml'],
  ['image/svg+xml', {}, 'xml'],
  ['text/plain', {}, 'text'],
  ['application/yaml', {}, 'text'],
  ['application/octet-stream', {}, 'binary'],
  ['image/*', undefined, 'binary'],
  ['application/vnd.acme', { type: 'object' }, 'binary'],
  ['application/vnd.acme', {}, 'binary'],
])('a body of %s with %j is %s', async (mediaType, schema, kind) => {
  const content = { [mediaType]: schema === undefined ? {} : { schema } };
  expect((await operation({ requestBody: { content } })).body?.content).toMatchObject([{ mediaType, kind }]);
});

test.each<[what: string, mediaType: string, media: object, want: object]>([
  [
    'bytes without a schema',
    'application/octet-stream',
    {},
    { schema: { type: 'string', format: 'binary' } },
  ],
  [
    'bytes with an empty schema',
    'image/png',
    { schema: { description: 'D' } },
    { schema: { type: 'string', format: 'binary', description: 'D' } },
  ],
  [
    'base64 on the wire',
    'image/png',
    { schema: { type: 'string', contentEncoding: 'base64' } },
    { schema: { type: 'string', contentEncoding: 'base64' } },
  ],
  ['text with an odd schema', 'text/csv', { schema: { type: 'array', items: {} } }, { schema: text }],
  [
    'a sequence of items',
    'application/jsonl',
    { itemSchema: { type: 'object' } },
    { schema: { type: 'array', items: { type: 'object' } } },
  ],
  [
    'a sequence, as a whole and item by item',
    'application/json-seq',
    { schema: { type: 'array', maxItems: 3 }, itemSchema: text },
    {
      schema: {
        type: 'array',
        allOf: [
          { type: 'array', maxItems: 3 },
          { type: 'array', items: text },
        ],
      },
    },
  ],
  ['a sequence of anything', 'application/x-ndjson', {}, { schema: true }],
  [
    'parts without a type',
    'multipart/form-data',
    { schema: { type: 'object', properties: { file: {}, name: text } } },
    { schema: { type: 'object', properties: { file: {}, name: text } }, untypedParts: 'bytes' },
  ],
])('body: %s', async (_what, mediaType, media, want) => {
  const { body } = await operation({ requestBody: { content: { [mediaType]: media } } });
  expect(without(body?.content[0], 'origin', 'kind', 'mediaType')).toEqual(want);
});

test('references to bodies, responses and (3.2) media types', async () => {
  const components = {
    requestBodies: {
      B: { required: true, content: { 'application/json': { $ref: '#/components/mediaTypes/M' } } },
    },
    responses: {
      R: { description: 'D', content: { 'application/json': { $ref: '#/components/mediaTypes/M' } } },
    },
    mediaTypes: { M: { schema: text } },
  };
  const { body, responses } = await operation(
    {
      requestBody: { $ref: '#/components/requestBodies/B' },
      responses: { '2xx': { $ref: '#/components/responses/R' }, 404: { description: 'gone' } },
    },
    { components },
    '3.2.0',
  );
  expect(body).toMatchObject({
    required: true,
    content: [{ schema: text }],
    origin: { pointer: '/components/requestBodies/B' },
  });
  expect(responses).toMatchObject([
    { status: '404', description: 'gone', content: [] },
    { status: '2XX', description: 'D', content: [{ mediaType: 'application/json', schema: text }] },
  ]);
});

test('every method is an operation, once and in upper case', async () => {
  const names = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
  const item = Object.fromEntries(names.map((name) => [name, {}]));
  const { model, told } = await read(
    openapi(
      {
        paths: {
          '/a': {
            ...item,
            additionalOperations: { copy: {}, COPY: {}, link: {}, Link: {}, GET: {}, put: {} },
          },
          'x-note': {},
        },
      },
      '3.2.0',
    ),
  );
  const at = 'warning invalid-method /paths/~1a/additionalOperations';
  expect(told).toEqual(['COPY', 'Link', 'GET', 'put'].map((name) => `${at}/${name}`));
  expect(model && operationsOf(model).map(({ method }) => method)).toEqual([
    ...names.map((name) => name.toUpperCase()),
    'COPY',
    'LINK',
  ]);
});

test('words, tags and deprecation; the path speaks for an operation without words', async () => {
  const model = await modelOf(
    openapi({
      paths: {
        '/a': {
          summary: 'Path',
          description: 'Of the path',
          get: { tags: ['t', 't', 1] },
          put: { summary: ' Own ', deprecated: true },
        },
      },
    }),
  );
  expect(operationsOf(model)).toMatchObject([
    { summary: 'Path', description: 'Of the path', tags: ['t', '1'] },
    { summary: 'Own', deprecated: true, tags: [] },
  ]);
  expect(operationsOf(model)[1]?.description).toBeUndefined();
});

test('faulty pieces cost only themselves', async () => {
  const { model, told } = await read(
    openapi({
      paths: {
        '/a': {
          get: {
            parameters: [null, { name: 'q', in: 'query', schema: text }],
            responses: [],
            requestBody: 'x',
            tags: 'y',
            security: 'z',
          },
        },
        '/b': null,
        '/c': [],
      },
    }),
  );
  expect(told.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
    Array(6).fill('warning invalid-piece'),
  );
  expect(model && firstOperation(model).parameters).toHaveLength(1);
});

test("the servers of an operation, else of its path, replace the root's", async () => {
  const at = (url: string): object => ({ servers: [{ url }] });
  const model = await modelOf(
    openapi({
      paths: { '/a': { ...at('https://path.io'), get: at('https://own.io'), put: {} }, '/b': { get: {} } },
    }),
  );
  expect(operationsOf(model).map(({ servers }) => servers)).toEqual([
    [{ url: 'https://own.io' }],
    [{ url: 'https://path.io' }],
    undefined,
  ]);
});

test('server variables, with their enums and numbers', async () => {
  const variables = { region: { default: 'eu', enum: ['eu', 'us'] }, port: { default: 443 } };
  const model = await modelOf(
    withOperation({}, { servers: [{ url: 'https://{region}.x.io:{port}', variables }] }),
  );
  expect(model.servers).toEqual([
    {
      url: 'https://{region}.x.io:{port}',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] }, port: { default: '443' } },
    },
  ]);
});

test.each(['https://a.test:8443{base}', 'https://a.test:8443{base}/x', 'https://{host}:443{base}{rest}'])(
  'variables are text, which may begin behind a port: %s',
  async (url) => {
    const variables = { host: { default: 'a.test' }, base: { default: '/v1' }, rest: { default: '' } };
    const { model, told } = await read(withOperation({}, { servers: [{ url, variables }] }));
    expect(told).toEqual([]);
    expect(model?.servers).toMatchObject([{ url, variables: { base: { default: '/v1' } } }]);
  },
);

test('security: schemes, requirements, none, and what cannot be used', async () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    basic: { type: 'http', scheme: 'Basic' },
    oauth: {
      type: 'oauth2',
      flows: {
        clientCredentials: { tokenUrl: 'https://a.b/token', scopes: { read: 'Read' } },
        implicit: { authorizationUrl: 'https://a.b', scopes: { write: 'Write' } },
      },
    },
    oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://a.b/.well-known' },
    device: { type: 'oauth2', oauth2MetadataUrl: 'https://a.b/meta', flows: {} },
    words: { type: 'http', scheme: 'two words' },
    person: {
      type: 'oauth2',
      flows: {
        authorizationCode: { authorizationUrl: 'https://a.b/authorize', tokenUrl: '/token', scopes: {} },
        deviceAuthorization: { deviceAuthorizationUrl: 'https://a.b/device', tokenUrl: '/token', scopes: {} },
      },
      'x-mcp': { login: { resource: 'https://a.b/api', other: 'x', issuer: 1 } },
    },
    bearer: { type: 'http', scheme: 'bearer', 'x-mcp': { login: { issuer: 'https://id.b' } } },
    mtls: { type: 'mutualTLS', description: 'D' },
    broken: { type: 'magic' },
  };
  const { model, told } = await read(
    openapi({
      security: [{ key: [] }, { oauth: ['read'], basic: [] }],
      paths: {
        '/a': { get: {}, put: { security: [] }, post: { security: [{ broken: [] }, { key: [] }, {}] } },
      },
      components: { securitySchemes },
    }),
  );
  expect(told).toEqual([
    'warning invalid-security-scheme /components/securitySchemes/words',
    'warning invalid-security-scheme /components/securitySchemes/broken',
  ]);
  expect(model?.securitySchemes).toMatchObject({
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    basic: { type: 'http', scheme: 'Basic' },
    oauth: { type: 'oauth2', tokenUrl: 'https://a.b/token', scopes: { read: 'Read', write: 'Write' } },
    oidc: { type: 'openIdConnect', url: 'https://a.b/.well-known' },
    device: { type: 'oauth2', metadataUrl: 'https://a.b/meta' },
    person: {
      type: 'oauth2',
      login: {
        authorizationUrl: 'https://a.b/authorize',
        deviceAuthorizationUrl: 'https://a.b/device',
        tokenUrl: '/token',
        resource: 'https://a.b/api',
      },
    },
    bearer: { type: 'oauth2', login: { issuer: 'https://id.b' } },
    mtls: { type: 'mutualTLS', description: 'D' },
  });
  expect(model?.security).toEqual([{ key: [] }, { oauth: ['read'], basic: [] }]);
  expect(model && operationsOf(model).map(({ security }) => security)).toEqual([
    undefined,
    [],
    [{ key: [] }, {}],
  ]);
});
