import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type FrameEvent,
  FrameReader,
} from '../../../templates/runtime/transports/websocket/frame-reader.ts';
import {
  begin,
  close,
  frame,
  HOSTILE,
  last,
  length64,
  more,
  ping,
  PING,
  pong,
  SMALL_LIMITS,
  text,
} from './websocket-harness.ts';

/** Everything that the chunks make. */
function read(chunks: Iterable<Uint8Array>, limits = SMALL_LIMITS): FrameEvent[] {
  const reader = new FrameReader(limits);
  const events: FrameEvent[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let event = reader.readFrameEvent(); event !== undefined; event = reader.readFrameEvent())
      events.push(event);
  }
  return events;
}

const byteByByte = (bytes: Uint8Array) => Array.from(bytes, (byte) => Uint8Array.of(byte));
const textOf = (value: string): FrameEvent => ({ kind: 'text', text: value });
const pingOf = (payload: string): FrameEvent => ({ kind: 'ping', payload: Buffer.from(payload) });
const pongOf = (payload: string): FrameEvent => ({ kind: 'pong', payload: Buffer.from(payload) });
const closeOf = (code: number, reason = ''): FrameEvent => ({ kind: 'close', code, reason });
const long = 'x'.repeat(70_000);

test.each<[string, Uint8Array[], FrameEvent[]]>([
  ['a text', [text('{}')], [textOf('{}')]],
  ['an empty text', [text('')], [textOf('')]],
  ['a text of 125 bytes', [text('x'.repeat(125))], [textOf('x'.repeat(125))]],
  ['a text of 126 bytes', [text('x'.repeat(126))], [textOf('x'.repeat(126))]],
  ['a text of 65,535 bytes', [text('x'.repeat(65_535))], [textOf('x'.repeat(65_535))]],
  ['a text of 65,536 bytes', [text('x'.repeat(65_536))], [textOf('x'.repeat(65_536))]],
  ['the longest text', [text(long)], [textOf(long)]],
  ['the longest text in fragments', [begin(long.slice(1)), last('x')], [textOf(long)]],
  ['characters of every length', [text('"aß€😀"')], [textOf('"aß€😀"')]],
  ['a byte order mark, which stays', [text('\ufeff{}')], [textOf('\ufeff{}')]],
  ['a masking key of zeros', [text('{}', { maskingKey: new Uint8Array(4) })], [textOf('{}')]],
  ['fragments', [begin('a'), more('b'), last('c')], [textOf('abc')]],
  ['empty fragments', [begin(''), more(''), last('')], [textOf('')]],
  [
    'as many fragments as may be',
    [begin('1'), more('2'), more('3'), more('4'), last('5')],
    [textOf('12345')],
  ],
  ['a ping', [ping('x')], [pingOf('x')]],
  ['an empty ping', [ping()], [pingOf('')]],
  ['a ping of 125 bytes', [ping('x'.repeat(125))], [pingOf('x'.repeat(125))]],
  ['a pong', [pong('x')], [pongOf('x')]],
  ['a ping between fragments', [begin('a'), ping('p'), last('b')], [pingOf('p'), textOf('ab')]],
  ['messages one after another', [text('1'), text('2'), begin('3'), last('4')], ['1', '2', '34'].map(textOf)],
  ['a close', [close(1000, 'bye')], [closeOf(1000, 'bye')]],
  ['a close without a code', [close()], [closeOf(1005)]],
  ['a close amid a message', [begin('a'), close(1001)], [closeOf(1001)]],
  ['nothing after a close', [close(1000), text('{}'), frame({ opcode: 3 })], [closeOf(1000)]],
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999].map(
    (code): [string, Uint8Array[], FrameEvent[]] => [
      `the close code ${code}`,
      [close(code)],
      [closeOf(code)],
    ],
  ),
])('%s', (_, frames, want) => {
  const bytes = Buffer.concat(frames);
  expect(read([bytes])).toEqual(want);
  expect(read(byteByByte(bytes))).toEqual(want);
});

test.each(HOSTILE)('%s is answered with %i', (_, code, frames) => {
  const want = [{ kind: 'fault', code, reason: expect.any(String) }];
  const bytes = Buffer.concat([...frames, text('{}'), close(1000)]);
  for (const chunks of [[bytes], byteByByte(bytes)]) {
    expect(read(chunks).filter(({ kind }) => kind !== 'ping')).toEqual(want);
  }
});

