// A handler asks the official client, over Streamable HTTP: the request goes on the call's stream, the answer comes by POST.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { createCore } from '../../../templates/runtime/core/core.ts';
import { createProject } from '../../../templates/runtime/core/project.ts';
import type { Context } from '../../../templates/runtime/definition.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/limits.ts';
import { createHttpHandler } from '../../../templates/runtime/transports/http/http-handler.ts';
import { serveHttp } from '../../../templates/runtime/transports/http/serve-http.ts';
import { SessionStore } from '../../../templates/runtime/transports/http/session-store.ts';
import { newCatalog } from '../core/harness.ts';

async function handler(_: object, { elicit, roots, sample }: Context): Promise<string> {
  const properties = { color: { type: 'string' as const, enum: ['red', 'green'] } };
  const { action, content } = await elicit({
    message: 'Which color?',
    requestedSchema: { type: 'object', properties, required: ['color'] },
  });
  const folders = await roots();
  const words = await sample({
    messages: [{ role: 'user', content: { type: 'text', text: 'Say it.' } }],
    maxTokens: 5,
  });
  return JSON.stringify({ action, content, folders, words });
}

test('elicitation, roots and sampling in one call', async () => {
  const reported: unknown[] = [];
  const project = createProject({
    definition: {
      info: { name: 'test', version: '1' },
      handlers: { extraTools: [{ name: 'x', inputSchema: { type: 'object' }, handler }] },
    },
    catalog: newCatalog({}),
    readBindings: () => '{}',
    env: {},
    limits: DEFAULT_LIMITS,
    report: (thrown) => reported.push(thrown),
  });
  const sessions = new SessionStore(DEFAULT_LIMITS);
  const listener = await serveHttp(
    createHttpHandler({
      core: createCore(project),
      sessions,
      limits: DEFAULT_LIMITS,
      rules: { host: '127.0.0.1', allowedOrigins: [] },
      path: '/mcp',
      callsPerMinute: undefined,
      logLevel: 'info',
      report: (thrown) => reported.push(thrown),
    }),
    { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS },
  );
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
  await client.connect(new StreamableHTTPClientTransport(new URL(`${listener.url}/mcp`)));
  const { content } = await client.callTool({ name: 'x' });
  await client.close();
  sessions.endAll();
  await listener.close();
  const [block] = content as { text: string }[];
  expect(JSON.parse(block?.text ?? '')).toEqual({
    action: 'accept',
    content: { color: 'green' },
    folders: [{ uri: 'file:///home' }],
    words: { role: 'assistant', model: 'm', content: { type: 'text', text: 'it' } },
  });
  expect(reported).toEqual([]);
});
