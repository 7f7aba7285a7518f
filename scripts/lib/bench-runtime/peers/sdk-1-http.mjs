import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';

import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

import { createServer } from './sdk-1-server.mjs';

const transports = new Map();

async function openSession() {
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: process.argv[2] === 'json',
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void transports.set(id, transport),
  });
  await createServer().connect(transport);
  return transport;
}

const listener = createHttpServer(async (request, response) => {
  const transport = transports.get(request.headers['mcp-session-id']) ?? (await openSession());
  await transport.handleRequest(request, response);
});
listener.listen(0, '127.0.0.1', () => console.error(`http://127.0.0.1:${listener.address().port}/mcp`));
