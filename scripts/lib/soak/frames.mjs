/** Messages that no client should send. */

const good = [
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}',
  '{"jsonrpc":"2.0","id":"x","method":"tools/list","params":{}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
];

const wrong = [
  'null',
  'true',
  '0',
  '""',
  '{}',
  '[]',
  '[[]]',
  '[{}]',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":7}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
  '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
  '{"jsonrpc":"2.0","id":1,"method":"nothing/like/it"}',
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"constructor"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":"1","b":[]}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":null}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{"io.modelcontextprotocol/protocolVersion":7}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"forged"}}',
  '{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
  '{"jsonrpc":"2.0","id":1,"error":{"code":"1"}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":"all"}}',
  '{"__proto__":{"jsonrpc":"2.0"},"id":1,"method":"ping"}',
];

/**
 * @param {import('./random.mjs').Random} random
 * @returns {Buffer} without line breaks, and not empty
 */
export function badMessage(random) {
  const made = random.pick(makers)(random);
  const bytes = Buffer.from(made).map((byte) => (byte === 10 || byte === 13 ? 32 : byte));
  return bytes.length === 0 ? Buffer.from(' ') : bytes;
}

const makers = [
  (random) => random.pick(wrong),
  (random) => random.pick(wrong),
  (random) => random.bytes(1 + random.below(200)),
  (random) => cut(random.pick(good), random),
  (random) => flip(random.pick(good), random),
  (random) => '['.repeat(1 + random.below(5_000)),
  (random) => `${'{"a":'.repeat(1 + random.below(500))}1`,
  (random) => `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(random.below(5_000))}"}`,
];

function cut(text, random) {
  return text.slice(0, random.below(text.length));
}

function flip(text, random) {
  const bytes = Buffer.from(text);
  bytes[random.below(bytes.length)] ^= 1 << random.below(8);
  return bytes;
}
