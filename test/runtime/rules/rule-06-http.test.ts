// Rule 6: Streamable HTTP of the legacy revisions, each clause in each of them.
// Further: transports/http-streams.test.ts (lost connections, slow readers), transports/origin-check.test.ts (every
// spelling of hosts and origins), transports/http-modern.test.ts (GET and DELETE of the modern era are 405).
import { UNKNOWN_SESSION } from '../../../templates/runtime/transports/http/endpoint.ts';
import { expect, test } from 'vitest';
import type { Context } from '../../../templates/runtime/definition.ts';
import { LEGACY_REVISIONS } from '../../../templates/runtime/protocol/revisions.ts';
import { hello } from '../core/harness.ts';
import { call, error, gate, ping, type SseEvent, start } from '../transports/http-harness.ts';

const POLLING = '2025-11-25';
const done = (id: unknown = 2) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: 'done' }] },
});
const logged = (data: unknown) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/message',
  params: { level: 'info', data },
});
const talking =
  (data = 'first') =>
  async ({ log }: Context) => {
    await log('info', data);
    return 'done';
  };
/** Beginning of a stream, if the client's revision has it. */
const priming = (revision: string, id: string) =>
  revision === POLLING ? [{ id, retry: '1000', data: '' }] : [];
const event = (id: string, message: object) => ({ event: 'message', id, data: JSON.stringify(message) });
const dataOf = (events: SseEvent[]) =>
  events.flatMap(({ data = '' }) => (data === '' ? [] : [JSON.parse(data) as unknown]));

// Notifications, responses and requests.

test.each(LEGACY_REVISIONS)('%s: notifications and responses are 202, and have no body', async (revision) => {
  const { post, open, counted } = await start();
  const session = await open(revision);
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'nobody' } },
    { jsonrpc: '2.0', method: 'notifications/no-such-thing' },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'x' } },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
    ...(revision === '2025-03-26' ? [[{ jsonrpc: '2.0', id: 1, result: {} }, ping].slice(0, 1)] : []),
  ]) {
    const { status, text, headers } = await post(message, session);
    expect([status, text, headers['content-type']]).toEqual([202, '', undefined]);
  }
  expect(counted.calls).toBe(0);
});

test.each(LEGACY_REVISIONS)('%s: a request is answered with JSON', async (revision) => {
  const { post, open } = await start();
  const session = await open(revision);
  const unknown = { ...call, params: { name: 'y' } };
  for (const [request, want] of [
    [ping, { jsonrpc: '2.0', id: 1, result: {} }],
    [call, done()],
    [unknown, error(-32602, 'Unknown tool: y', 2)],
  ] as const) {
    const { status, headers, json } = await post(request, session);
    expect([status, headers['content-type'], json()]).toEqual([200, 'application/json', want]);
  }
});

test.each(LEGACY_REVISIONS)('%s: or with events, when something must be sent first', async (revision) => {
  const { stream, open } = await start({ handler: talking('line\nbreak') });
  const { status, headers, rest } = await stream(call, await open(revision));
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(await rest()).toEqual([
    ...priming(revision, '1-0'),
    event('1-1', logged('line\nbreak')),
    event('1-2', done()),
  ]);
});

