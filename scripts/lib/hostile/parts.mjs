/** Parts of the documents of attacks. */
const info = { title: 'T', version: '1' };
const servers = [{ url: 'https://api.example' }];

export function openapi(members) {
  return { openapi: '3.1.0', info, servers, ...members };
}

export function withSchema(schema, members = {}) {
  const content = { 'application/json': { schema } };
  const post = {
    operationId: 'send',
    requestBody: { content },
    responses: { 200: { description: 'Done', content } },
  };
  return openapi({ paths: { '/a': { post } }, ...members });
}

export function withOperation(operation, members = {}) {
  return openapi({
    paths: { '/a': { get: { operationId: 'send', responses: {}, ...operation } } },
    ...members,
  });
}

export function nest(levels, open, inner, close) {
  return open.repeat(levels) + inner + close.repeat(levels);
}

export function many(count, make) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
}

export const text = { type: 'string' };
export const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
