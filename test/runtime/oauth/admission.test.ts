// HTTP, the core and callers: each request needs a token, sessions belong to one caller, items need scopes.
import { expect, test, vi } from 'vitest';

import type { Guard, Caller } from '../../../templates/runtime/feature-loaders.ts';
import { HttpRefusal } from '../../../templates/runtime/transports/http/http-answer.ts';
import { callerOf } from '../../support/caller.ts';
import { modernCall } from './modern-call.ts';
import { type Options, start } from '../transports/http-harness.ts';

/** Takes `Bearer <subject>:<scopes>` for what it says. */
const guard: Guard = {
  documents: new Map([['/open', () => ({ status: 200, headers: {}, body: 'for anyone' })]]),
  admitRequest: async ({ headers }) => {
    const [, subject, scopes = ''] = /^Bearer (\w+):(.*)$/.exec(headers.authorization ?? '') ?? [];
    if (subject === undefined) throw new HttpRefusal(401, 'A token is needed.');
    return callerOf(subject, scopes.split(' '));
  },
  demandScopes: () => undefined,
  coversScopes: () => true,
  scopeChallenge: (scopes, { auth }) => `${auth.subject} lacks ${scopes.join(' ')}`,
};

const as = (subject: string, scopes = ''): Record<string, string> => ({
  authorization: `Bearer ${subject}:${scopes}`,
});

/** With the session of `alice`. */
async function opened(options: Options = {}) {
  const server = await start({ guard, auth: {}, ...options });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const { headers } = await server.post(
    { jsonrpc: '2.0', id: 'i', method: 'initialize', params },
    as('alice'),
  );
  return { ...server, session: { 'mcp-session-id': String(headers['mcp-session-id']) } };
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };

test.each([
  ['POST', '/mcp', 401],
  ['GET', '/mcp', 401],
  ['DELETE', '/mcp', 401],
  ['OPTIONS', '/mcp', 204],
  ['GET', '/open', 200],
  ['GET', '/healthz', 200],
  ['GET', '/livez', 200],
  ['GET', '/readyz', 200],
])('%s %s without a token: %i', async (method, path, status) => {
  const { session, send, counted } = await opened();
  const answer = await send(method, path, { ...session, accept: 'text/event-stream' }, undefined);
  expect([answer.status, counted.calls]).toEqual([status, 0]);
});

test.each(['POST', 'GET', 'DELETE'])('%s with the session of another subject: 404', async (method) => {
  const { session, send, post, counted } = await opened();
  const accept = 'application/json, text/event-stream';
  const head = { ...session, ...as('mallory'), accept, 'content-type': 'application/json' };
  const stolen = await send(method, '/mcp', head, method === 'POST' ? JSON.stringify(call) : undefined);
  expect([stolen.status, counted.calls]).toEqual([404, 0]);
  const own = await post(call, { ...session, ...as('alice') });
  expect([own.status, counted.calls]).toEqual([200, 1]);
});

const scoped: Options = {
  tool: { scopes: ['read', 'write'] },
  auth: { scopes: ['base'], implies: { admin: ['write'], write: ['read'], root: ['base', 'admin'] } },
};

test.each([
  ['none', '', 403],
  ['that of every request', 'base', 403],
  ['both but that of every request', 'write read', 403],
  ['one of two', 'base read', 403],
  ['both', 'base write read', 200],
  ['one that implies the other', 'base write', 200],
  ['one that implies one that implies', 'base admin', 200],
  ['one that implies all', 'root', 200],
])('a tool that needs two scopes, with %s', async (_, scopes, status) => {
  const { session, post, counted } = await opened(scoped);
  const requests = [
    await post(call, { ...session, ...as('alice', scopes) }),
    await post(...modernCall('x', as('alice', scopes))),
  ];
  for (const answer of requests) {
    expect(answer.status).toBe(status);
    expect(answer.headers['www-authenticate']).toBe(
      status === 403 ? 'alice lacks base read write' : undefined,
    );
  }
  expect(counted.calls).toBe(status === 200 ? 2 : 0);
});

test('the scopes that a tool needs are not listed', async () => {
  const { session, post } = await opened(scoped);
  const { json } = await post(
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { ...session, ...as('alice', 'base') },
  );
  expect(json().result).toMatchObject({ tools: [{ name: 'x', inputSchema: { type: 'object' } }] });
  expect(JSON.stringify(json())).not.toContain('scope');
});

test('a handler knows who calls', async () => {
  const { session, post } = await opened({
    handler: ({ auth }) => `${auth?.subject} ${auth?.scopes.join()}`,
  });
  const { text } = await post(call, { ...session, ...as('alice', 'read') });
  expect(text).toContain('alice read');
});

test('a stream ends when its token is good no more', async () => {
  const ends = new Set<(why: string) => void>();
  const untilRefused: Caller['untilRefused'] = (end) => {
    ends.add(end);
    return () => void ends.delete(end);
  };
  const admit = async () => ({ ...callerOf('alice'), untilRefused });
  const { session, listen } = await opened({ guard: { ...guard, admitRequest: admit } });
  const stream = await listen(session);
  expect([stream.status, ends.size]).toEqual([200, 1]);
  for (const end of ends) end('It is over.');
  // Undefined at its end.
  expect(await stream.message()).toBeUndefined();
  await vi.waitUntil(() => ends.size === 0);
});
