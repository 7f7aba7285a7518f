/** `@modelcontextprotocol/client` 2.x: a legacy revision, `auto`, or one revision pinned. */
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { listAndCall } from './list-and-call.mjs';

export async function drive({ transport, mode, program, url, calls }) {
  const client = new Client({ name: 'mcpgen-clients', version: '1.0.0' }, negotiation(mode));
  // The reason of a connection that ends: what a request says then is only that it did.
  client.onerror = (error) => console.error(`client: ${error.message}`);
  await client.connect(open(transport, program, url && new URL(url)));
  const revision = client.getNegotiatedProtocolVersion();
  return { revision, ...(await listAndCall(client, calls, (call) => client.callTool(call))) };
}

function open(transport, program, url) {
  if (transport === 'stdio') return new StdioClientTransport(program);
  return transport === 'http' ? new StreamableHTTPClientTransport(url) : new SSEClientTransport(url);
}

/** `mode`: `auto`, `pin 2026-07-28` or `legacy 2025-06-18`. */
function negotiation(mode) {
  const [kind, version] = mode.split(' ');
  if (kind === 'auto') return { versionNegotiation: { mode: 'auto' } };
  if (kind === 'pin') return { versionNegotiation: { mode: { pin: version } } };
  return { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: [version] };
}
