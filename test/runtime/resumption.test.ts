// Streams that go on: what a client that comes back with `Last-Event-ID` gets.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { judged } from '../support/conversation.ts';
import { call, callHead, failure, gate, modernCall, ping, start, type StartParts } from './client.ts';
import type { Session } from '../../templates/runtime/session.ts';
import type { Feature } from '../../templates/runtime/feature.ts';
import { serve } from './http.ts';

const priming = (id: string) => ({ id, retry: '1000', data: '' });

/** A server whose tool says `first`, waits until it is told, says `second`, and answers. */
async function startSlow() {
  const { open: release, opened } = gate();
  const isAborted: boolean[] = [];
  const server = await start({
    handler: async ({ log, signal }) => {
      await log('info', 'first');
      await opened;
      await log('info', 'second');
      isAborted.push(signal.aborted);
      return 'done';
    },
  });
  return { ...server, release, isAborted };
}

test.each([
  ['2025-11-25', [priming('1-0')], [priming('1-1')]],
  ['2025-06-18', [], []],
])(
  '%s: a client that lost its connection gets the rest, and the call went on',
  async (revision, first, again) => {
    const { stream, open, listen, release, isAborted } = await startSlow();
    const session = await open(revision);
    const before = await stream(call, session);
    const [place, message] = [first.length > 0 ? await before.next() : undefined, await before.next()];
    expect([place, message?.id]).toEqual([first[0], '1-1']);
    before.response.destroy();
    const after = await listen({ ...session, 'last-event-id': '1-1' });
    release();
    const events = await after.rest();
    expect(events.slice(0, again.length)).toEqual(again);
    expect(events.slice(again.length).map(({ id }) => id)).toEqual(['1-2', '1-3']);
    expect(isAborted).toEqual([false]);
  },
);

test('what was answered while the client was away waits for it, and then it is told not to come back', async () => {
  const { stream, open, listen, release, isAborted } = await startSlow();
  const session = await open('2025-06-18');
  const before = await stream(call, session);
  await before.next();
  before.response.destroy();
  release();
  await expect.poll(() => isAborted).toEqual([false]);
  const after = await listen({ ...session, 'last-event-id': '1-1' });
  expect((await after.rest()).map(({ id }) => id)).toEqual(['1-2', '1-3']);
  const { status, rest } = await listen({ ...session, 'last-event-id': '1-3' });
  expect([await rest(), status]).toEqual([[], 204]);
});

test.each(['none', '1-3', '2-0', '1', '-1', '1-0x', '9999999999999999-1'])(
  'the Last-Event-ID %s, which no event had, is 400',
  async (id) => {
    const { stream, open, listen } = await start({ handler: ({ log }) => log('info', 1) });
    const session = await open();
    await (await stream(call, session)).rest();
    const { status, rest, seen } = await listen({ ...session, 'last-event-id': id });
    await rest();
    const reason = '`Last-Event-ID` names no event of this session on this node.';
    expect([status, JSON.parse(seen.text)]).toEqual([400, failure(-32600, reason)]);
  },
);

test('events of one session are not for another', async () => {
  const { stream, open, listen } = await start({ handler: ({ log }) => log('info', 1) });
  await (await stream(call, await open())).rest();
  expect((await listen({ ...(await open()), 'last-event-id': '1-0' })).status).toBe(400);
});

test.each<[string, NonNullable<StartParts['handler']>]>([
  [
    'count',
    async ({ log }) => void (await Promise.all(Array.from({ length: 1_001 }, () => log('info', 'x')))),
  ],
  [
    'bytes',
    async ({ log }) => void (await Promise.all([1, 2, 3, 4].map(() => log('info', 'x'.repeat(500_000))))),
  ],
])('a stream whose next events are not kept any more, for their %s, says so', async (_, handler) => {
  const { stream, open, listen } = await start({ handler, limits: { logsPerSecond: 2_000 } });
  const session = await open('2025-06-18');
  const all = await (await stream(call, session)).rest();
  const { status, rest } = await listen({ ...session, 'last-event-id': '1-1' });
  await rest();
  expect(status).toBe(410);
  const late = await listen({ ...session, 'last-event-id': `1-${all.length - 1}` });
  expect((await late.rest()).map(({ id }) => id)).toEqual([`1-${all.length}`]);
});

