/** An OpenAPI document of 1,000 ordinary operations. */

const kinds = ['plants', 'tools', 'seeds', 'pots', 'books'];

/** @returns {object} */
export function thousandOperations() {
  const paths = {};
  for (let at = 0; at < 500; at++) {
    const kind = `${kinds[at % kinds.length]}${at}`;
    paths[`/${kind}/{id}`] = { get: read(kind), post: write(kind) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Thousand', version: '1.0.0' },
    servers: [{ url: 'http://127.0.0.1:1' }],
    paths,
    components: { schemas: { Item: item } },
  };
}

const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Its number.',
  schema: { type: 'integer' },
};
const limit = {
  name: 'limit',
  in: 'query',
  description: 'How many at most.',
  schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
};
const item = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', description: 'What people call it.' },
    price: { type: 'integer', minimum: 0, description: 'In cents.' },
    tags: { type: 'array', items: { type: 'string' } },
    state: { type: 'string', enum: ['new', 'used', 'gone'] },
  },
};
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } };

function read(kind) {
  return {
    operationId: `read_${kind}`,
    summary: `Read ${kind}`,
    description: `Reads one of the ${kind} by its number, with what belongs to it.`,
    parameters: [id, limit],
    responses: { 200: { description: 'It.', content } },
  };
}

function write(kind) {
  return {
    operationId: `write_${kind}`,
    summary: `Change ${kind}`,
    parameters: [id],
    requestBody: { required: true, content },
    responses: { 200: { description: 'It.', content } },
  };
}