test.each(LEGACY_REVISIONS)(
  '%s: what must be sent first may be a question, answered by POST',
  async (revision) => {
    const { stream, post } = await start({
      handler: async ({ roots }) => ((await roots()).length === 1 ? 'done' : 'wrong'),
    });
    const params = { ...hello(revision), capabilities: { roots: {} } };
    const { headers } = await post({ jsonrpc: '2.0', id: 'i', method: 'initialize', params });
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    const { message } = await stream(call, session);
    expect(await message()).toEqual({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
    const answer = await post({ jsonrpc: '2.0', id: 1, result: { roots: [{ uri: 'file:///a' }] } }, session);
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect(await message()).toEqual(done());
    expect(await message()).toBeUndefined();
  },
);

// GET and DELETE.

test.each(LEGACY_REVISIONS)('%s: GET opens a stream of events', async (revision) => {
  const { open, listen, sessions } = await start();
  const session = await open(revision);
  const { status, headers, next } = await listen(session);
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
  sessions.findAndTouch(session['mcp-session-id'])?.session.push(logged('of none'));
  for (const want of [...priming(revision, '0-0'), event('0-1', logged('of none'))])
    expect(await next()).toEqual(want);
});

test.each(LEGACY_REVISIONS)('%s: DELETE is 204, and then the session is 404', async (revision) => {
  const { post, open, send, counted } = await start();
  const [session, other] = [await open(revision), await open(revision)];
  const deleted = await send('DELETE', '/mcp', session);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  const gone = (id?: number) => error(-32600, UNKNOWN_SESSION, id);
  const posted = await post(call, session);
  expect([posted.status, posted.json()]).toEqual([404, gone(2)]);
  for (const method of ['GET', 'DELETE']) {
    const { status, json } = await send(method, '/mcp', { accept: 'text/event-stream', ...session });
    expect([method, status, json()]).toEqual([method, 404, gone()]);
  }
  expect(counted.calls).toBe(0);
  expect((await post(call, other)).status).toBe(200);
});

// Session ids.

test.each(LEGACY_REVISIONS)('%s: session ids are unguessable, and visible ASCII', async (revision) => {
  const { post } = await start();
  const ids: string[] = [];
  for (let id = 0; id < 5; id++) {
    const answer = await post({ jsonrpc: '2.0', id, method: 'initialize', params: hello(revision) });
    expect(answer.json().result).toMatchObject({ protocolVersion: revision });
    ids.push(String(answer.headers['mcp-session-id']));
  }
  // 128 bits, of which no two sessions share more than chance gives.
  for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{22,}$/);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(5);
});

// Streams, and what goes where.

test.each(LEGACY_REVISIONS)(
  '%s: each message goes on one stream, that of its call or of GET',
  async (revision) => {
    const { open: release, opened } = gate();
    const { stream, listen, open, sessions } = await start({
      handler: async ({ log, meta }) => {
        await log('info', `before ${String(meta?.['of'])}`);
        await opened;
        await log('info', `behind ${String(meta?.['of'])}`);
        return 'done';
      },
    });
    const session = await open(revision);
    const heard = await listen(session);
    const calls = await Promise.all(
      ['a', 'b'].map((of) => stream({ ...call, id: of, params: { name: 'x', _meta: { of } } }, session)),
    );
    const live = sessions.findAndTouch(session['mcp-session-id']);
    live?.session.push(logged('of none'));
    release();
    for (const [index, of] of ['a', 'b'].entries())
      expect(dataOf((await calls[index]?.rest()) ?? [])).toEqual([
        logged(`before ${of}`),
        logged(`behind ${of}`),
        done(of),
      ]);
    live?.stopListening();
    expect(dataOf(await heard.rest())).toEqual([logged('of none')]);
  },
);

test.each(LEGACY_REVISIONS)(
  '%s: event ids are unique in the session, and name their stream',
  async (revision) => {
    const { stream, listen, open, sessions } = await start({ handler: talking() });
    const session = await open(revision);
    const heard = await listen(session);
    const live = sessions.findAndTouch(session['mcp-session-id']);
    for (const each of [1, 2]) live?.session.push(logged(each));
    live?.stopListening();
    const streams = [heard, await stream(call, session), await stream(call, session)];
    const ids: (string | undefined)[][] = [];
    for (const { rest } of streams) ids.push((await rest()).map(({ id }) => id));
    expect(ids.flat().every((id) => /^\d+-\d+$/.test(id ?? ''))).toBe(true);
    expect(new Set(ids.flat()).size).toBe(ids.flat().length);
    const names = ids.map((each) => new Set(each.map((id) => id?.split('-')[0])));
    expect(names).toEqual([new Set(['0']), new Set(['1']), new Set(['2'])]);
  },
);

test.each(LEGACY_REVISIONS)('%s: Last-Event-ID replays one stream, whoever opened it', async (revision) => {
  const { stream, listen, open, sessions } = await start({ handler: talking() });
  const [session, other] = [await open(revision), await open(revision)];
  const live = sessions.findAndTouch(session['mcp-session-id']);
  const first = await listen(session);
  for (const each of [1, 2]) live?.session.push(logged(each));
  live?.stopListening();
  await first.rest();
  for (let times = 0; times < 2; times++) await (await stream(call, session)).rest();
  const resume = async (id: string, of = session) => listen({ ...of, 'last-event-id': id });
  for (const [id, want] of [
    ['1-1', [...priming(revision, '1-1'), event('1-2', done())]],
    ['2-0', [...priming(revision, '2-0'), event('2-1', logged('first')), event('2-2', done())]],
  ] as const)
    expect(await (await resume(id)).rest()).toEqual(want);
  const again = await resume('0-1');
  live?.stopListening();
  expect(await again.rest()).toEqual([...priming(revision, '0-1'), event('0-2', logged(2))]);
  const foreign = await resume('1-1', other);
  await foreign.rest();
  expect([foreign.status, JSON.parse(foreign.text())]).toEqual([
    400,
    error(-32600, '`Last-Event-ID` names no event of this session.'),
  ]);
});

test.each(LEGACY_REVISIONS)('%s: empty events and `retry` only where they are known', async (revision) => {
  const { stream, listen, open, sessions } = await start({
    handler: async ({ log, closeStream }) => {
      await log('info', 'first');
      closeStream();
      return 'done';
    },
  });
  const session = await open(revision);
  const called = await stream(call, session);
  await called.rest();
  const resumed = await listen({ ...session, 'last-event-id': '1-1' });
  await resumed.rest();
  const heard = await listen(session);
  sessions.findAndTouch(session['mcp-session-id'])?.stopListening();
  await heard.rest();
  for (const { text } of [called, resumed, heard]) {
    expect(/^retry: 1000$/m.test(text())).toBe(revision === POLLING);
    expect(/^data:\s*$/m.test(text())).toBe(revision === POLLING);
  }
});

// Requests allowed on a loopback address.

const HOST = error(-32600, 'This `Host` is not served here. Those in MCP_ALLOWED_HOSTS are.');
const ORIGIN = error(-32600, 'This `Origin` is not allowed. MCP_ALLOWED_ORIGINS names those that are.');

test.each<[string, Record<string, string>, object | undefined]>([
  ['neither', {}, undefined],
  ['the host localhost', { host: 'localhost:1' }, undefined],
  ['the host 127.0.0.1', { host: '127.0.0.1:65535' }, undefined],
  ['the host ::1', { host: '[::1]:8080' }, undefined],
  ['the origin localhost', { origin: 'http://localhost:8080' }, undefined],
  ['the origin 127.0.0.1', { origin: 'https://127.0.0.1' }, undefined],
  ['the origin ::1', { origin: 'http://[::1]:1' }, undefined],
  ['an allowed origin', { origin: 'https://app.example' }, undefined],
  ['a host that was made to point here', { host: 'evil.example' }, HOST],
  ['a host that looks local', { host: '127.0.0.1.evil.example' }, HOST],
  ['a site', { origin: 'https://evil.example' }, ORIGIN],
  ['a site that looks local', { origin: 'http://localhost.evil.example' }, ORIGIN],
  ['an allowed site at another port', { origin: 'https://app.example:8443' }, ORIGIN],
  ['the origin null', { origin: 'null' }, ORIGIN],
  ['no origin at all', { origin: 'x' }, ORIGIN],
  ['a foreign host and a foreign site', { host: 'evil.example', origin: 'http://evil.example' }, HOST],
])('on a loopback address, %s', async (_, headers, refused) => {
  const { post, send, listen, open, counted, sessions } = await start({
    rules: { host: '127.0.0.1', allowedOrigins: ['https://app.example'] },
  });
  const session = await open();
  const posted = await post(call, { ...session, ...headers });
  expect([posted.status, posted.json()]).toEqual(refused === undefined ? [200, done()] : [403, refused]);
  expect(counted.calls).toBe(refused === undefined ? 1 : 0);
  const allowed = refused === undefined ? headers['origin'] : undefined;
  expect(posted.headers['access-control-allow-origin']).toBe(allowed);
  const heard = await listen({ ...session, ...headers });
  expect(heard.status).toBe(refused === undefined ? 200 : 403);
  if (refused !== undefined) {
    await heard.rest();
    expect(JSON.parse(heard.text())).toEqual(refused);
  }
  const deleted = await send('DELETE', '/mcp', { ...session, ...headers });
  expect([deleted.status, sessions.size]).toEqual(refused === undefined ? [204, 0] : [403, 1]);
  if (refused !== undefined) expect(deleted.json()).toEqual(refused);
});
