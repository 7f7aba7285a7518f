/** mcp-use, which serves HTTP alone, as lines: `<document> <base URL>`. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { MCPServer } from 'mcp-use';

const [file, baseUrl] = process.argv.slice(2);
const server = MCPServer.fromOpenAPI({ spec: JSON.parse(readFileSync(file, 'utf8')), baseUrl });
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};
for await (const body of createInterface({ input: process.stdin })) {
  const response = await server.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
  const text = await response.text();
  for (const line of text.split('\n')) {
    const json = line.replace(/^data: /, '').trim();
    if (json.startsWith('{')) process.stdout.write(`${json}\n`);
  }
}
