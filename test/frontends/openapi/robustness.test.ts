/** Every value of a document, replaced by every kind of wrong value: faults are diagnostics, never a throw. */
import { expect, test } from 'vitest';
import type { SourceModel } from '../../../src/model/source-model.ts';
import { openapi, read, swagger } from './reading.ts';

const schema = {
  type: 'object',
  required: ['a'],
  nullable: true,
  properties: {
    a: { type: 'string', enum: ['x'], pattern: '^x$', format: 'date' },
    b: { $ref: '#/components/schemas/B' },
  },
  additionalProperties: {
    oneOf: [{ $ref: '#/components/schemas/B' }],
    discriminator: { propertyName: 'k', mapping: { b: 'B' } },
  },
};

const documents: Record<string, object> = {
  'OpenAPI 3.2': openapi(
    {
      $self: 'https://example.com/api',
      security: [{ key: [] }],
      'x-mcp': {
        name: 'n',
        annotations: { readOnlyHint: true },
        scopes: ['s'],
        icons: [{ src: 'https://a.b' }],
      },
      'x-mcp-prompts': [
        { name: 'p', arguments: [{ name: 'c', enum: ['a'] }], messages: [{ role: 'user', text: '{{c}}' }] },
      ],
      webhooks: { w: { post: {} } },
      paths: {
        '/a/{id}': {
          servers: [{ url: 'https://{r}.x', variables: { r: { default: 'eu', enum: ['eu'] } } }],
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          post: {
            operationId: 'o',
            tags: ['t'],
            parameters: [
              { $ref: '#/components/parameters/P' },
              { name: 'f', in: 'query', content: { 'application/json': { schema } } },
            ],
            requestBody: {
              content: {
                'multipart/form-data': {
                  schema,
                  encoding: { a: { headers: { X: { schema: { const: 'v' } } } } },
                },
              },
            },
            responses: { 200: { description: 'D', content: { 'application/json': { schema } } } },
            callbacks: { c: {} },
            security: [{ oauth: ['s'] }],
          },
          additionalOperations: { COPY: {} },
        },
      },
      components: {
        schemas: {
          B: { allOf: [{ $ref: '#/components/schemas/C' }] },
          C: { discriminator: { propertyName: 'k' }, properties: { k: {} } },
        },
        parameters: {
          P: { name: 'p', in: 'query', style: 'form', example: 'e', schema: { type: 'string' } },
        },
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'K' },
          oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 't', scopes: { s: 'S' } } } },
        },
      },
    },
    '3.2.0',
  ),
  'Swagger 2.0': swagger(
    {
      consumes: ['application/json'],
      schemes: ['https'],
      parameters: [
        { name: 'q', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'csv' },
        { name: 'b', in: 'formData', type: 'file' },
      ],
      responses: { 200: { description: 'D', schema: { $ref: '#/definitions/A' } } },
    },
    {
      basePath: '/v1',
      definitions: { A: { type: 'object', discriminator: 'k', properties: { k: { type: 'string' } } } },
      securityDefinitions: { o: { type: 'oauth2', flow: 'application', tokenUrl: 't', scopes: { s: 'S' } } },
    },
  ),
};

const oddValues: unknown[] = [
  null,
  true,
  0,
  -1.5,
  '',
  'x',
  [],
  [null],
  {},
  { $ref: '#' },
  { $ref: '#/nowhere' },
  { $ref: 7 },
];

/** All places of a value, as paths of keys. */
function places(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => places(member, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: string[], odd: unknown): unknown {
  if (key === undefined) return odd;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...(value as unknown[])]
    : { ...(value as object) };
  Reflect.set(copy, key, replaced(Reflect.get(copy, key), rest, odd));
  return copy;
}

test.each(Object.keys(documents))('%s with any value replaced', async (name) => {
  const document = documents[name];
  const wrong: unknown[] = [];
  for (const place of places(document)) {
    for (const odd of oddValues) {
      const { model, found } = await read(replaced(document, place, odd));
      const complained = found.some(({ severity }) => severity === 'error');
      // No model without an error, no error with a model, and no reference to nothing.
      if ((model === undefined) !== complained || hasDanglingReference(model)) wrong.push([place, odd]);
    }
  }
  expect(wrong).toEqual([]);
});

function hasDanglingReference(model: SourceModel | undefined): boolean {
  const { schemas, capabilities } = model ?? {};
  const references = JSON.stringify({ schemas, capabilities }).matchAll(/"\$ref":"([^"]*)"/g);
  return [...references].some(([, target = '']) => {
    // Other texts stand in data: an enum member may be any value.
    const missing = target.startsWith('#/$defs/') && !Object.hasOwn(schemas ?? {}, target.slice(8));
    return target === '' || missing;
  });
}
