// Which scopes a request needs, by its method and its item; and what those of a token stand for.
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { expect, test } from 'vitest';
import type { Bindings, HttpBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { Catalog } from '../../../templates/runtime/contract/json-schema.ts';
import type { RequestContext } from '../../../templates/runtime/core/call.ts';
import { createServer } from '../../../templates/runtime/core/server-instance.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import type { Handlers } from '../../../templates/runtime/definition.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import * as runtime from '../../../templates/runtime/oauth/index.ts';
import { grantsScopes } from '../../../templates/runtime/oauth/scopes.ts';
import { readReceived } from '../../../templates/runtime/protocol/json-rpc.ts';
import { callerOf } from '../../support/caller.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { hello, newCatalog } from '../core/harness.ts';

const request: HttpBinding = { kind: 'http', method: 'GET', path: '/', parameters: [] };

const catalog: Partial<Catalog> = {
  tools: [{ name: 'own', inputSchema: { type: 'object' } }],
  resources: [{ uri: 'a://listed', name: 'listed' }],
  resourceTemplates: [{ uriTemplate: 'a://of/{id}', name: 'made' }],
  prompts: [{ name: 'asked', arguments: [{ name: 'word' }] }],
  completions: true,
};

const bindings: Bindings = {
  tools: { own: { do: request, scopes: ['tool'] } },
  resources: { 'a://listed': { do: request, scopes: ['resource'] } },
  resourceTemplates: { 'a://of/{id}': { do: request, scopes: ['template'] } },
  prompts: { asked: { kind: 'template', messages: [], scopes: ['prompt'] } },
  completions: [],
  operations: { shop: { read: { do: request, input: { type: 'object' }, scopes: ['orders'] } } },
};

const handlers: Handlers<{ own: object }> = {
  tools: { own: () => 'done' },
  extraTools: [
    { name: 'calling', inputSchema: { type: 'object' }, handler: async (_, { call }) => call('own') },
    {
      name: 'reading',
      inputSchema: { type: 'object' },
      handler: async (_, { api }) => api['shop']?.['read']?.(),
    },
  ],
  resources: { 'a://listed': { name: 'listed', read: () => 'read', scopes: ['more'] } },
  resourceTemplates: { 'a://own/{id}': { name: 'own', read: () => 'read', scopes: ['owned'] } },
  prompts: { asked: { handler: () => 'said', scopes: ['spoken'] } },
  started: () => undefined,
};

async function answersTo(scopes: string[], method: string, params: object) {
  const server = createServer({
    definition: {
      info: { name: 'test', version: '1' },
      features: allFeatures,
      handlers,
      auth: { runtime: () => Promise.resolve(runtime), implies: { all: ['tool'] } },
    },
    catalog: newCatalog(catalog),
    readBindings: () => JSON.stringify(bindings),
    env: {},
    limits: DEFAULT_LIMITS,
    report: (thrown) => {
      throw thrown;
    },
  });
  const core = createCheckedCore(server);
  const session = new Session();
  const context: RequestContext = {
    channel: session,
    session,
    caller: callerOf('alice', scopes),
    send: async () => undefined,
  };
  const ask = async (id: number, name: string, given: object) =>
    core(readReceived({ jsonrpc: '2.0', id, method: name, params: given }), context);
  await ask(1, 'initialize', hello('2025-11-25'));
  await core(readReceived({ jsonrpc: '2.0', method: 'notifications/initialized' }), context);
  const answer = await ask(2, method, params);
  if (answer === undefined || Array.isArray(answer)) throw new Error('not answered by one message');
  return answer.kind === 'error' ? { origin: answer.origin, scopes: answer.scopes } : 'answered';
}

const completes = (ref: object): object => ({ ref, argument: { name: 'id', value: '' } });

test.each<[string, object, string[]]>([
  ['tools/call', { name: 'own' }, ['tool']],
  ['tools/call', { name: 'calling' }, ['tool']],
  ['tools/call', { name: 'reading' }, ['orders']],
  ['resources/read', { uri: 'a://listed' }, ['resource', 'more']],
  ['resources/subscribe', { uri: 'a://listed' }, ['resource', 'more']],
  ['resources/read', { uri: 'a://own/1' }, ['owned']],
  ['prompts/get', { name: 'asked' }, ['prompt', 'spoken']],
  ['completion/complete', completes({ type: 'ref/prompt', name: 'asked' }), ['prompt', 'spoken']],
  ['completion/complete', completes({ type: 'ref/resource', uri: 'a://of/{id}' }), ['template']],
  ['completion/complete', completes({ type: 'ref/resource', uri: 'a://own/{id}' }), ['owned']],
])('%s %j needs %j', async (method, params, scopes) => {
  expect(await answersTo([], method, params)).toEqual({ origin: 'scope', scopes });
  expect(await answersTo(scopes.slice(1), method, params)).toEqual({ origin: 'scope', scopes });
  expect(await answersTo(scopes, method, params)).toBe('answered');
});

test.each([
  ['ping', {}],
  ['tools/list', {}],
  ['resources/list', {}],
  ['prompts/list', {}],
])('%s needs none', async (method, params) => {
  expect(await answersTo([], method, params)).toBe('answered');
});

test('what a template makes needs what the template needs', async () => {
  const refused = await answersTo(['resource', 'more'], 'resources/read', { uri: 'a://of/1' });
  expect(refused).toEqual({ origin: 'scope', scopes: ['template'] });
});

test.each<[string[], string[], Record<string, string[]>, boolean]>([
  [[], [], {}, true],
  [['a'], ['a'], {}, true],
  [['a'], ['a', 'b'], {}, false],
  [['a'], ['b'], { a: ['b'] }, true],
  [['b'], ['a'], { a: ['b'] }, false],
  [['a'], ['c'], { a: ['b'], b: ['c'] }, true],
  [['a'], ['c'], { a: ['b'], b: ['a'] }, false],
  [['constructor'], ['a'], {}, false],
  [['a'], ['A'], {}, false],
])('%j grants %j where %j: %j', (granted, needed, implied, isGranted) => {
  expect(grantsScopes(granted, needed, implied)).toBe(isGranted);
});

test('every scope is told of once, in the order listed', () => {
  expect(runtime.allScopes(bindings, handlers)).toEqual([
    'tool',
    'resource',
    'template',
    'prompt',
    'orders',
    'spoken',
    'more',
    'owned',
  ]);
});
