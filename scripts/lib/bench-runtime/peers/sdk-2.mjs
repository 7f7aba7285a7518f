/** The measured tool on the official SDK 2.x, over `stdio`, `http` or `modern`. */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';

import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

function createServer() {
  const server = new McpServer({ name: 'sums', version: '1.0.0' });
  const tool = {
    description: 'Add two numbers',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  };
  server.registerTool('add', tool, ({ a, b }) => {
    const structuredContent = { sum: a + b };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  return server;
}

const transports = new Map();

async function openSession() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void transports.set(id, transport),
  });
  await createServer().connect(transport);
  return transport;
}

async function handleInSession(request, response) {
  const transport = transports.get(request.headers['mcp-session-id']) ?? (await openSession());
  await transport.handleRequest(request, response);
}

if (process.argv[2] === 'stdio') serveStdio(createServer);
else {
  const handle =
    process.argv[2] === 'modern' ? toNodeHandler(createMcpHandler(createServer)) : handleInSession;
  const listener = createHttpServer((request, response) => void handle(request, response));
  listener.listen(0, '127.0.0.1', () => console.error(`http://127.0.0.1:${listener.address().port}/mcp `));
}
