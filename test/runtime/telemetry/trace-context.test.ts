// Reads a trace context, and refuses what is none (W3C Trace Context, Baggage; SEP-414).
import { expect, test } from 'vitest';
import { parseTraceContext, writeTraceparent } from '../../../templates/runtime/telemetry/trace-context.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';
const good = `00-${trace}-${span}-01`;

const parentOf = (meta: object) => parseTraceContext({ _meta: meta }, {}).parent;

test.each([
  [good, true],
  [`00-${trace}-${span}-00`, false],
  [`00-${trace}-${span}-03`, true],
  // A later version may say more.
  [`cc-${trace}-${span}-01-what-the-future-brings`, true],
])('%s is read', (traceparent, isSampled) => {
  expect(parentOf({ traceparent })).toEqual({ traceId: trace, spanId: span, isSampled, state: undefined });
});

test.each([
  7,
  '',
  `ff-${trace}-${span}-01`,
  `00-${trace}-${span}-01-more`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace}-${span}`,
  `00-${trace}-${span}-1`,
  `${good}, ${good}`,
  `${good}\r\nX-Evil: 1`,
])('%j is no trace', (traceparent) => {
  expect(parentOf({ traceparent })).toBeUndefined();
});

test.each<[unknown, string | undefined]>([
  ['a=1,b@c=2', 'a=1,b@c=2'],
  [' a=1 , b=2 ', 'a=1,b=2'],
  ['', undefined],
  ['a', undefined],
  ['A=1', undefined],
  ['a=1\r\nX-Evil: 1', undefined],
  [`a=${'x'.repeat(600)}`, undefined],
  [Array.from({ length: 33 }, (_, at) => `a${at}=1`).join(','), undefined],
])('tracestate %j is %j', (tracestate, want) => {
  expect(parentOf({ traceparent: good, tracestate })?.state).toBe(want);
});

test.each<[unknown, string | undefined]>([
  ['tenant=acme,user=a%20b;ttl=1', 'tenant=acme,user=a%20b;ttl=1'],
  ['tenant', undefined],
  ['a=1\n', 'a=1'],
  ['a=1\r\nX-Evil: 1', undefined],
  ['a="1"', undefined],
  [`a=${'x'.repeat(9_000)}`, undefined],
  [Array.from({ length: 65 }, (_, at) => `a${at}=1`).join(','), undefined],
])('baggage %j is %j', (baggage, want) => {
  expect(parseTraceContext({ _meta: { baggage } }, {}).baggage).toBe(want);
});

test('`_meta` wins over headers, which stand in for what it lacks', () => {
  const headers: [string, string][] = [
    ['traceparent', `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`],
    ['tracestate', 'h=1'],
    ['baggage', 'from=header'],
  ];
  const both = parseTraceContext({ _meta: { traceparent: good } }, { passedHeaders: headers });
  // The state of another trace is not of this one.
  expect(both).toEqual({
    parent: { traceId: trace, spanId: span, isSampled: true, state: undefined },
    baggage: 'from=header',
  });
  const { parent } = parseTraceContext({ _meta: { traceparent: 'nonsense' } }, { passedHeaders: headers });
  expect(parent).toMatchObject({ traceId: '1'.repeat(32), isSampled: false, state: 'h=1' });
  expect(writeTraceparent({ traceId: trace, spanId: span }, true)).toBe(good);
});