test('messages that belong to no call go on after their last one, and those of another node begin anew', async () => {
  let session: Session | undefined;
  const watch: Feature = {
    name: 'watch',
    aroundRequest: (methodCall, next) => {
      session = methodCall.session;
      return next(methodCall);
    },
  };
  const told = (list: string) => ({ jsonrpc: '2.0' as const, method: `notifications/${list}/list_changed` });
  const { server } = await serve({ features: [watch] }, []);
  const it = await start({ server });
  const head = await it.open('2025-06-18');
  await it.post(ping, head);
  const first = await it.listen(head);
  session?.push(told('tools'));
  expect(await first.next()).toMatchObject({ id: '0-1' });
  session?.push(told('prompts'));
  expect(await first.next()).toMatchObject({ id: '0-2' });
  const second = await it.listen({ ...head, 'last-event-id': '0-1' });
  expect(await second.next()).toMatchObject({ id: '0-2' });
  session?.push(told('resources'));
  expect(await second.next()).toMatchObject({ id: '0-3' });
  expect(await first.rest()).toEqual([]);
  const other = await it.open('2025-06-18');
  expect((await it.listen({ ...other, 'last-event-id': '0-7' })).status).toBe(200);
});

test.each([
  ['before anything was sent', false, [], '1-0', ['1-1', '1-2']],
  ['after a message', true, ['1-1'], '1-1', ['1-2', '1-3']],
])('a handler ends its stream %s, and the client comes back', async (_, talks, before, last, after) => {
  const { open: release, opened } = gate();
  const { stream, listen, open } = await start({
    handler: async ({ log, closeStream }) => {
      if (talks) await log('info', 'before');
      closeStream();
      await log('info', 'between');
      await opened;
      return 'done';
    },
  });
  const session = await open();
  const [first, ...more] = await (await stream(call, session)).rest();
  expect([first, more.map(({ id }) => id)]).toEqual([priming('1-0'), before]);
  const resumed = await listen({ ...session, 'last-event-id': last });
  release();
  expect((await resumed.rest()).map(({ id }) => id)).toEqual([last, ...after]);
});

test('without the feature events have no ids, and nothing is resumed', async () => {
  const it = await start({ without: ['resumption'] });
  const head = await it.open();
  const stream = await it.listen({ ...head, 'last-event-id': '0-7' });
  expect(stream.status).toBe(200);
});

test.each([
  ['of 2026-07-28', {}, modernCall, callHead],
  ['of a server without sessions', { stateless: true }, call, { 'mcp-protocol-version': '2025-11-25' }],
])('a request %s keeps its stream: nobody could come back', async (_, parts, message, headers) => {
  const { post } = await start({
    ...parts,
    handler: async ({ closeStream }) => {
      closeStream();
      return 'done';
    },
  });
  expect((await post(message, headers)).text).toContain('done');
});

// The official client.

/** The first answer to a call, as it breaks off after a message. */
function breakOff({ body }: Response, lose: () => void): ReadableStream<Uint8Array> {
  const reader = body?.getReader();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) return controller.close();
      controller.enqueue(value);
      if (!new TextDecoder().decode(value).includes('first')) return;
      await reader?.cancel();
      controller.error(new Error('The connection broke off.'));
      lose();
    },
  });
}

async function connectClient(
  url: string,
  fetchOf: typeof fetch,
): Promise<{ client: Client; told: unknown[] }> {
  const told: unknown[] = [];
  const client = new Client({ name: 'client', version: '0' });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    told.push(params.data);
  });
  await client.connect(judged(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch: fetchOf })));
  return { client, told };
}

test('the official client gets every message once, though its stream breaks off', async () => {
  const { url, release, isAborted } = await startSlow();
  const { open: lose, opened: lost } = gate();
  let isFirst = true;
  const { client, told } = await connectClient(url, async (target, init) => {
    const response = await fetch(target, init);
    if (!isFirst || init?.method !== 'POST' || !String(init.body).includes('tools/call')) return response;
    isFirst = false;
    return new Response(breakOff(response, lose), response);
  });
  const answer = client.callTool({ name: 'x' });
  await lost;
  release();
  expect((await answer).content).toEqual([{ type: 'text', text: 'done' }]);
  expect([told, isAborted]).toEqual([['first', 'second'], [false]]);
  await client.close();
});

test('it does not come back again and again for a call that it has cancelled', async () => {
  const { url, counted } = await start({
    handler: async ({ log, signal }) => {
      await log('info', 'first');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  const gets: number[] = [];
  const { client } = await connectClient(url, async (target, init) => {
    const response = await fetch(target, init);
    if (init?.method === 'GET') gets.push(response.status);
    return response;
  });
  const leaving = new AbortController();
  const answer = client.callTool({ name: 'x' }, undefined, { signal: leaving.signal });
  await expect.poll(() => counted.calls).toBe(1);
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await expect.poll(() => gets).toEqual([200, 204]);
  await client.ping();
  expect(gets).toEqual([200, 204]);
  await client.close();
});
