// Requests on one connection: each is asked for its own token, whatever came before on it.
import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startGuarded } from './guarded.ts';
import { seconds, startIssuer } from './issuer.ts';
import { modernCall } from './modern-call.ts';

test('a connection proves nothing', async () => {
  const issuer = await startIssuer();
  let now = Date.now();
  const seen: (string | undefined)[] = [];
  const server = await startGuarded(issuer, {
    now: () => now,
    handler: ({ auth }) => void seen.push(auth?.subject),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const sockets = new Set<unknown>();
  const statusOf = (authorization: string | undefined, path = '/mcp') =>
    new Promise<number | undefined>((resolve, reject) => {
      const own = authorization === undefined ? {} : { authorization };
      const [message, headers] = modernCall('x', {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...own,
      });
      const sent = request(`${server.url}${path}`, { method: 'POST', agent, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('socket', (socket) => sockets.add(socket));
      sent.on('error', reject).end(JSON.stringify(message));
    });
  const alice = `Bearer ${await issuer.token()}`;
  const bob = `Bearer ${await issuer.token({ sub: 'bob' })}`;
  expect([await statusOf(alice), await statusOf(alice), await statusOf(bob)]).toEqual([200, 200, 200]);
  expect([await statusOf(undefined), await statusOf(`${bob}x`)]).toEqual([401, 401]);
  expect([await statusOf(bob), await statusOf(bob, '/mcp?access_token=x')]).toEqual([200, 400]);
  now = seconds(66) * 1000;
  expect(await statusOf(bob)).toBe(401);
  expect(seen).toEqual(['alice', 'alice', 'bob', 'bob']);
  // Refused requests end theirs; those that were admitted shared one.
  expect(sockets.size).toBeLessThan(8);
});
