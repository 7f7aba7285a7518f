// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Numbers for Prometheus (text format 0.0.4), on a port of their own. No label holds what a client may choose. */
import type { IncomingMessage, Server as Listener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Feature } from '../feature.ts';
import { checkHost, checkOrigin } from '../http-handler.ts';
import { SECURITY_HEADERS } from '../session.ts';
import { METHOD_NOT_FOUND, RpcError, UNSUPPORTED_VERSION } from '../json-rpc.ts';
import type { Server } from '../server.ts';
import { parseInteger, type Setting } from '../settings.ts';
import { UsageError } from '../types.ts';
import { type End, watch, type Watched } from './watch.ts';

const SETTINGS: readonly Setting[] = [
  {
    variable: 'MCP_METRICS_PORT',
    help: 'Port of GET /metrics for Prometheus; off: none.',
    default: '9464 over HTTP, none on stdio',
  },
  {
    variable: 'MCP_METRICS_HOST',
    help: 'Address of that port; 0.0.0.0 lets other machines read.',
    default: '127.0.0.1',
  },
];
const PATH = '/metrics';

type Kind = 'counter' | 'gauge' | 'histogram';
const FAMILIES: Readonly<Record<string, readonly [Kind, help: string]>> = {
  mcp_server_info: ['gauge', 'Name and version of the server.'],
  mcp_requests_total: ['counter', 'Requests by method and outcome.'],
  mcp_requests_in_flight: ['gauge', 'Requests that are not answered yet.'],
  mcp_tool_calls_total: ['counter', 'Calls of tools by outcome.'],
  mcp_tool_call_duration_seconds: ['histogram', 'Time of calls of tools.'],
  mcp_refusals_total: ['counter', 'Requests that were refused, by reason.'],
  mcp_upstream_requests_total: ['counter', 'Requests to APIs by status; none: no answer.'],
  mcp_upstream_request_duration_seconds: ['histogram', 'Time of requests to APIs.'],
  mcp_sessions: ['gauge', 'Open sessions over HTTP.'],
  mcp_streams: ['gauge', 'Open streams of sessions.'],
  mcp_websockets: ['gauge', 'Open WebSockets.'],
  mcp_subscriptions: ['gauge', 'Open subscriptions of 2026-07-28.'],
  mcp_tasks: ['gauge', 'Tasks that are kept.'],
  mcp_redis_up: ['gauge', '1: Redis answers.'],
  mcp_spans_dropped: ['gauge', 'Spans that were not exported, since the start.'],
};

/** Those of the semantic conventions for MCP, and shorter ones for servers beside their API. */
const BOUNDS = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, Infinity];
/** Stands for every tool and method that the server does not have. */
const UNKNOWN = '(unknown)';
const REASONS: Readonly<Record<number, string>> = {
  ...{ 400: 'http', 401: 'token', 403: 'forbidden', 404: 'not-found', 405: 'http', 406: 'http' },
  ...{ 410: 'not-found', 413: 'too-large', 414: 'too-large', 415: 'http', 429: 'rate', 503: 'busy' },
};

export function metrics(): Feature {
  const samples = new Samples();
  let server: Server | undefined;
  let inFlight = 0;
  let listener: Listener | undefined;
  let place = 'none';
  const begin = (watched: Watched) => {
    const { id, method, task } = watched;
    const start = performance.now();
    if (listener === undefined) return () => undefined;
    const isRequest = id !== undefined && task === undefined;
    if (isRequest) inFlight++;
    return ({ outcome, error }: End): void => {
      const isKnown = method === 'initialize' || server?.methods.has(method) === true;
      if (isRequest) {
        inFlight--;
        const word = error === undefined ? (outcome === 'cancelled' ? outcome : 'ok') : 'error';
        samples.add('mcp_requests_total', { method: isKnown ? method : UNKNOWN, outcome: word });
      }
      const reason = error && reasonOf(error);
      if (reason !== undefined) samples.add('mcp_refusals_total', { reason });
      if (method !== 'tools/call') return;
      const name = String(watched.params['name']);
      const tool = server?.catalog.tools.has(name) === true ? name : UNKNOWN;
      samples.add('mcp_tool_calls_total', { tool, outcome });
      const milliseconds = task === undefined ? performance.now() - start : Date.now() - task.start;
      samples.time('mcp_tool_call_duration_seconds', { tool }, milliseconds);
    };
  };
  const text = (): string => {
    const { name = '', version = '' } = server?.definition.info ?? {};
    const labels = printLabels({ name, version });
    const gauges = [
      `mcp_server_info{${labels}} 1`,
      `mcp_requests_in_flight ${inFlight}`,
      ...Array.from(server?.gauges ?? [], ([gauge, read]) => `${gauge} ${read()}`),
    ];
    return print([...gauges, ...samples.lines()]);
  };
  return {
    name: 'metrics',
    settings: SETTINGS,
    ...watch(begin),
    observeRefusal: (status) => samples.add('mcp_refusals_total', { reason: REASONS[status] ?? 'other' }),
    aroundSend: async (_, { method }, next) => {
      const start = performance.now();
      let status = 'none';
      try {
        const response = await next();
        status = String(response.status);
        return response;
      } finally {
        samples.add('mcp_upstream_requests_total', { method, status });
        samples.time('mcp_upstream_request_duration_seconds', { method }, performance.now() - start);
      }
    },
    start: async (started, flags, env) => {
      server = started;
      // On stdio a client may start many servers, and all have one default port.
      const name = 'MCP_METRICS_PORT';
      const value = env[name] || (flags['transport'] === 'http' ? '9464' : 'off');
      if (value === 'off') return;
      const port = parseInteger({ name, value }, 0, 65_535);
      const host = env['MCP_METRICS_HOST'] || '127.0.0.1';
      try {
        listener = await listen(text, host, port);
        const { port: boundPort } = listener.address() as AddressInfo;
        place = `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}${PATH}`;
      } catch (cause) {
        const reason = `Metrics can't be served at ${host}:${port}: ${(cause as Error).message}. ${name} names another port; off is none.`;
        if (env[name]) throw new UsageError(reason, { cause });
        // Another server may have the default port.
        return started.report(reason);
      }
    },
    startLine: () => `metrics: ${place}`,
    stop: () => void listener?.close().closeAllConnections(),
  };
}

