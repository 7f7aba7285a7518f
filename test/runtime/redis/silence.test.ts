// Where nothing needs Redis, no command is sent to it. Over stdio: `npm run nodes -- --only redis-cost`.
import { createServer, connect as dial } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { newServer } from '../core/harness.ts';
import { start } from '../transports/http-harness.ts';
import { connect, HAS_REDIS, startRedis, WHERE } from './states.ts';

/** Counts the bytes that clients send to the Redis behind it. */
async function openTap(port: number) {
  const seen = { bytes: 0 };
  const tap = createServer((client) => {
    client.on('data', (chunk) => void (seen.bytes += chunk.length)).on('error', () => undefined);
    const redis = dial(port, '127.0.0.1').on('error', () => undefined);
    client.pipe(redis).pipe(client);
    client.on('close', () => redis.destroy());
  }).listen(0, '127.0.0.1');
  await once(tap, 'listening');
  onTestFinished(() => void tap.close());
  const address = tap.address();
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  return { seen, url: `redis://127.0.0.1:${address.port}` };
}

test.runIf(HAS_REDIS)(`calls over HTTP without limits send nothing (${WHERE})`, async () => {
  const redis = await startRedis();
  onTestFinished(redis.stop);
  const { seen, url } = await openTap(redis.port);
  const { shared, bus } = await connect(url);
  onTestFinished(() => shared.close());
  const { server } = newServer({
    handlers: { extraTools: [{ name: 'x', inputSchema: { type: 'object' }, handler: () => 'done' }] },
    shared,
    bus,
  });
  const { open, post } = await start({ server: { ...server, limits: DEFAULT_LIMITS } });
  const session = await open();
  const before = seen.bytes;
  expect(before).toBeGreaterThan(0);
  for (let id = 1; id <= 20; id++) {
    const { status } = await post(
      { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } },
      session,
    );
    expect(status).toBe(200);
  }
  expect(seen.bytes - before).toBe(0);
  await shared.get('something');
  expect(seen.bytes - before).toBeGreaterThan(0);
});