test.each<[string, Uint8Array[], string[], number]>([
  ['a continuation after a message has ended', [begin('1'), last('2'), last('3')], ['12'], 1002],
  ['a bad frame after good ones', [text('1'), text('2'), frame({ opcode: 3 }), text('3')], ['1', '2'], 1002],
])('%s: what came before counts', (_, frames, texts, code) => {
  const events = read([Buffer.concat(frames)]);
  expect(events).toEqual([...texts.map(textOf), { kind: 'fault', code, reason: expect.any(String) }]);
});

test('a character may be cut by fragments', () => {
  const bytes = Buffer.from('"ß€😀"');
  const fragments = Array.from({ length: bytes.length }, (_, at) => more(bytes.subarray(at, at + 1)));
  const limits = { messageBytes: 100, messageFragments: 100 };
  expect(read([begin(''), ...fragments, last('')], limits)).toEqual([textOf('"ß€😀"')]);
});

test('events are read one at a time, and what is left may wait for more bytes', () => {
  const reader = new FrameReader(SMALL_LIMITS);
  const [first, second, third] = [text('1'), text('2'), text('3')];
  reader.push(Buffer.concat([first, second.subarray(0, 3)]));
  expect(reader.readFrameEvent()).toEqual(textOf('1'));
  reader.push(Buffer.concat([second.subarray(3), third]));
  reader.push(ping());
  expect([
    reader.readFrameEvent(),
    reader.readFrameEvent(),
    reader.readFrameEvent(),
    reader.readFrameEvent(),
  ]).toEqual([textOf('2'), textOf('3'), pingOf(''), undefined]);
});

test('what arrives is left as it is', () => {
  const bytes = text('{"a":1}');
  const copy = Buffer.from(bytes);
  read([bytes]);
  expect(bytes).toEqual(copy);
});

test('a length that is only claimed takes no memory', () => {
  const before = process.memoryUsage().arrayBuffers;
  const readers = Array.from({ length: 100 }, () => {
    const reader = new FrameReader({ messageBytes: 2 ** 40, messageFragments: 5 });
    reader.push(text('x', { length: length64(2n ** 39n) }));
    expect(reader.readFrameEvent()).toBeUndefined();
    return reader;
  });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  expect(readers).toHaveLength(100);
});

/** Cuts bytes where the numbers say, each a share of what is left. */
function cut(bytes: Uint8Array, shares: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let rest = bytes;
  for (const share of shares) {
    const at = Math.round(rest.length * share);
    parts.push(rest.subarray(0, at));
    rest = rest.subarray(at);
  }
  return [...parts, rest];
}

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });
const maskingKey = fc.uint8Array({ minLength: 4, maxLength: 4 });

test('any text in any fragments and chunks arrives whole, and pings between them too', () => {
  const limits = { messageBytes: 1_000_000, messageFragments: 100 };
  const message = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ maxLength: 3 }).chain((unit) => fc.nat(40_000).map((count) => unit.repeat(count))),
  );
  fc.assert(
    fc.property(message, shares, shares, maskingKey, fc.boolean(), (value, fragments, chunks, key, pings) => {
      const parts = cut(Buffer.from(value), fragments);
      const frames = parts.flatMap((payload, index) => [
        frame({ payload, opcode: index === 0 ? 1 : 0, isFinal: index === parts.length - 1, maskingKey: key }),
        ...(pings ? [frame({ opcode: PING, payload: 'p', maskingKey: key })] : []),
      ]);
      const events = read(cut(Buffer.concat(frames), chunks), limits);
      expect(events.filter(({ kind }) => kind === 'text')).toEqual([textOf(value)]);
      expect(events).toHaveLength(pings ? 1 + parts.length : 1);
    }),
  );
});

/** Bytes that look more like frames than random ones do. */
const frameLike = fc
  .record({
    isFinal: fc.boolean(),
    reserved: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1),
    opcode: fc.constantFrom(0, 0, 1, 1, 2, 8, 9, 10, 11),
    payload: fc.uint8Array({ maxLength: 130 }),
    maskingKey: fc.option(maskingKey, { nil: undefined, freq: 20 }),
  })
  .map(frame);
const anyBytes = fc.uint8Array({ maxLength: 300 });

test('whatever comes, the reader waits or ends, at the same place however it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(frameLike, anyBytes), { maxLength: 12 }), shares, (parts, chunks) => {
      const bytes = Buffer.concat(parts);
      const events = read([bytes]);
      expect(read(cut(bytes, chunks))).toEqual(events);
      const ends = events.filter(({ kind }) => kind === 'close' || kind === 'fault');
      expect(ends.length).toBeLessThanOrEqual(1);
      expect(events.slice(-1)).toEqual(ends.length === 0 ? events.slice(-1) : ends);
    }),
    { numRuns: 1_000 },
  );
});
