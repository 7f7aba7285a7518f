/**
 * The tool with no protocol but JSON, in the fewest lines: the floor that Node itself sets. `stdio` and `http` add;
 * `calling` is over stdio, and has `api`, which is over HTTP at API_BASE_URL, do it.
 */
import { Agent, createServer, request } from 'node:http';

const agent = new Agent({ keepAlive: true, timeout: 4_000, scheduling: 'lifo' });
const [, , mode] = process.argv;

function opened({ protocolVersion }) {
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'sums', version: '1.0.0' } };
}

function added(structuredContent) {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

function answer({ id, method, params }) {
  const { a, b } = params.arguments ?? {};
  const result = method === 'initialize' ? opened(params) : added({ sum: a + b });
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

function askApi({ id, params: { arguments: args } }) {
  request(`${process.env.API_BASE_URL}/sum?a=${args.a}&b=${args.b}`, { agent }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    response.on('end', () => {
      const result = added(JSON.parse(text));
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
    });
  }).end();
}

function send(response, body) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
}

if (mode === 'stdio' || mode === 'calling') {
  let pending = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop();
    for (const message of lines.map(JSON.parse))
      if (mode === 'calling' && message.method === 'tools/call') askApi(message);
      else if (message.id !== undefined) process.stdout.write(`${answer(message)}\n`);
  });
} else {
  const listener = createServer((incoming, response) => {
    const { searchParams } = new URL(incoming.url, 'http://bare');
    if (mode === 'api')
      return send(response, `{"sum":${Number(searchParams.get('a')) + Number(searchParams.get('b'))}}`);
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      if (message.id === undefined) return response.writeHead(202).end();
      send(response, answer(message));
    });
  });
  listener.listen(0, '127.0.0.1', () => console.error(`http://127.0.0.1:${listener.address().port}/mcp `));
}
