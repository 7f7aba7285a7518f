/** The API behind the server that is attacked: an argument in every place that one can have. */

const text = { type: 'string' };
const inPath = (style) => [
  { name: 'id', in: 'path', required: true, schema: text, ...(style ? { style } : {}) },
];
const responses = { 200: { description: 'Fine.', content: { 'application/json': { schema: {} } } } };

function get(operationId, parameters) {
  return { get: { operationId, parameters, responses } };
}

/**
 * Patterns that take forever where they are tried step by step, with what a text repeats that nearly matches.
 * @type {[pattern: string, part: string][]}
 */
export const patterns = [
  ['^(a+)+$', 'a'],
  ['^(a|a)*$', 'a'],
  ['^(a|aa)+$', 'a'],
  ['^([a-zA-Z]+)*$', 'a'],
  ['^(.*a){20}$', 'a'],
  ['(x+x+)+y', 'x'],
  ['^(\\w+\\s?)*$', 'a'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ['^(a?){50}a{50}$', 'a'],
  ['^(?=(a+)+$)a', 'a'],
  ['^(?:(?:(?:a*)*)*)*$', 'a'],
  ['^([^@]+@?)+@$', 'a'],
  ['\\s+,?\\s+$', ' '],
  ['^(?:.|\\n)*?(?:.|\\n)*?(?:.|\\n)*?b$', 'a'],
  ['^(?:\\p{L}+\\p{L}*)+$', '\u00e9'],
];

export const document = {
  openapi: '3.1.0',
  info: { title: 'Target', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1/v1' }],
  paths: {
    '/files/{id}': get('simple', inPath()),
    '/label/{id}/end': get('label', inPath('label')),
    '/matrix/{id}/end': get('matrix', inPath('matrix')),
    '/whole/{id}': get('whole', [{ ...inPath()[0], allowReserved: true }]),
    '/list/{ids}': get('list', [
      { name: 'ids', in: 'path', required: true, schema: { type: 'array', items: text } },
    ]),
    '/exploded/{set}': get('exploded', [
      {
        name: 'set',
        in: 'path',
        required: true,
        explode: true,
        schema: { type: 'object', additionalProperties: text },
      },
    ]),
    '/files/{id}.{ending}': get('twoInOne', [
      ...inPath(),
      { name: 'ending', in: 'path', required: true, schema: text },
    ]),
    // Needs credentials of its caller, where there is an exchange.
    '/mine': { get: { ...get('mine', []).get, security: [{ user: [] }] } },
    // At a host of its own, with credentials of its own.
    '/abroad': {
      get: {
        ...get('abroad', []).get,
        servers: [{ url: 'http://abroad.example' }],
        security: [{ user: [] }],
      },
    },
    // At a host of its own, and nothing demands credentials there.
    '/foreign': { get: { ...get('foreign', []).get, servers: [{ url: 'http://foreign.example' }] } },
    // Needs a token of the server's own, which a token endpoint issues.
    '/issued': { get: { ...get('issued', []).get, security: [{ machine: [] }] } },
    '/search': get('search', [{ name: 'q', in: 'query', schema: text }]),
    '/reserved': get('reserved', [{ name: 'q', in: 'query', allowReserved: true, schema: text }]),
    '/traced': get('traced', [{ name: 'X-Trace', in: 'header', schema: text }]),
    '/kept': get('kept', [{ name: 'sid', in: 'cookie', schema: text }]),
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
      machine: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'http://id.example/token', scopes: {} } },
      },
    },
  },
};
