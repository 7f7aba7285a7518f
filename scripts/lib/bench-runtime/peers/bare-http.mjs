/** `node:http` with no protocol but JSON: it reads a body, adds, and answers. */
import { createServer } from 'node:http';

function answer({ id, method, params }) {
  if (method !== 'tools/call') return { jsonrpc: '2.0', id, result: {} };
  const structuredContent = { sum: params.arguments.a + params.arguments.b };
  const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
  return { jsonrpc: '2.0', id, result: { content, structuredContent } };
}

const listener = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (message.id === undefined) return void response.writeHead(202).end();
    const body = JSON.stringify(answer(message));
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    response.writeHead(200, headers).end(body);
  });
});
listener.listen(0, '127.0.0.1', () => console.error(`http://127.0.0.1:${listener.address().port}/mcp`));
