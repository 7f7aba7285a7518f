// Without a collector a trace is passed on as it came, and what is none reaches no API.
import { expect, test } from 'vitest';
import type { AuditedCall, RequestContext } from '../../../templates/runtime/core/call.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import { openTraces } from '../../../templates/runtime/telemetry/traces.ts';
import { newServer } from '../core/harness.ts';

const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const attempt = { method: 'GET', url: new URL('http://api.test'), isRedirected: false };

async function begin(
  meta: object,
  passedHeaders?: [string, string][],
  env = {},
): Promise<AuditedCall | undefined> {
  const options = { info: { name: 'a', version: '1' }, env, isHttp: true, isTracedLog: false };
  const { audit } = await openTraces({ ...options, tell: () => undefined }, undefined);
  const session = new Session();
  const context: RequestContext = { channel: session, session, passedHeaders, send: () => Promise.resolve() };
  const request = { id: 1, method: 'tools/call', params: { name: 'x', _meta: meta } };
  return audit.begin(request, context, newServer({}).server);
}

const sent = (call: AuditedCall | undefined, isRedirected = false): object | undefined =>
  call && Object.fromEntries(call.watchSending?.('/')({ ...attempt, isRedirected }).headers ?? []);

const none = { traceparent: undefined, tracestate: undefined, baggage: undefined };

test.each<[string, object, [string, string][] | undefined, object | undefined]>([
  ['nothing', {}, undefined, undefined],
  ['no header of a trace', {}, [['x-tenant', 'a']], undefined],
  [
    'a trace',
    { traceparent: trace, tracestate: 'a=1' },
    undefined,
    { ...none, traceparent: trace, tracestate: 'a=1' },
  ],
  ['a trace in headers', {}, [['traceparent', trace]], { ...none, traceparent: trace }],
  ['nonsense in headers', {}, [['traceparent', 'x']], none],
  ['a state alone', {}, [['tracestate', 'a=1']], none],
  ['baggage alone', { baggage: 'a=1' }, undefined, { ...none, baggage: 'a=1' }],
])('%s', async (_, meta, headers, want) => {
  expect(sent(await begin(meta, headers))).toEqual(want);
});

test('another origin gets nothing of it, with an exporter neither', async () => {
  for (const env of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }]) {
    expect(sent(await begin({ traceparent: trace, baggage: 'a=1' }, undefined, env), true)).toEqual(none);
    expect(sent(await begin({ baggage: 'a=1' }, undefined, env), true)).toEqual(none);
  }
});
