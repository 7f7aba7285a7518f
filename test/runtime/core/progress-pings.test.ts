// A client that asked for progress is told that a call still waits for the API.
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { bindUpstreamToServer } from '../../../templates/runtime/core/call-api.ts';
import type { UpstreamAnswer } from '../../../templates/runtime/core/handler-result.ts';
import type { UpstreamClient } from '../../../templates/runtime/upstream/upstream-client.ts';
import { openServer, type TestServer } from './harness.ts';

const answer: UpstreamAnswer = { status: 200, ok: true, headers: {}, url: '', body: { kind: 'none' } };

/** A call of the API that goes on until it is let go. */
interface Pending {
  server: TestServer;
  call: Promise<unknown>;
  succeed: () => void;
  fail: (thrown: unknown) => void;
  onItems: ((count: number) => void) | undefined;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
});

async function waiting(
  meta: object | undefined,
  revision: '2025-11-25' | '2024-11-05' = '2025-11-25',
  [method, subject]: [string, object] = ['tools/call', { name: 'x' }],
) {
  const get = { kind: 'http' as const, method: 'GET', path: '/', parameters: [] };
  const server = await openServer(
    {
      catalog: {
        tools: [{ name: 'x', inputSchema: { type: 'object' } }],
        resources: [{ uri: 'x://y', name: 'y' }],
      },
      bindings: { tools: { x: { do: get } }, resources: { 'x://y': { do: get } } },
      limits: { progressIntervalMs: 5_000 },
    },
    revision,
  );
  return new Promise<Pending>((resolve) => {
    const client: UpstreamClient = {
      call: (_binding, _args, { onItems }) =>
        new Promise<UpstreamAnswer>((succeed, fail) => {
          queueMicrotask(() => {
            resolve({ server, call, succeed: () => succeed(answer), fail, onItems });
          });
        }),
    };
    const upstream = bindUpstreamToServer(server.server, new Map([[undefined, client]]));
    server.server.cache.upstream = Promise.resolve(upstream);
    const params = { ...subject, ...(meta === undefined ? {} : { _meta: meta }) };
    const call = server.ask(method, params);
  });
}

const ping = (progress: number, more = {}) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 't', progress, ...more },
});
const words = { message: 'Waiting for the API.' };

test('the seconds rise while the API is waited for, and nothing follows the end', async () => {
  const { server, call, succeed } = await waiting({ progressToken: 't' });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(server.sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_001);
  const want = [ping(5, words), ping(10, words), ping(15, words)];
  expect(server.sent).toEqual(want);
  succeed();
  await call;
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.sent).toEqual(want);
});

test('a resource is waited for as well', async () => {
  const { server, call, succeed } = await waiting({ progressToken: 't' }, '2025-11-25', [
    'resources/read',
    { uri: 'x://y' },
  ]);
  await vi.advanceTimersByTimeAsync(5_000);
  succeed();
  await call;
  expect(server.sent).toEqual([ping(5, words)]);
});

test('2024-11-05 knows no words of progress', async () => {
  const { server, call, succeed } = await waiting({ progressToken: 't' }, '2024-11-05');
  await vi.advanceTimersByTimeAsync(5_000);
  succeed();
  await call;
  expect(server.sent).toEqual([ping(5)]);
});

test.each([[undefined], [{}], [{ progressToken: null }], [{ progressToken: {} }]])(
  'with the metadata %j nothing is sent, and no timer is set',
  async (meta) => {
    const { server, call, succeed } = await waiting(meta);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    succeed();
    await call;
    expect(server.sent).toEqual([]);
  },
);

test('a call that fails ends its pings', async () => {
  const { server, call, fail } = await waiting({ progressToken: 't' });
  await vi.advanceTimersByTimeAsync(5_000);
  fail(new Error('lost'));
  await call;
  expect([server.sent, vi.getTimerCount()]).toEqual([[ping(5, words)], 0]);
});

test('nothing is sent for a call that was cancelled', async () => {
  const { server, call, succeed } = await waiting({ progressToken: 't' });
  const unanswered = expect(call).rejects.toThrow('was not answered');
  await server.notify('notifications/cancelled', { requestId: 2 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.sent).toEqual([]);
  succeed();
  await unanswered;
});

test('each item of an answer that comes in items is told, on the scale of the seconds', async () => {
  const { server, call, succeed, onItems } = await waiting({ progressToken: 't' });
  await vi.advanceTimersByTimeAsync(2_000);
  onItems?.(1);
  await vi.advanceTimersByTimeAsync(500);
  onItems?.(7);
  await vi.advanceTimersByTimeAsync(2_500);
  succeed();
  await call;
  expect(server.sent).toEqual([
    ping(2, { message: '1 item so far.' }),
    ping(2.5, { message: '7 items so far.' }),
    ping(5, { message: '7 items so far.' }),
  ]);
});

test('without a token nobody is told of items', async () => {
  const { call, succeed, onItems } = await waiting(undefined);
  succeed();
  await call;
  expect(onItems).toBeUndefined();
});
