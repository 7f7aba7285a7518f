import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type FrameEvent,
  FrameReader,
} from '../../../templates/runtime/transports/websocket/frame-reader.ts';
import { begin, frame, last, length64, more, PING, SMALL_LIMITS, text } from './websocket-harness.ts';

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

const textOf = (value: string): FrameEvent => ({ kind: 'text', text: value });

test('a character may be cut by fragments', () => {
  const bytes = Buffer.from('"ß€😀"');
  const fragments = Array.from({ length: bytes.length }, (_, at) => more(bytes.subarray(at, at + 1)));
  const limits = { messageBytes: 100, messageFragments: 100 };
  expect(read([begin(''), ...fragments, last('')], limits)).toEqual([textOf('"ß€😀"')]);
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
