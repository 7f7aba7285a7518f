/** The measured tool on the official SDK 1.x. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

export function createServer() {
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
