// The streams of legacy sessions: what belongs to a call, what belongs to none, and what a lost connection costs.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Session } from '../../../templates/runtime/core/session.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { HttpSession } from '../../../templates/runtime/transports/http/endpoint.ts';
import { SessionStore } from '../../../templates/runtime/transports/http/session-store.ts';
import { EventStream, SseResponse } from '../../../templates/runtime/transports/http/http-answer.ts';
import { call, error, gate, start } from './http-harness.ts';

const note = (data: unknown) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/message',
  params: { level: 'info', data },
});
const event = (id: string, message: object) => ({ event: 'message', id, data: JSON.stringify(message) });
const priming = (id: string) => ({ id, retry: '1000', data: '' });

/** A server whose tool says `first`, waits until it is told, says `second`, and answers. */
async function startSlow(options: Parameters<typeof start>[0] = {}) {
  const { open: release, opened } = gate();
  let isAborted: boolean | undefined;
  const server = await start({
    ...options,
    handler: async ({ log, signal }) => {
      await log('info', 'first');
      await opened;
      await log('info', 'second');
      isAborted = signal.aborted;
      return 'done';
    },
  });
  return { ...server, release, aborted: () => isAborted };
}

test.each<[string, Record<string, string | undefined>, number]>([
  ['no accept', { accept: undefined }, 406],
  ['another type', { accept: 'application/json' }, 406],
  ['any text', { accept: 'text/*' }, 200],
  ['no session', { 'mcp-session-id': undefined }, 400],
  ['an unknown session', { 'mcp-session-id': 'none' }, 404],
  ['a version that is not supported', { 'mcp-protocol-version': '2020-01-01' }, 400],
  ['a foreign origin', { origin: 'https://evil.example' }, 403],
  ['a foreign host', { host: 'evil.example' }, 403],
  ['no origin, from another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['no origin, from nowhere', { 'sec-fetch-site': 'none' }, 200],
])('GET with %s is refused or not', async (_, headers, want) => {
  const { open, listen } = await start();
  const { status, text, next } = await listen({ ...(await open()), ...headers });
  await next();
  expect(status).toBe(want);
  if (want !== 200) expect(JSON.parse(text())).toEqual(error(-32600, expect.any(String) as string));
});

test('what comes while nobody listens is kept for the one who does', async () => {
  const { open, listen, sessions } = await start({ limits: { replayEvents: 2 } });
  const session = await open('2025-06-18');
  for (const each of [1, 2, 3]) sessions.findAndTouch(session['mcp-session-id'])?.session.push(note(each));
  const first = await listen(session);
  expect([await first.next(), await first.next()]).toEqual([event('0-2', note(2)), event('0-3', note(3))]);
  first.response.destroy();
  await expect.poll(() => sessions.findAndTouch(session['mcp-session-id'])?.isInUse).toBe(false);
  sessions.findAndTouch(session['mcp-session-id'])?.session.push(note(4));
  expect(await (await listen(session)).next()).toEqual(event('0-4', note(4)));
});

test('a second GET takes the stream over, so each message goes to one', async () => {
  const { open, listen, sessions } = await start();
  const session = await open('2025-06-18');
  const first = await listen(session);
  const second = await listen(session);
  sessions.findAndTouch(session['mcp-session-id'])?.session.push(note(1));
  expect([await first.rest(), await second.next()]).toEqual([[], event('0-1', note(1))]);
});

test('a client that comes back takes the stream from the connection before', async () => {
  const { stream, open, listen, release } = await startSlow();
  const session = await open('2025-06-18');
  const before = await stream(call, session);
  await before.next();
  const after = await listen({ ...session, 'last-event-id': '1-1' });
  release();
  expect([await before.rest(), (await after.rest()).map(({ id }) => id)]).toEqual([[], ['1-2', '1-3']]);
});

test('a client that has all is told not to come back', async () => {
  const { stream, open, listen } = await start({ handler: ({ log }) => log('info', 1) });
  const session = await open();
  await (await stream(call, session)).rest();
  const { status, rest, text } = await listen({ ...session, 'last-event-id': '1-2' });
  expect([await rest(), status, text()]).toEqual([[], 204, '']);
});

test('so is one whose call was cancelled', async () => {
  const { stream, open, listen, post } = await start({
    handler: async ({ log, signal }) => {
      await log('info', 1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  const session = await open();
  const cancelled = await stream(call, session);
  await cancelled.next();
  await cancelled.next();
  await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }, session);
  expect(await cancelled.rest()).toEqual([]);
  expect((await listen({ ...session, 'last-event-id': '1-1' })).status).toBe(204);
});

test.each(['none', '1-3', '2-0', '1', '-1', '1-0x', '9999999999999999-1'])(
  'GET with the Last-Event-ID %s, which no event had, is 400',
  async (id) => {
    const { stream, open, listen } = await start({ handler: ({ log }) => log('info', 1) });
    const session = await open();
    await (await stream(call, session)).rest();
    const { status, rest, text } = await listen({ ...session, 'last-event-id': id });
    await rest();
    expect([status, JSON.parse(text())]).toEqual([
      400,
      error(-32600, '`Last-Event-ID` names no event of this session.'),
    ]);
  },
);

test.each([
  ['events', { replayEvents: 3 }],
  ['bytes', { replayBytes: 500 }],
])('a stream whose next events are gone, for their %s, cannot be resumed and says so', async (_, limits) => {
  const { stream, open, listen } = await start({
    limits,
    handler: async ({ log }) => {
      for (let each = 0; each < 10; each++) await log('info', 'x'.repeat(100));
    },
  });
  const session = await open();
  expect(await (await stream(call, session)).rest()).toHaveLength(12);
  const { status, rest, text } = await listen({ ...session, 'last-event-id': '1-2' });
  await rest();
  expect([status, JSON.parse(text())]).toEqual([
    410,
    error(-32600, 'The stream cannot be resumed: what follows `Last-Event-ID` is not kept any more.'),
  ]);
  const late = await listen({ ...session, 'last-event-id': '1-10' });
  expect((await late.rest()).map(({ id }) => id)).toEqual(['1-10', '1-11']);
});

test('a message over all the bytes that are kept is delivered', async () => {
  const { stream, open } = await start({
    limits: { replayBytes: 10 },
    handler: ({ log }) => log('info', 'x'.repeat(1_000)),
  });
  expect(await (await stream(call, await open())).rest()).toHaveLength(3);
});

test('a slow reader gets everything in order, and holds up the one who writes', async () => {
  const data = 'x'.repeat(100_000);
  let written = 0;
  const { stream, open } = await start({
    limits: { replayBytes: 1_000_000_000, logsPerSecond: 1_000 },
    handler: async ({ log }) => {
      for (; written < 300; written++) await log('info', data);
    },
  });
  const { response, rest } = await stream(call, await open('2025-06-18'));
  response.pause();
  const before = await standstill(() => written);
  expect(before).toBeLessThan(300);
  expect((await rest()).map(({ id }) => id)).toEqual(
    Array.from({ length: 301 }, (_, index) => `1-${index + 1}`),
  );
});

/** The value that no longer changes while the server has nothing but this to do. */
async function standstill(read: () => number): Promise<number> {
  let [value, since] = [-1, 0];
  while (since < 200) {
    await setImmediate();
    since = read() === value ? since + 1 : 0;
    value = read();
  }
  return value;
}

test('a reader too slow for what is kept is cut off, and what waits for it is bounded', async () => {
  const { listen, open, sessions } = await start({ limits: { replayBytes: 200_000 } });
  const session = await open();
  const { response } = await listen(session);
  const broken = new Promise((resolve) => response.once('close', () => resolve(response.complete)));
  response.pause();
  const live = sessions.findAndTouch(session['mcp-session-id']);
  while (live?.isInUse === true) {
    live.session.push(note('x'.repeat(100_000)));
    await setImmediate();
  }
  response.resume();
  expect(await broken).toBe(false);
});

test('open streams are kept alive by comments', async () => {
  const { listen, stream, open, release } = await startSlow({ limits: { keepAliveMs: 5 } });
  const session = await open();
  for (const reader of [await listen(session), await stream(call, session)]) {
    void reader.rest();
    await expect.poll(reader.text).toContain('\n\n:\n\n');
  }
  release();
});

test('a session whose client listens does not expire', () => {
  let now = 0;
  const store = new SessionStore({ sessions: 2, sessionsPerClient: 2, sessionIdleMs: 1_000 }, () => now);
  const [idle, listening] = [1, 2].map(() => new HttpSession(new Session(), DEFAULT_LIMITS));
  const ids = [idle, listening].map((session) => session && store.open(session, 'one'));
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  listening?.streams.listening.attachConnection(
    new SseResponse(response, DEFAULT_LIMITS),
    undefined,
    undefined,
  );
  now = 5_000;
  expect(ids.map((id) => store.findAndTouch(id ?? ''))).toEqual([undefined, listening]);
});

test('streams that wait for what may come do not keep a server from closing', async () => {
  const { open, listen, sessions, listener } = await start({ limits: { httpDrainMs: 3_600_000 } });
  const session = await open('2025-06-18');
  const { rest } = await listen(session);
  sessions.endListening();
  expect((await listen(session)).status).toBe(503);
  await listener.close();
  expect(await rest()).toEqual([]);
});

test('a stopping server waits for no answer of a client, which could not bring it any more', async () => {
  const { open, stream, sessions, listener } = await start({
    limits: { httpDrainMs: 3_600_000 },
    handler: async ({ roots }) => {
      const asked = await roots().catch(({ message }: Error) => message);
      return [asked, await roots().catch(({ message }: Error) => message)].join('\n');
    },
  });
  const asking = await stream(call, await open('2025-11-25', { roots: {} }));
  expect(await asking.message()).toMatchObject({ method: 'roots/list', id: 1 });
  sessions.endListening();
  const closed = listener.close();
  const reason = 'The server is stopping.';
  expect(await asking.message()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 1, reason },
  });
  const text = `roots/list was given up: ${reason}\nroots/list was not asked: ${reason}`;
  expect(await asking.message()).toMatchObject({ result: { content: [{ text }] } });
  await closed;
});

/** A server whose tool ends its stream, waits until it is told, and answers. */
async function startLeaving(talks: boolean) {
  const { open: release, opened } = gate();
  const server = await start({
    handler: async ({ log, closeStream }) => {
      if (talks) await log('info', 'before');
      closeStream();
      await log('info', 'between');
      await opened;
      return 'done';
    },
  });
  return { ...server, release };
}

test.each([
  ['before anything was sent', false, [], '1-0', ['1-1', '1-2']],
  ['after a message', true, ['1-1'], '1-1', ['1-2', '1-3']],
])('a handler may end its stream %s, and the client comes back', async (_, talks, before, last, after) => {
  const { stream, listen, open, release } = await startLeaving(talks);
  const session = await open();
  const left = await stream(call, session);
  const [first, ...more] = await left.rest();
  expect([first, more.map(({ id }) => id)]).toEqual([priming('1-0'), before]);
  const resumed = await listen({ ...session, 'last-event-id': last });
  release();
  const [place, ...rest] = await resumed.rest();
  expect([place, rest.map(({ id }) => id)]).toEqual([priming(last), after]);
});

test('a stream whose client knows no way back is not ended', async () => {
  const { stream, open, release } = await startLeaving(true);
  release();
  const { rest } = await stream(call, await open('2025-06-18'));
  expect((await rest()).map(({ id }) => id)).toEqual(['1-1', '1-2', '1-3']);
});

test('a stream whose client left before it opened has no connection', async () => {
  const keptMessage = (): undefined => undefined;
  const keeper = { mark: undefined, keepEvent: keptMessage, keptMessage, streamChanged: keptMessage };
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.destroy();
  await setImmediate();
  const stream = new EventStream(0, keeper);
  stream.attachConnection(
    new SseResponse(response, { keepAliveMs: 1000, streamBacklogBytes: 1000 }),
    undefined,
    undefined,
  );
  await setImmediate();
  expect(stream.hasConnection).toBe(false);
});
