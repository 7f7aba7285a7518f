/** The API whose speed is measured, and what is asked of it: an item is read, and an item is written. */

const item = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    description: { type: 'string' },
    price: { type: 'integer', minimum: 0 },
    currency: { type: 'string', enum: ['EUR', 'USD'] },
    tags: { type: 'array', items: { type: 'string' } },
    stock: {
      type: 'object',
      properties: { warehouse: { type: 'string' }, count: { type: 'integer' } },
    },
    created: { type: 'string', format: 'date-time' },
    updated: { type: 'string', format: 'date-time' },
  },
};
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } };

export const document = {
  openapi: '3.0.4',
  info: { title: 'Items', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: {
    '/items/{id}': {
      get: {
        operationId: 'readItem',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'lang', in: 'query', schema: { type: 'string', enum: ['en', 'de'] } },
          { name: 'verbose', in: 'query', schema: { type: 'boolean' } },
        ],
        responses: { 200: { description: 'The item.', content } },
      },
    },
    '/items': {
      post: {
        operationId: 'writeItem',
        requestBody: { required: true, content },
        responses: { 201: { description: 'The item.', content } },
      },
    },
  },
  components: { schemas: { Item: item } },
};

/** About 300 bytes of JSON. */
export function itemOf(id) {
  return {
    id,
    name: `Item ${id}`,
    description: 'An ordinary thing of an ordinary shop, with some ordinary words to say what it is.',
    price: 1999,
    currency: 'EUR',
    tags: ['new', 'blue', 'wood'],
    stock: { warehouse: 'north', count: 12 },
    created: '2025-01-01T00:00:00Z',
    updated: '2025-06-01T12:30:00Z',
  };
}

/** Measured items, each with the call of the tool, also for a peer that keeps the body as one argument, and with the request. */
export const operations = {
  read: {
    tool: 'readItem',
    argumentsOf: (id) => ({ id, lang: 'en', verbose: true }),
    peerArgumentsOf: (id) => ({ id, lang: 'en', verbose: true }),
    requestOf: (id) => ({ method: 'GET', path: `/items/${id}?lang=en&verbose=true` }),
  },
  write: {
    tool: 'writeItem',
    argumentsOf: itemOf,
    peerArgumentsOf: (id) => ({ requestBody: itemOf(id) }),
    requestOf: (id) => ({ method: 'POST', path: '/items', body: JSON.stringify(itemOf(id)) }),
  },
};

/** @returns {import('../bench-runtime/stdio-load.mjs').Question} for an emitted server of ours */
export function question({ tool, argumentsOf }) {
  return { ask: (id) => callText(id, tool, argumentsOf(id)), check: checkResult };
}

/** @returns {import('../bench-runtime/stdio-load.mjs').Question} for an emitted server of the peer's */
export function peerQuestion({ tool, peerArgumentsOf }) {
  return { ask: (id) => callText(id, tool, peerArgumentsOf(id)), check: checkPeerResult };
}

function callText(id, name, args) {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
}

function checkResult(message) {
  const { id, result } = JSON.parse(message);
  const expected = JSON.stringify(itemOf(id));
  const isRight =
    result?.isError !== true &&
    result?.content?.[0]?.text === expected &&
    JSON.stringify(result.structuredContent) === expected;
  return isRight ? id : refuse(message);
}

/** Its text has words before the JSON. */
function checkPeerResult(message) {
  const { id, result } = JSON.parse(message);
  const text = result?.content?.[0]?.text ?? '';
  const json = text.slice(text.indexOf('{'));
  const isRight = json !== '' && JSON.stringify(JSON.parse(json)) === JSON.stringify(itemOf(id));
  return isRight ? id : refuse(message);
}

function refuse(message) {
  throw new Error(`A wrong answer: ${message.slice(0, 500)}`);
}
