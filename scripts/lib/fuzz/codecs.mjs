import fc from 'fast-check';
import { cuts, pieces, textOf } from './texts.mjs';

/** However a stream of events is cut, the same events come of it. */
export async function events(load) {
  const { EventReader } = await load('templates/runtime/upstream/stream-answer');
  const itemsOf = (texts) => {
    const reader = new EventReader();
    return [...texts.flatMap((text) => reader.push(text)), ...reader.end()];
  };
  const text = textOf(
    [
      'data: a',
      'data:',
      'event: x',
      'id: 1',
      'id: a\u0000b',
      'retry: 5',
      ': comment',
      '\n',
      '\n\n',
      '\r',
      '\r\n',
      '\ufeff',
    ],
    20,
  );
  return fc.property(text, cuts, (whole, places) => {
    same(itemsOf(pieces(whole, places)), itemsOf([whole]));
  });
}

/** However the bytes of a client are cut, the same frames come of them, and nothing comes after the end. */
export async function frames(load) {
  const { FrameReader } = await load('templates/runtime/transports/websocket/frame-reader');
  const limits = { messageBytes: 600, messageFragments: 4 };
  const eventsOf = (chunks) => {
    const reader = new FrameReader(limits);
    const found = [];
    for (const chunk of chunks) {
      reader.push(chunk);
      for (let event = reader.readFrameEvent(); event !== undefined; event = reader.readFrameEvent())
        found.push(event);
    }
    const ends = found.findIndex(({ kind }) => kind === 'close' || kind === 'fault');
    if (ends !== -1 && ends < found.length - 1) throw new Error('something came after the end');
    return found.map((event) =>
      'payload' in event ? { ...event, payload: event.payload.toString('hex') } : event,
    );
  };
  const frame = fc
    .record({
      first: fc.oneof(fc.constantFrom(0x81, 0x01, 0x80, 0x00, 0x89, 0x8a, 0x88, 0x82), fc.nat({ max: 255 })),
      isMasked: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.boolean()),
      key: fc.uint8Array({ minLength: 4, maxLength: 4 }),
      payload: fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc.string({ maxLength: 160 }).map((text) => Buffer.from(text)),
        fc.constant(Buffer.alloc(130, 0x61)),
      ),
      told: fc.option(fc.constantFrom(0, 1, 125, 126, 127, 2 ** 16, 2 ** 31, 2 ** 40), {
        nil: undefined,
        freq: 9,
      }),
    })
    .map(bytesOf);
  const bytes = fc.oneof(
    { weight: 5, arbitrary: fc.array(frame, { maxLength: 6 }).map((parts) => Buffer.concat(parts)) },
    fc.uint8Array({ maxLength: 40 }).map((given) => Buffer.from(given)),
  );
  return fc.property(bytes, cuts, (whole, places) => {
    same(eventsOf(pieces(whole, places).map((piece) => Buffer.from(piece))), eventsOf([whole]));
  });
}

function bytesOf({ first, isMasked, key, payload, told }) {
  const length = told ?? payload.length;
  const mask = isMasked ? 0x80 : 0;
  const head = length < 126 ? Buffer.from([first, mask | length]) : Buffer.alloc(length < 2 ** 16 ? 4 : 10);
  if (length >= 126) {
    head[0] = first;
    head[1] = mask | (length < 2 ** 16 ? 126 : 127);
    if (length < 2 ** 16) head.writeUInt16BE(length, 2);
    else head.writeBigUInt64BE(BigInt(length), 2);
  }
  const masked = isMasked ? payload.map((byte, index) => byte ^ key[index % 4]) : payload;
  return Buffer.concat([head, isMasked ? key : Buffer.alloc(0), masked]);
}

function same(one, other) {
  if (JSON.stringify(one) !== JSON.stringify(other))
    throw new Error(`${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
}
