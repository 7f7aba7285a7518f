import type { ServerModel } from '../../src/model/server-model.ts';
import {
  derive,
  jsonBody,
  operation,
  origin,
  parameter,
  prompt,
  response,
  source,
} from '../derive/support.ts';

/** A model with every kind of item, as its own copy. */
export function wholeModel(): ServerModel {
  const pet = { $ref: '#/$defs/Pet' };
  const { model } = derive(
    source(
      [
        operation('POST /pets', {
          operationId: 'createPet',
          parameters: [parameter('query', 'dry-run', { type: 'boolean' })],
          body: jsonBody(pet, { required: false }),
          responses: [response('201', 'application/json', pet)],
          security: [{ key: [] }],
          tags: ['pets'],
        }),
        operation('GET /pets', {
          operationId: 'listPets',
          responses: [response('200', 'application/json', { type: 'array', items: pet })],
        }),
        operation('GET /pets/{pet-id}', {
          operationId: 'getPet',
          parameters: [
            parameter('query', 'status', { enum: ['sold', 'free'] }),
            parameter('query', 'n', { type: 'integer' }),
          ],
          responses: [response('200', 'application/json', pet)],
          xMcp: { icons: [{ src: 'https://e.com/i.png', theme: 'dark' }] },
        }),
        operation('PUT /pets/{id}/photo', {
          xMcp: { resource: 'only' },
          body: {
            origin,
            required: true,
            content: [{ origin, mediaType: 'image/png', kind: 'binary', schema: {} }],
          },
        }),
        prompt('adopt', { arguments: [{ name: 'kind', required: true, values: ['cat'] }] }),
      ],
      {
        security: [{ oauth: ['read'] }],
        securitySchemes: {
          key: { origin, type: 'apiKey', in: 'header', name: 'X-Key' },
          oauth: { origin, type: 'oauth2', scopes: {} },
        },
        schemas: {
          Pet: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, parent: { $ref: '#/$defs/Pet' }, any: true },
          },
        },
      },
    ),
  );
  return structuredClone(model);
}
