/** `@modelcontextprotocol/sdk` 1.x: it offers one revision, and takes what the server answers. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';

import { listAndCall } from './list-and-call.mjs';

export async function drive(task) {
  const client = await connect(task);
  return listAndCall(client, task.calls, (call) => client.callTool(call));
}

export async function connect({ transport, program, url }) {
  const client = new Client({ name: 'mcpgen-clients', version: '1.0.0' });
  // The reason of a connection that ends: what a request says then is only that it did.
  client.onerror = (error) => console.error(`client: ${error.message}`);
  await client.connect(open(transport, program, url && new URL(url)));
  return client;
}

function open(transport, program, url) {
  if (transport === 'stdio') return new StdioClientTransport(program);
  if (transport === 'http') return new StreamableHTTPClientTransport(url);
  return transport === 'sse' ? new SSEClientTransport(url) : new WebSocketClientTransport(url);
}
