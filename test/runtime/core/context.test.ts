import { expect, test } from 'vitest';
import type { Context } from '../../../templates/runtime/definition.ts';
import type { Revision } from '../../../templates/runtime/protocol/revisions.ts';
import { openServer, type ServerParts } from './harness.ts';

const doing = (handler: (context: Context) => unknown, more: ServerParts = {}): ServerParts => ({
  ...more,
  handlers: {
    extraTools: [
      {
        name: 'x',
        inputSchema: { type: 'object' },
        handler: (_: object, context: Context) => handler(context),
      },
    ],
  },
});
const call = (progressToken?: unknown) => ({
  name: 'x',
  ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
});

test('log messages from the wanted level on are sent ahead of the answer', async () => {
  const server = await openServer(
    doing(async ({ log }) => {
      await log('debug', 'd');
      await log('info', { i: 1 }, 'mine');
      await log('error', 'e');
    }),
  );
  await server.ask('tools/call', call());
  const info = {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', logger: 'mine', data: { i: 1 } },
  };
  const error = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: 'e' } };
  expect(server.sent).toEqual([info, error]);
  expect((await server.ask('logging/setLevel', { level: 'error' })).result).toEqual({});
  server.sent.length = 0;
  await server.ask('tools/call', call());
  expect(server.sent).toEqual([error]);
});

test.each([[{ level: 'loud' }], [{ level: 3 }], [{}], [{ level: 'toString' }]])(
  'the level of %j is refused',
  async (params) => {
    const server = await openServer();
    const { error } = await server.ask('logging/setLevel', params);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain('`level` must be one of debug, info,');
    expect(server.session.logLevel).toBe('info');
  },
);

const reports = async (context: Context) => {
  await context.progress(1, 4, 'one');
  await context.progress(1);
  await context.progress(0.5);
  await context.progress(4, 4);
};

test.each<[Revision, object]>([
  ['2024-11-05', { progressToken: 't', progress: 1, total: 4 }],
  ['2025-11-25', { progressToken: 't', progress: 1, total: 4, message: 'one' }],
])('progress in %s rises, for the token that was given', async (revision, first) => {
  const server = await openServer(doing(reports), revision);
  await server.ask('tools/call', call('t'));
  const method = 'notifications/progress';
  expect(server.sent).toEqual([
    { jsonrpc: '2.0', method, params: first },
    { jsonrpc: '2.0', method, params: { progressToken: 't', progress: 4, total: 4 } },
  ]);
});

test.each([[undefined], [null], [{}], [1.5]])('the progress token %j is none', async (token) => {
  const server = await openServer(doing(reports));
  await server.ask('tools/call', call(token));
  expect(server.sent).toEqual([]);
});

test('nothing is sent after the answer', async () => {
  let kept: Context | undefined;
  const server = await openServer(doing((context) => void (kept = context)));
  await server.ask('tools/call', call('t'));
  await kept?.progress(1);
  await kept?.log('error', 'late');
  expect(server.sent).toEqual([]);
});

test('progress and logs beyond their limits are dropped', async () => {
  const flood = async (context: Context) => {
    for (let n = 1; n <= 20; n++) await Promise.all([context.progress(n), context.log('error', n)]);
  };
  const server = await openServer(doing(flood, { limits: { progressPerSecond: 3, logsPerSecond: 5 } }));
  await server.ask('tools/call', call(1));
  const count = (method: string) => server.sent.filter((each) => each.method === method).length;
  expect(count('notifications/progress')).toBeLessThan(20);
  expect(count('notifications/message')).toBeLessThan(20);
});

test('a cancelled call is aborted, and neither answered nor followed', async () => {
  let signal: AbortSignal | undefined;
  const server = await openServer(
    doing(async (context) => {
      ({ signal } = context);
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      await context.log('error', 'too late');
      return 'too late';
    }),
  );
  const answer = server.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: call() });
  await expect.poll(() => signal).toBeDefined();
  await server.notify('notifications/cancelled', { requestId: 'other' });
  expect(signal?.aborted).toBe(false);
  await server.notify('notifications/cancelled', { requestId: 'c', reason: 'changed my mind' });
  expect(await answer).toBeUndefined();
  expect(String(signal?.reason)).toContain('changed my mind');
  expect(server.sent).toEqual([]);
  await expect.poll(() => server.session.inFlight.size).toBe(0);
});

test('a signal first looked at after the cancellation is aborted already', async () => {
  let go = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (go = resolve));
  let aborted: boolean | undefined;
  let started = false;
  const server = await openServer(
    doing(async (context) => {
      started = true;
      await waiting;
      aborted = context.signal.aborted;
    }),
  );
  const answer = server.send({ jsonrpc: '2.0', id: 1.0, method: 'tools/call', params: call() });
  await expect.poll(() => started).toBe(true);
  await server.notify('notifications/cancelled', { requestId: 1 });
  go();
  expect(await answer).toBeUndefined();
  expect(aborted).toBe(true);
});

test('a handler knows its client', async () => {
  let client: unknown;
  let meta: unknown;
  const server = await openServer(
    doing((context) => void ({ client, meta } = context)),
    '2025-06-18',
  );
  await server.ask('tools/call', call('t'));
  expect(client).toEqual({
    info: { name: 'client', version: '0' },
    capabilities: {},
    revision: '2025-06-18',
  });
  expect(meta).toEqual({ progressToken: 't' });
});
