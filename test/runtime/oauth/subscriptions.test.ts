// Subscriptions are shared out among subjects: who opens all it may keeps nobody else from opening one.
import { expect, test } from 'vitest';
import { startGuarded } from './guarded.ts';
import { startIssuer } from './issuer.ts';
import { modernCall } from './modern-call.ts';

const METHOD = 'subscriptions/listen';

test('one subject has only so many, whatever tokens it brings, and another has its own', async () => {
  const issuer = await startIssuer();
  const server = await startGuarded(issuer, { limits: { subscriptions: 3, subscriptionsPerClient: 1 } });
  const request = async (sub: string) => {
    const authorization = `Bearer ${await issuer.token({ sub, jti: String(Math.random()) })}`;
    const [message, headers] = modernCall('x', { authorization, 'mcp-method': METHOD });
    const params = { ...Object(Reflect.get(message, 'params')), notifications: { toolsListChanged: true } };
    return [
      { ...message, method: METHOD, params },
      { ...headers, 'mcp-name': undefined },
    ] as const;
  };
  const open = async (sub: string) => server.stream(...(await request(sub)));
  const alice = await open('alice');
  expect((await alice.message())?.method).toBe('notifications/subscriptions/acknowledged');
  const { status, headers, json } = await server.post(...(await request('alice')));
  expect([status, headers['retry-after'], json.error?.code]).toEqual([429, '60', -32603]);
  const bob = await open('bob');
  expect((await bob.message())?.method).toBe('notifications/subscriptions/acknowledged');
  // Each is given back when it ends.
  alice.response.destroy();
  await expect.poll(async () => (await open('alice')).status).toBe(200);
});
