// Scopes that every request needs: the first refusal names all of the call, and says which request it is of.
import { expect, test } from 'vitest';
import type { AuditedCall } from '../../../templates/runtime/core/call.ts';
import { ScopeError } from '../../../templates/runtime/protocol/json-rpc.ts';
import { initialize, startGuarded } from './guarded.ts';
import { startIssuer } from './issuer.ts';
import { modernCall } from './modern-call.ts';

type Head = Record<string, string>;

/** A session of a token that reaches far enough, and the heads of others of the same subject. */
async function opened(revision = '2025-11-25') {
  const issuer = await startIssuer();
  const server = await startGuarded(issuer, {
    auth: { scopes: ['base', 'more'], implies: { root: ['base', 'more', 'write'] } },
    tool: { scopes: ['write'] },
    scopes: ['write', 'read'],
  });
  const { post } = server;
  const as = async (scope: string): Promise<Head> => ({
    authorization: `Bearer ${await issuer.token({ scope })}`,
  });
  const { params } = initialize;
  const opens = { ...initialize, params: { ...params, protocolVersion: revision } };
  const wide = await as('base more write');
  const { headers } = await post(opens, wide);
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { ...session, ...wide });
  return { ...server, as, session };
}

const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 'q', method, params });
const call = request('tools/call', { name: 'x' });
const [modern, modernHead] = modernCall('x', {});

function modernRequest(method: string): [message: object, headers: Head] {
  const meta: unknown = Reflect.get(Object(Reflect.get(modern, 'params')), '_meta');
  const head = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  return [request(method, { _meta: meta }), head];
}

test.each<[string, object, Head, id: unknown, needed: string[]]>([
  ['a call', call, {}, 'q', ['base', 'more', 'write']],
  ['a modern call', modern, modernHead, 7, ['base', 'more', 'write']],
  ['a call of a tool that is not there', request('tools/call', { name: 'y' }), {}, 'q', ['base', 'more']],
  ['ping', request('ping'), {}, 'q', ['base', 'more']],
  ['a list', request('tools/list'), {}, 'q', ['base', 'more']],
  ['a modern list', ...modernRequest('tools/list'), 'q', ['base', 'more']],
  ['server/discover', ...modernRequest('server/discover'), 'q', ['base', 'more']],
  ['initialize', initialize, { 'mcp-session-id': '' }, 'i', ['base', 'more']],
  [
    'a notification',
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    {},
    undefined,
    ['base', 'more'],
  ],
  ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, {}, undefined, ['base', 'more']],
])('%s', async (_, message, head, id, needed) => {
  const { post, as, session, counted } = await opened();
  const { status, headers, json } = await post(message, {
    ...session,
    ...(await as('more read other')),
    ...head,
  });
  expect([status, counted.calls]).toEqual([403, 0]);
  // With those that it had and that count here.
  const scope = [...new Set([...needed, 'more', 'read'])].join(' ');
  expect(headers['www-authenticate']).toContain(`error="insufficient_scope"`);
  expect(headers['www-authenticate']).toContain(`scope="${scope}"`);
  const words = `The token does not reach this far: it takes the scopes ${needed.join(', ')}.`;
  const error = { code: -32600, message: words, data: { requiredScopes: needed } };
  expect(json()).toEqual({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error });
});

test('a scope that stands for others is asked for again, beside what is needed', async () => {
  const issuer = await startIssuer();
  const server = await startGuarded(issuer, {
    auth: { implies: { admin: ['write'], write: ['read'] } },
    tool: { scopes: ['read', 'other'] },
    scopes: ['read', 'other'],
  });
  const authorization = `Bearer ${await issuer.token({ scope: 'admin strange' })}`;
  const { status, headers, json } = await server.post(...modernCall('x', { authorization }));
  expect([status, headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining('scope="read other admin"'),
  ]);
  expect(json().error).toMatchObject({ data: { requiredScopes: ['read', 'other'] } });
});

test.each(['GET', 'DELETE'])('%s', async (method) => {
  const { send, as, session } = await opened();
  const head = { ...session, ...(await as('more')), accept: 'text/event-stream' };
  const { status, headers, json } = await send(method, '/mcp', head);
  expect([status, headers['www-authenticate']]).toEqual([403, expect.stringContaining('scope="base more"')]);
  expect(json().error).toMatchObject({ code: -32600, data: { requiredScopes: ['base', 'more'] } });
});

test('a batch is refused whole', async () => {
  const { post, as, session, counted } = await opened('2025-03-26');
  const { status, json } = await post([call, { ...call, id: 'r' }], { ...session, ...(await as('write')) });
  expect([status, counted.calls]).toEqual([403, 0]);
  expect(json()).toMatchObject({ error: { data: { requiredScopes: ['base', 'more'] } } });
});

test.each<[string, object, Head, number]>([
  ['legacy', request('tools/explode'), {}, 200],
  ['modern', ...modernRequest('tools/explode'), 404],
])('a method that is not there is told as such (%s)', async (_, message, head, status) => {
  const { post, as, session } = await opened();
  const answer = await post(message, { ...session, ...(await as('')), ...head });
  expect([answer.status, answer.json().error?.code]).toEqual([status, -32601]);
});

test.each(['base more write', 'root'])('a token with %s may', async (scope) => {
  const { post, as, session, counted } = await opened();
  const head = await as(scope);
  expect((await post(call, { ...session, ...head })).status).toBe(200);
  expect((await post(modern, { ...modernHead, ...head })).status).toBe(200);
  expect(counted.calls).toBe(2);
});

test('a call that is refused stands in the audit log', async () => {
  const { post, as, server } = await opened();
  const told: unknown[] = [];
  const audited: AuditedCall = {
    done: () => void told.push('done'),
    failed: (thrown) => void told.push(thrown instanceof ScopeError && thrown.scopes),
    cancelled: () => void told.push('cancelled'),
    onBehalf: () => undefined,
    continueAsTask: () => audited,
  };
  server.audit = {
    begin: ({ params: { name } }, { caller }) => {
      told.push(name, caller?.auth.scopes);
      return audited;
    },
  };
  await post(modern, { ...modernHead, ...(await as('write')) });
  expect(told).toEqual(['x', ['write'], ['base', 'more', 'write']]);
});
