/** An OpenAPI document of 1,000 ordinary operations. */
const text = { type: 'string' };
const schema = { type: 'integer' };
const id = { name: 'id', in: 'path', required: true, description: 'Its number.', schema };
const limit = {
  name: 'limit',
  in: 'query',
  description: 'How many at most.',
  schema: { ...schema, minimum: 1, maximum: 100, default: 20 },
};
const Item = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { ...text, description: 'What people call it.' },
    price: { ...schema, minimum: 0, description: 'In cents.' },
    tags: { type: 'array', items: text },
    state: { ...text, enum: ['new', 'used', 'gone'] },
  },
};
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } };
const responses = { 200: { description: 'It.', content } };

export function thousandOperations() {
  const paths = {};
  for (let at = 0; at < 500; at++) {
    const kind = `${['plants', 'tools', 'seeds', 'pots', 'books'][at % 5]}${at}`;
    const description = `Reads one of the ${kind} by its number, with what belongs to it.`;
    const read = { operationId: `read_${kind}`, summary: `Read ${kind}`, description };
    const write = { operationId: `write_${kind}`, summary: `Change ${kind}` };
    paths[`/${kind}/{id}`] = {
      get: { ...read, parameters: [id, limit], responses },
      post: { ...write, parameters: [id], requestBody: { required: true, content }, responses },
    };
  }
  const info = { title: 'Thousand', version: '1.0.0' };
  const servers = [{ url: 'http://127.0.0.1:1' }];
  return { openapi: '3.1.0', info, servers, paths, components: { schemas: { Item } } };
}
