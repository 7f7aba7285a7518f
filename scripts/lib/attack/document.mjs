/** The API behind the server that is attacked. */

const text = { type: 'string' };
const id = { name: 'id', in: 'path', required: true, schema: text };
const responses = { 200: { description: 'Fine.', content: { 'application/json': { schema: {} } } } };

function get(operationId, parameters) {
  return { get: { operationId, parameters, responses } };
}

/** Patterns that take forever where they are tried step by step, with what a text repeats that nearly matches. */
export const patterns = [
  ['^(a+)+$', 'a'],
  ['\\s+,?\\s+$', ' '],
];

export const document = {
  openapi: '3.1.0',
  info: { title: 'Target', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1/v1' }],
  paths: {
    '/files/{id}': get('simple', [id]),
    '/whole/{id}': get('whole', [{ ...id, allowReserved: true }]),
    // Needs credentials of its caller, where there is an exchange.
    '/mine': { get: { ...get('mine', []).get, security: [{ user: [] }] } },
    // At a host of its own, and nothing demands credentials there.
    '/foreign': { get: { ...get('foreign', []).get, servers: [{ url: 'http://foreign.example' }] } },
    '/search': get('search', [{ name: 'q', in: 'query', schema: text }]),
    '/traced': get('traced', [{ name: 'X-Trace', in: 'header', schema: text }]),
    '/matched': get(
      'matched',
      patterns.map(([pattern], at) => ({ name: `t${at}`, in: 'query', schema: { ...text, pattern } })),
    ),
    // A schema that contains itself in each of three alternatives, and an answer of which members can be chosen.
    '/filtered': {
      post: {
        operationId: 'filtered',
        'x-mcp': { fields: true },
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { filter: { $ref: '#/components/schemas/Filter' } } },
            },
          },
        },
        responses: {
          200: {
            description: 'Fine.',
            content: { 'application/json': { schema: { type: 'object', properties: { id: text } } } },
          },
        },
      },
    },
    '/files': {
      put: {
        operationId: 'upload',
        requestBody: {
          required: true,
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
        responses,
      },
    },
    '/objects': {
      post: {
        operationId: 'store',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: { name: text } } } },
        },
        responses,
      },
    },
  },
  components: {
    schemas: {
      Filter: {
        oneOf: ['and', 'or', 'not'].map((op) => ({
          type: 'object',
          properties: {
            op: { const: op },
            args: { type: 'array', items: { $ref: '#/components/schemas/Filter' } },
          },
        })),
      },
    },
    securitySchemes: {
      user: { type: 'http', scheme: 'bearer' },
    },
  },
};
