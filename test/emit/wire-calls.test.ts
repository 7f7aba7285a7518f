/** One call of each tool, and the request that is expected of it. */
import { expect, test } from 'vitest';
import { makeWireCalls } from '../../src/emit/wire/wire-calls.ts';
import type { ServerModel } from '../../src/model/server-model.ts';
import type { HttpBinding, UpstreamBinding } from '../../src/model/bindings.ts';
import type { Json, ObjectSchema } from '../../src/util/json-schema.ts';
import { petstore } from './models.ts';

const get: HttpBinding = { kind: 'http', method: 'GET', path: '/things/{id}', parameters: [] };
const id = { argument: 'id', name: 'id', in: 'path' } as const;
const none: ObjectSchema = { type: 'object' };
const accept = 'application/json, */*;q=0.8';

function modelOf(
  binding: HttpBinding,
  inputSchema: ObjectSchema,
  upstream: Partial<UpstreamBinding> = {},
): ServerModel {
  const tool = { ...petstore.tools[0], name: 'thing', binding, inputSchema } as ServerModel['tools'][0];
  return { ...petstore, tools: [tool], upstream: { servers: [], securitySchemes: {}, ...upstream } };
}

async function onlyCall(...given: Parameters<typeof modelOf>) {
  const { calls } = await makeWireCalls(modelOf(...given));
  expect(calls).toHaveLength(1);
  return calls[0];
}

test.each<[string, ObjectSchema, Record<string, Json>, object]>([
  [
    "the document's examples, also of what is not required",
    { type: 'object', properties: { id: { type: 'string' }, q: { type: 'string' } }, required: ['id'] },
    { q: 'x', id: 'Rex' },
    { id: 'Rex', q: 'x' },
  ],
  [
    'not those that are invalid or unknown',
    { type: 'object', properties: { id: { type: 'string' }, q: { pattern: '^a' } }, required: ['id'] },
    { id: 7, q: 'abc', other: 1 },
    { id: 'sample', q: 'abc' },
  ],
  [
    'not those that can not be sent',
    { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    { id: '..' },
    { id: 'sample' },
  ],
  [
    'none where arguments depend on each other',
    { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], maxProperties: 1 },
    { id: 'Rex' },
    { id: 'sample' },
  ],
])('examples: %s', async (_, inputSchema, examples, want) => {
  const q = { argument: 'q', name: 'q', in: 'query' } as const;
  const model = modelOf({ ...get, parameters: [id, q] }, inputSchema);
  const [tool] = model.tools;
  const { calls } = await makeWireCalls({
    ...model,
    tools: tool === undefined ? [] : [{ ...tool, examples }],
  });
  expect(calls.map((call) => JSON.stringify(call.arguments))).toEqual([JSON.stringify(want)]);
});

test('credentials are those of a test, of the scheme that is required', async () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'query', name: 'key', env: { key: 'API_KEY' } },
    token: {
      type: 'oauth2',
      tokenUrl: 'https://example.com/token',
      env: { token: 'T', clientId: 'I', clientSecret: 'S', scopes: 'P' },
    },
    other: { type: 'unsupported', reason: 'mutualTLS' },
  } as const;
  const upstream = { security: [{ key: [] }], securitySchemes };
  const model = modelOf({ ...get, path: '/' }, none, upstream);
  expect(await makeWireCalls(model)).toMatchObject({
    environment: { API_KEY: 'test-api-key', T: 'test-t' },
    calls: [{ request: { target: '/?key=test-api-key' } }],
  });
  const own = { ...get, path: '/', security: [{ token: ['read'] }] };
  expect(await onlyCall(own, none, upstream)).toMatchObject({
    request: { target: '/', headers: { authorization: 'Bearer test-t' } },
  });
  expect(await onlyCall({ ...own, security: [] }, none, upstream)).toMatchObject({
    request: { target: '/', headers: { accept } },
  });
});

test('a server of its own gives its path', async () => {
  const servers = [{ url: 'https://api.example.com/v2' }];
  const upstream = { servers: [{ url: 'https://api.example.com/v1' }] };
  expect(await onlyCall({ ...get, path: '/x', servers }, none, upstream)).toMatchObject({
    request: { target: '/v2/x' },
  });
});

test.each([
  [
    'nothing is valid',
    get,
    { ...none, properties: { a: false }, required: ['a'] },
    /No arguments were found/,
  ],
  [
    'an argument can not be sent',
    { ...get, parameters: [id] },
    { ...none, properties: { id: { const: '..' } }, required: ['id'] },
    /id/,
  ],
  ['a tunnel', { ...get, method: 'CONNECT', path: '/' }, none, /CONNECT/],
] as [string, HttpBinding, ObjectSchema, RegExp][])('left out: %s', async (_, binding, schema, reason) => {
  const { calls, leftOut } = await makeWireCalls(modelOf(binding, schema));
  expect(calls).toEqual([]);
  expect(leftOut).toEqual([['thing', expect.stringMatching(reason)]]);
});

test('the variable of an argument has a value', async () => {
  const binding = { ...get, parameters: [id], known: { id: { env: 'THING', isJson: true } } };
  expect(await onlyCall(binding, none)).toMatchObject({ request: { target: '/things/1' } });
  expect((await makeWireCalls(modelOf(binding, none))).environment).toEqual({ THING: '1' });
});
