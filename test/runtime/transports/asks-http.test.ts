// A handler asks the official client, over Streamable HTTP: the request goes on the call's stream, the answer comes by POST.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { Context } from '../../../templates/runtime/definition.ts';
import { judged } from '../../support/conversation.ts';
import { start } from './http-harness.ts';

async function handler({ elicit, roots, sample }: Context): Promise<string> {
  const properties = { color: { type: 'string' as const, enum: ['red', 'green'] } };
  const { action, content } = await elicit('Which color?', {
    type: 'object',
    properties,
    required: ['color'],
  });
  const folders = await roots();
  const words = await sample({
    messages: [{ role: 'user', content: { type: 'text', text: 'Say it.' } }],
    maxTokens: 5,
  });
  return JSON.stringify({ action, content, folders, words });
}

test('elicitation, roots and sampling in one call', async () => {
  const { url, reported } = await start({ handler });
  const client = new Client(
    { name: 'client', version: '0' },
    { capabilities: { elicitation: {}, roots: {}, sampling: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { color: 'green' } }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home' }] }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'it' },
  }));
  await client.connect(judged(new StreamableHTTPClientTransport(new URL(`${url}/mcp`))));
  const { content } = await client.callTool({ name: 'x' });
  await client.close();
  const [block] = content as { text: string }[];
  expect(JSON.parse(block?.text ?? '')).toEqual({
    action: 'accept',
    content: { color: 'green' },
    folders: [{ uri: 'file:///home' }],
    words: { role: 'assistant', model: 'm', content: { type: 'text', text: 'it' } },
  });
  expect(reported).toEqual([]);
});
