import { expect, onTestFinished, test, vi } from 'vitest';
import type { Context } from '../../../templates/runtime/types.ts';
import { openServer, type ServerParts } from '../harness.ts';

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

test('logs beyond their limit are dropped', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const flood = async ({ log }: Context) => {
    for (let n = 1; n <= 20; n++) await log('error', n);
  };
  const server = await openServer(doing(flood, { limits: { logsPerSecond: 5 } }));
  await server.ask('tools/call', call(1));
  expect(server.sent.map(({ params }) => Reflect.get(params ?? {}, 'data'))).toEqual([1, 2, 3, 4, 5]);
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
