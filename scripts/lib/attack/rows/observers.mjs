/** Metrics and traces: who may read the numbers, what a client can make of them, and what its trace context carries to the API. */
import { openServer } from '../server.mjs';
import { callOf, sendModern } from '../session.mjs';
import { refusalsIn, requestOf, sendRaw } from '../wire.mjs';

export const family = 'observers';

/** @param {string} folder */
export async function open(folder) {
  const server = await openServer(folder, {
    features: ['metrics', 'traces'],
    env: { MCP_METRICS_PORT: '0' },
  });
  const [, metrics = ''] = /metrics at (\S+)/.exec(server.said()) ?? [];
  return { ...server, metrics: new URL(metrics) };
}

const strangers = [
  ['a name that leads here', { host: 'evil.example' }],
  ['a page of another origin', { origin: 'https://evil.example' }],
  ['an image of another site', { 'sec-fetch-site': 'cross-site' }],
];

const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

/** Contexts that are not well formed, by the header that must not reach the API. */
const contexts = [
  ['a trace of zeros', 'traceparent', { traceparent: `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01` }],
  ['a trace and more', 'traceparent', { traceparent: `${trace}, x-evil: 1` }],
  ['a state that is too long', 'tracestate', { traceparent: trace, tracestate: `a=${'x'.repeat(600)}` }],
  ['baggage of 65 members', 'baggage', { traceparent: trace, baggage: Array(65).fill('a=1').join() }],
];

export const rows = [
  ...strangers.map(([name, fields]) => ({
    name: `metrics: ${name}`,
    want: '403 -32600',
    attack: async ({ metrics }) => {
      const lines = Object.entries({ host: metrics.host, connection: 'close', ...fields });
      const head = ['GET /metrics HTTP/1.1', ...lines.map(([key, value]) => `${key}: ${value}`)];
      return refusalsIn(await sendRaw(metrics, requestOf(head)));
    },
  })),
  {
    name: 'metrics: names that a client makes up',
    want: 'one label',
    attack: async ({ url, metrics }) => {
      for (let at = 0; at < 20; at++) await sendModern(url, callOf(`made-up-${at}`, {}));
      const text = await (await fetch(metrics)).text();
      return text.includes('made-up') || !text.includes('tool="(unknown)"')
        ? 'labels of its own'
        : 'one label';
    },
  },
  ...contexts.map(([name, header, fields]) => ({
    name: `traces: ${name}`,
    want: 'left out',
    reaches: { upstream: 1 },
    attack: async ({ url, upstream }) => {
      await sendModern(url, callOf('traced', {}), fields);
      const sent = String(upstream.requests.at(-1));
      return new RegExp(`^${header}:`, 'im').test(sent) ? `sent: ${sent}` : 'left out';
    },
  })),
];
