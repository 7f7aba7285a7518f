// Parts of the documents of attacks.
export interface Bomb {
  what: string;
  /** A document as JSON, or the text of one. */
  document: object | string;
  /** Names of diagnostics that must be among those told. Default: none */
  told?: string[];
  /** Whether there is a server all the same. Default: true */
  served?: boolean;
}

const info = { title: 'T', version: '1' };
const servers = [{ url: 'https://api.example' }];

export function openapi(members: object): object {
  return { openapi: '3.1.0', info, servers, ...members };
}

export function withSchema(schema: unknown, members: object = {}): object {
  const content = { 'application/json': { schema } };
  const post = {
    operationId: 'send',
    requestBody: { content },
    responses: { 200: { description: 'Done', content } },
  };
  return openapi({ paths: { '/a': { post } }, ...members });
}

export function withOperation(operation: object, members: object = {}): object {
  return openapi({
    paths: { '/a': { get: { operationId: 'send', responses: {}, ...operation } } },
    ...members,
  });
}

export function nest(levels: number, open: string, inner: string, close: string): string {
  return open.repeat(levels) + inner + close.repeat(levels);
}

export function many(count: number, make: (index: number) => [name: string, value: unknown]): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
}

export const text = { type: 'string' };
export const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
