// The official client over Streamable HTTP, when connections break off.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { judged } from '../../support/conversation.ts';
import { gate, start } from './http-harness.ts';

/** Connects a client whose first stream of a call breaks off after its first message. */
async function connect(url: string, told: unknown[]): Promise<{ client: Client; lost: Promise<void> }> {
  const { open: lose, opened: lost } = gate();
  let isFirst = true;
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    fetch: async (target, init) => {
      const response = await fetch(target, init);
      if (!isFirst || init?.method !== 'POST' || !String(init.body).includes('tools/call')) return response;
      isFirst = false;
      return new Response(firstChunk(response, lose), response);
    },
  });
  const client = new Client({ name: 'client', version: '0' });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    told.push(params.data);
  });
  await client.connect(judged(transport));
  return { client, lost };
}

function firstChunk({ body }: Response, lose: () => void): ReadableStream<Uint8Array> {
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

test('a call goes on when its stream breaks off, and the client gets every message once', async () => {
  const { open, opened } = gate();
  const { url, counted } = await start({
    limits: { retryMs: 10 },
    handler: async ({ log }) => {
      await log('info', 'first');
      await opened;
      await log('info', 'second');
      return 'done';
    },
  });
  const told: unknown[] = [];
  const { client, lost } = await connect(url, told);
  const answer = client.callTool({ name: 'x' });
  await lost;
  open();
  expect((await answer).content).toEqual([{ type: 'text', text: 'done' }]);
  expect([told, counted.calls]).toEqual([['first', 'second'], 1]);
  await client.close();
});

test('a handler ends its stream, and the client comes back for the rest', async () => {
  const { open, opened } = gate();
  const { url, counted } = await start({
    limits: { retryMs: 10 },
    handler: async ({ closeStream, log }) => {
      closeStream();
      await opened;
      await log('info', 'second');
      return 'done';
    },
  });
  const told: unknown[] = [];
  const { client } = await connect(url, told);
  const answer = client.callTool({ name: 'x' });
  await expect.poll(() => counted.calls).toBe(1);
  open();
  expect((await answer).content).toEqual([{ type: 'text', text: 'done' }]);
  expect(told).toEqual(['second']);
  await client.close();
});

test('a call that is cancelled does not have the client come back again and again', async () => {
  const { url, counted } = await start({
    limits: { retryMs: 1 },
    handler: async ({ log, signal }) => {
      await log('info', 'first');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  const gets: number[] = [];
  const transport = judged(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      fetch: async (target, init) => {
        const response = await fetch(target, init);
        if (init?.method === 'GET') gets.push(response.status);
        return response;
      },
    }),
  );
  const client = new Client({ name: 'client', version: '0' });
  await client.connect(transport);
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
