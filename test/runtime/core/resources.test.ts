import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpBinding, ResourceBinding } from '../../../templates/runtime/types.ts';
import { openServer, type ServerParts } from '../harness.ts';
import { type FakeApi, startApi } from '../upstream-fake.ts';

let api: FakeApi;
beforeAll(async () => {
  api = await startApi((target) => {
    if (target.includes('gone')) return { status: 404, json: { message: 'gone' } };
    if (target.includes('broken')) return { status: 500, json: { message: 'out of order' } };
    return { json: { target } };
  });
});
afterAll(() => api.close());

const find: HttpBinding = {
  kind: 'http',
  method: 'GET',
  path: '/pets/{id}',
  parameters: [
    { argument: 'id', name: 'id', in: 'path' },
    { argument: 'limit', name: 'limit', in: 'query' },
    { argument: 'tags', name: 'tags', in: 'query' },
  ],
};
const template = 'pets://pets/{pet}{?limit,tags*}';
const resource: ResourceBinding = {
  do: { kind: 'tool', name: 'find' },
  variables: { pet: 'id' },
  schemas: { limit: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
};

const parts = (more: ServerParts = {}): ServerParts => ({
  catalog: {
    tools: [
      {
        name: 'find',
        inputSchema: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            limit: { type: 'integer', maximum: 9 },
            tags: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    ],
    resources: [{ uri: 'pets://all', name: 'all' }],
    resourceTemplates: [{ uriTemplate: template, name: 'pet' }],
  },
  bindings: {
    upstream: { servers: [], securitySchemes: {} },
    tools: { find: { do: find } },
    resources: { 'pets://all': { do: { ...find, path: '/pets', parameters: [] } } },
    resourceTemplates: { [template]: resource },
  },
  baseUrl: api.url,
  ...more,
});

test.each([
  ['pets://all', 'GET /pets'],
  ['pets://pets/7', 'GET /pets/7'],
  ['pets://pets/a%20b', 'GET /pets/a%20b'],
  ['pets://pets/7?limit=3&tags=x&tags=y', 'GET /pets/7?limit=3&tags=x&tags=y'],
  ['pets://pets/7?limit=-9007199254740993', 'GET /pets/7?limit=-9007199254740993'],
])('%s reads %s', async (uri, target) => {
  const { result } = await (await openServer(parts())).ask('resources/read', { uri });
  expect(result).toEqual({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ target }) }],
  });
});

test.each([
  ['a dot segment', 'pets://pets/..'],
  ['an encoded slash and dots', 'pets://pets/..%2Fadmin'],
  ['dots with a parameter of Java', 'pets://pets/..%3Bx'],
  ['a variable the template does not have', 'pets://pets/7?other=1'],
])('%s is no resource, and nothing is sent', async (_, uri) => {
  const before = api.requests.length;
  const { error } = await (await openServer(parts())).ask('resources/read', { uri });
  expect(error).toEqual({ code: -32002, message: `Resource not found: ${uri}`, data: { uri } });
  expect(api.requests).toHaveLength(before);
});

test.each([
  ['pets://pets/7?limit=99', 'limit'],
  ['pets://pets/7?limit=many', 'limit'],
])('%s breaks the input schema of its tool', async (uri, word) => {
  const before = api.requests.length;
  const { error } = await (await openServer(parts())).ask('resources/read', { uri });
  expect([error?.code, error?.data]).toEqual([-32602, { uri }]);
  expect(error?.message).toContain(word);
  expect(api.requests).toHaveLength(before);
});

test('an override of the tool also reads the resource', async () => {
  const before = api.requests.length;
  const handlers = { tools: { find: ({ id }: { id: string }) => `pet ${id}` } };
  const { result } = await (
    await openServer(parts({ handlers }))
  ).ask('resources/read', { uri: 'pets://pets/7' });
  expect(result).toEqual({ contents: [{ uri: 'pets://pets/7', mimeType: 'text/plain', text: 'pet 7' }] });
  expect(api.requests).toHaveLength(before);
});

test('an answer that an override passes on is cut for resources, too', async () => {
  const find = (_args: object, _context: object, next: () => unknown) => next();
  const env = { API_RESULT_CHARACTERS: '10' };
  const { ask } = await openServer(parts({ handlers: { tools: { find } }, env }));
  const { result } = await ask('resources/read', { uri: 'pets://pets/7' });
  expect(result).toMatchObject({
    contents: [{}, { mimeType: 'text/plain', text: expect.stringContaining('was cut') }],
  });
});

test('an override that fails fails the reading', async () => {
  const handlers = { tools: { find: () => Promise.reject(new Error('asleep')) } };
  const { error } = await (
    await openServer(parts({ handlers }))
  ).ask('resources/read', { uri: 'pets://pets/7' });
  expect(error).toEqual({ code: -32603, message: 'asleep', data: { uri: 'pets://pets/7' } });
});

const own: ServerParts['handlers'] = {
  resources: {
    'own://text': { name: 'text', title: 'Text', read: () => 'words' },
    'pets://all': { name: 'mine', read: () => 'all mine' },
  },
  resourceTemplates: {
    'own://files/{+path}{?tags*}': {
      name: 'files',
      mimeType: 'text/markdown',
      read: (uri, variables) => `${uri} ${JSON.stringify(variables)}`,
    },
  },
};

test("the project's own resources are listed behind the document's, without their readers", async () => {
  const server = await openServer(parts({ handlers: own }));
  const listed = (await server.ask('resources/list')).result?.['resources'] as object[];
  expect(listed.slice(0, 2)).toEqual([
    { uri: 'pets://all', name: 'mine' },
    { uri: 'own://text', name: 'text', title: 'Text' },
  ]);
  expect((await server.ask('resources/templates/list')).result?.['resourceTemplates']).toEqual([
    { uriTemplate: template, name: 'pet' },
    { uriTemplate: 'own://files/{+path}{?tags*}', name: 'files', mimeType: 'text/markdown' },
  ]);
});
