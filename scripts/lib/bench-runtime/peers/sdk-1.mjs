/** The measured tool on the official SDK 1.x, over `stdio` or `http`. */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

function createServer() {
  const server = new McpServer({ name: 'sums', version: '1.0.0' });
  const tool = {
    description: 'Add two numbers',
    inputSchema: { a: z.number(), b: z.number() },
    outputSchema: { sum: z.number() },
  };
  server.registerTool('add', tool, ({ a, b }) => {
    const structuredContent = { sum: a + b };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  return server;
}

const transports = new Map();

async function openSession() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void transports.set(id, transport),
  });
  await createServer().connect(transport);
  return transport;
}

if (process.argv[2] === 'stdio') await createServer().connect(new StdioServerTransport());
else {
  const listener = createHttpServer(async (request, response) => {
    const transport = transports.get(request.headers['mcp-session-id']) ?? (await openSession());
    await transport.handleRequest(request, response);
  });
  listener.listen(0, '127.0.0.1', () => console.error(`http://127.0.0.1:${listener.address().port}/mcp `));
}
