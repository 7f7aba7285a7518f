/** One small document for each diagnostic: what is told, how gravely, and where. */
import { expect, test } from 'vitest';
import { openapi, read, swagger, withOperation, withSchema } from './reading.ts';

const ok = { get: { responses: {} } };
const query = { name: 'q', in: 'query', schema: { type: 'string' } };
const bodySchema = '/paths/~1a/get/responses/200/content/application~1json/schema';

function schemaCase(schema: unknown): object {
  return withSchema(schema);
}

test.each<[name: string, document: unknown, told: string]>([
  ['not-openapi', { name: 'my-package', dependencies: {} }, 'error not-openapi '],
  ['unsupported-version', { swagger: '1.2' }, 'error unsupported-version /swagger'],
  [
    'newer-version',
    { ...openapi({ paths: { '/a': ok } }), openapi: '3.9.0' },
    'warning newer-version /openapi',
  ],
  ['no-operations', openapi({ paths: {} }), 'error no-operations /paths'],
  ['no-operations', openapi({ webhooks: { created: { post: {} } } }), 'error no-operations /paths'],
  [
    'webhooks-left-out',
    openapi({ paths: { '/a': ok }, webhooks: { created: { post: {} } } }),
    'info webhooks-left-out /webhooks',
  ],
  [
    'webhooks-left-out',
    withOperation({ callbacks: { onEvent: { '{$request.body#/url}': { post: {} } } } }),
    'info webhooks-left-out /paths/~1a/get/callbacks',
  ],
  [
    'invalid-piece',
    withOperation({ parameters: 'limit' }),
    'warning invalid-piece /paths/~1a/get/parameters',
  ],
  [
    'unknown-path-field',
    openapi({ paths: { '/a': { ...ok, GET: {} } } }),
    'warning unknown-path-field /paths/~1a/GET',
  ],
  ['path-without-slash', openapi({ paths: { pets: ok } }), 'warning path-without-slash /paths/pets'],
  [
    'path-parameter-not-declared',
    openapi({ paths: { '/a/{id}': ok } }),
    'warning path-parameter-not-declared /paths/~1a~1{id}/get',
  ],
  [
    'parameter-ignored',
    withOperation({ parameters: [{ name: 'id', in: 'path', required: true, schema: {} }] }),
    'warning parameter-ignored /paths/~1a/get/parameters/0',
  ],
  ['path-with-query', openapi({ paths: { '/a?b=1': ok } }), 'info path-with-query /paths/~1a?b=1'],
  [
    'duplicate-operation-id',
    openapi({ paths: { '/a': { get: { operationId: 'x' }, put: { operationId: 'x' } } } }),
    'warning duplicate-operation-id /paths/~1a/put/operationId',
  ],
  [
    'parameter-ignored',
    withOperation({ parameters: [{ in: 'query', schema: {} }] }),
    'warning parameter-ignored /paths/~1a/get/parameters/0',
  ],
  [
    'parameter-ignored',
    withOperation({ parameters: [{ name: 'id', in: 'url', schema: {} }] }),
    'warning parameter-ignored /paths/~1a/get/parameters/0',
  ],
  [
    'parameter-ignored',
    withOperation({ parameters: [query, { ...query, required: true }] }),
    'warning parameter-ignored /paths/~1a/get/parameters/1',
  ],
  [
    'header-parameter-ignored',
    withOperation({ parameters: [{ name: 'accept', in: 'header', schema: {} }] }),
    'info header-parameter-ignored /paths/~1a/get/parameters/0',
  ],
  [
    'header-parameter-ignored',
    {
      ...withOperation({ parameters: [{ name: 'Authorization', in: 'header', schema: {} }] }),
      components: { securitySchemes: { a: { type: 'http', scheme: 'bearer' } } },
    },
    'info header-parameter-ignored /paths/~1a/get/parameters/0',
  ],
  [
    'header-parameter-ignored',
    withOperation({ parameters: [{ name: 'Host', in: 'header', schema: {} }] }),
    'info header-parameter-ignored /paths/~1a/get/parameters/0',
  ],
  [
    'parameter-ignored',
    withOperation({ parameters: [{ name: 'X\r\nEvil: 1', in: 'header', schema: {} }] }),
    'warning parameter-ignored /paths/~1a/get/parameters/0',
  ],
  [
    'parameter-without-schema',
    withOperation({ parameters: [{ name: 'q', in: 'query' }] }),
    'warning parameter-without-schema /paths/~1a/get/parameters/0',
  ],
  [
    'invalid-style',
    withOperation({ parameters: [{ ...query, style: 'matrix' }] }),
    'warning invalid-style /paths/~1a/get/parameters/0/style',
  ],
  [
    'invalid-style',
    swagger({
      parameters: [{ name: 'q', in: 'header', type: 'array', items: {}, collectionFormat: 'multi' }],
    }),
    'warning invalid-style /paths/~1a/post/parameters/0/collectionFormat',
  ],
  [
    'parameter-ignored',
    swagger({
      parameters: [
        { name: 'b', in: 'body', schema: {} },
        { name: 'f', in: 'formData', type: 'string' },
      ],
    }),
    'warning parameter-ignored /paths/~1a/post',
  ],
  [
    'invalid-security-scheme',
    withOperation({ security: [{ missing: [] }] }),
    'warning invalid-security-scheme /paths/~1a/get/security/0/missing',
  ],
  [
    'invalid-security-scheme',
    withOperation(
      {},
      { components: { securitySchemes: { key: { type: 'apiKey', in: 'body', name: 'k' } } } },
    ),
    'warning invalid-security-scheme /components/securitySchemes/key',
  ],
  [
    'invalid-server',
    withOperation({ servers: [{ url: 'ftp://x' }] }),
    'warning invalid-server /paths/~1a/get/servers/0',
  ],
  ...['https://', 'https:///v1', 'http://?a', 'https://a b', 'https://a:x', 'https://a:99999{b}'].map(
    (url): [string, object, string] => [
      'invalid-server',
      withOperation({ servers: [{ url }] }),
      'warning invalid-server /paths/~1a/get/servers/0',
    ],
  ),
  [
    'server-variable-without-default',
    withOperation({}, { servers: [{ url: 'https://{region}.example.com' }] }),
    'warning server-variable-without-default /servers/0',
  ],
  [
    'server-variable-without-default',
    withOperation({}, { servers: [{ url: 'https://{host}', variables: { host: { default: '' } } }] }),
    'warning server-variable-without-default /servers/0/variables/host',
  ],
  [
    'rule-without-effect',
    withOperation({ parameters: [{ name: 'a', in: 'query', schema: { 'x-mcp': { hide: true } } }] }),
    'warning rule-without-effect /paths/~1a/get/parameters/0/schema/x-mcp',
  ],
  [
    'invalid-method',
    openapi({ paths: { '/a': { ...ok, additionalOperations: { 'A B': {} } } } }),
    'warning invalid-method /paths/~1a/additionalOperations/A B',
  ],
  ['missing-title', withOperation({}, { info: { version: '1' } }), 'warning missing-title /info'],
  ['invalid-schema', schemaCase(null), `warning invalid-schema ${bodySchema}`],
  ['invalid-keyword', schemaCase({ type: 'datetime' }), `warning invalid-keyword ${bodySchema}/type`],
  [
    'guarded-pattern',
    schemaCase({ type: 'string', pattern: '^(a+)+$' }),
    `info guarded-pattern ${bodySchema}/pattern`,
  ],
  [
    'pattern-removed',
    schemaCase({ type: 'string', pattern: '^(.)\\1$' }),
    `warning pattern-removed ${bodySchema}/pattern`,
  ],
  [
    'field-without-effect',
    withOperation({ requestBody: { content: { 'application/json': { encoding: {} } } } }),
    'info field-without-effect /paths/~1a/get/requestBody/content/application~1json/encoding',
  ],
  [
    'invalid-keyword',
    schemaCase({ type: 'string', maxLength: -1 }),
    `warning invalid-keyword ${bodySchema}/maxLength`,
  ],
  [
    'invalid-keyword',
    schemaCase({ type: 'object', properties: { id: { type: 'string', required: true } } }),
    `warning invalid-keyword ${bodySchema}/properties/id/required`,
  ],
  [
    'value-of-other-type',
    schemaCase({ type: 'string', enum: [1, 2] }),
    `warning value-of-other-type ${bodySchema}/enum`,
  ],
  [
    'dynamic-ref',
    withSchema({ $dynamicRef: '#/components/schemas/Node' }, { Node: {} }),
    `warning dynamic-ref ${bodySchema}`,
  ],
])('%s', async (_name, document, told) => {
  expect((await read(document)).told).toEqual([told]);
});

test('the first use of a duplicate operationId is a related place', async () => {
  const { found } = await read(
    openapi({ paths: { '/a': { get: { operationId: 'x' } }, '/b': { get: { operationId: 'x' } } } }),
  );
  expect(found[0]?.related?.map(({ origin }) => origin)).toEqual([
    { kind: 'document', file: '<stdin>', pointer: '/paths/~1a/get/operationId' },
  ]);
});

test.each<[given: unknown, looksLike: string]>([
  [{ asyncapi: '3.0.0' }, 'an AsyncAPI document'],
  [{ info: {}, item: [] }, 'a Postman collection'],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }, 'a JSON Schema'],
  [{ paths: { '/a': {} } }, 'an OpenAPI document without its `openapi` member'],
  [[], 'a list'],
  ['<!DOCTYPE html><html></html>', 'an HTML or XML page'],
  ['just words', 'plain text'],
  [{ a: 1, b: 2 }, 'an object with "a", "b"'],
])('%j looks like %s', async (given, looksLike) => {
  const { found, model } = await read(given);
  expect(model).toBeUndefined();
  expect(found.map(({ name }) => name)).toEqual(['not-openapi']);
  expect(found[0]?.message).toContain(`it looks like ${looksLike}.`);
});