function reasonOf({ code, status }: RpcError): string | undefined {
  if (code === METHOD_NOT_FOUND) return 'method';
  if (code === UNSUPPORTED_VERSION) return 'version';
  return status === 403 ? 'scope' : status === 429 ? 'rate' : undefined;
}

async function listen(text: () => string, host: string, port: number | undefined): Promise<Listener> {
  const { createServer } = await import('node:http');
  const rules = { host, path: PATH, allowedHosts: [], allowedOrigins: [] };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    checkHost(request.headers.host, rules);
    checkOrigin(request, response, rules);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const status = request.url?.split('?', 1)[0] !== PATH ? 404 : isRead ? 200 : 405;
    response.writeHead(status, {
      ...SECURITY_HEADERS,
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    });
    response.end(status === 200 ? text() : `Only GET ${PATH} is served here.\n`);
  };
  const listener = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    try {
      serve(request, response);
    } catch (thrown) {
      response.writeHead(thrown instanceof RpcError ? thrown.status : 500, SECURITY_HEADERS).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen(port, host, resolve);
  });
  return listener;
}

/** What is counted and timed, by metric and labels. */
class Samples {
  readonly #counts = new Map<string, number>();
  readonly #times = new Map<string, { counts: number[]; sum: number; name: string; labels: string }>();

  add(name: string, labels: Record<string, string>): void {
    const sample = `${name}{${printLabels(labels)}}`;
    this.#counts.set(sample, (this.#counts.get(sample) ?? 0) + 1);
  }

  time(name: string, pairs: Record<string, string>, milliseconds: number): void {
    const labels = printLabels(pairs);
    const key = name + labels;
    const series = this.#times.get(key) ?? { counts: BOUNDS.map(() => 0), sum: 0, name, labels };
    this.#times.set(key, series);
    const bucket = BOUNDS.findIndex((bound) => milliseconds / 1_000 <= bound);
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += milliseconds / 1_000;
  }

  lines(): string[] {
    const times = [...this.#times.values()].flatMap(({ counts, sum, name, labels }) => {
      let total = 0;
      const buckets = counts.map((count, at) => {
        const bound = BOUNDS[at] === Infinity ? '+Inf' : BOUNDS[at];
        return `${name}_bucket{${labels},le="${bound}"} ${(total += count)}`;
      });
      return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`];
    });
    return [...Array.from(this.#counts, ([sample, count]) => `${sample} ${count}`), ...times];
  }
}

function printLabels(labels: Record<string, string>): string {
  const escape = (value: string): string => value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escape(value)}"`)
    .join(',');
}

/** A family is described once, and one without samples is left out. */
function print(lines: readonly string[]): string {
  const familyOf = (line: string): string => {
    const [name = ''] = line.split(/[{ ]/, 1);
    return Object.hasOwn(FAMILIES, name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
  };
  const byFamily = new Map<string, string[]>();
  for (const line of lines) byFamily.set(familyOf(line), [...(byFamily.get(familyOf(line)) ?? []), line]);
  const families = [...byFamily].map(([name, samples]) => {
    const [kind, help] = FAMILIES[name] ?? ['gauge', name];
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...samples, ''].join('\n');
  });
  return families.join('');
}
