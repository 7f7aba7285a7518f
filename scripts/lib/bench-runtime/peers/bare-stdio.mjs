/** The same tool in the fewest lines over stdin and stdout: the floor that Node itself sets. */
let pending = '';

process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (pending + chunk).split('\n');
  pending = lines.pop();
  for (const line of lines) answer(JSON.parse(line));
});

function answer({ id, method, params }) {
  if (id === undefined) return;
  const result = method === 'initialize' ? opened(params) : added(params.arguments);
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

function opened({ protocolVersion }) {
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'sums', version: '1.0.0' } };
}

function added({ a, b }) {
  const sum = { sum: a + b };
  return { content: [{ type: 'text', text: JSON.stringify(sum) }], structuredContent: sum };
}
