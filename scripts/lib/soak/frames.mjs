/** Messages and frames that no client should send. */

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

/** Without line breaks, and not empty. */
export function badMessage(random) {
  const bytes = Buffer.from(random.pick(makers)(random)).map((byte) =>
    byte === 10 || byte === 13 ? 32 : byte,
  );
  return bytes.length === 0 ? Buffer.from(' ') : bytes;
}

const makers = [
  (random) => random.pick(wrong),
  (random) => random.pick(wrong),
  (random) => random.bytes(1 + random.below(200)),
  (random) => random.pick(good).slice(0, random.below(70)),
  (random) => {
    const bytes = Buffer.from(random.pick(good));
    bytes[random.below(bytes.length)] ^= 1 << random.below(8);
    return bytes;
  },
  (random) => '['.repeat(1 + random.below(5_000)),
  (random) => `${'{"a":'.repeat(1 + random.below(500))}1`,
  (random) => `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(random.below(5_000))}"}`,
];

/** Frames of WebSocket that break RFC 6455, or end the connection. */
const faults = [
  (random) => random.bytes(2 + random.below(100)),
  () => webSocketFrame('binary', { opcode: 2 }),
  () => webSocketFrame('reserved', { opcode: 3 }),
  () => webSocketFrame('rsv', { flags: 0xf0 }),
  () => webSocketFrame('lonely', { opcode: 0 }),
  () => webSocketFrame('x'.repeat(200), { opcode: 9 }),
  () => webSocketFrame('unmasked', { isMasked: false }),
  () => webSocketFrame(Buffer.from([0xff, 0xfe])),
  () => webSocketFrame(Buffer.from([0x03]), { opcode: 8 }),
  () => webSocketFrame(Buffer.from([0x03, 0xed]), { opcode: 8 }),
  () => Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]),
];

export const badFrame = (random) => random.pick(faults)(random);

/** A client's frame (RFC 6455, section 5.2). */
export function webSocketFrame(text, { opcode = 1, flags = 0x80, isMasked = true } = {}) {
  const payload = Buffer.from(text);
  const { length: size } = payload;
  const length = size > 125 ? [126, size >> 8, size & 255] : [size];
  if (!isMasked) return Buffer.concat([Buffer.from([flags | opcode, ...length]), payload]);
  length[0] |= 0x80;
  const key = [1, 2, 3, 4];
  const masked = payload.map((byte, index) => byte ^ key[index & 3]);
  return Buffer.concat([Buffer.from([flags | opcode, ...length, ...key]), masked]);
}
