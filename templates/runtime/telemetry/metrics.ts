// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Metrics for Prometheus: counts requests, calls and what they send, and serves the numbers on a port of their own. */
import { getOwnMember } from '../contract/json-value.ts';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

import { type Outcome, classifyOutcome } from '../audit/open-audit.ts';
import { DEFAULT_LIMITS, UsageError } from '../contract/feature.ts';
import type { Audit, AuditedCall, WatchedRequest } from '../core/call.ts';
import type { LiveServer, ServerInstance } from '../core/server-instance.ts';
import type { WatchAttempts } from '../feature-loaders.ts';
import type { OpenWatch, WatchOptions } from '../main/open-project.ts';
import { type Environment, parseInteger } from '../main/settings.ts';
import { ProtocolError } from '../protocol/json-rpc.ts';
import { HttpRefusal, SECURITY_HEADERS, writeRefusal } from '../transports/http/http-answer.ts';
import { checkOrigin } from '../transports/http/read-request.ts';
import { type HttpListener, serveHttp } from '../transports/http/serve-http.ts';
import {
  type Cell,
  Counter,
  type Family,
  Histogram,
  type Series,
  counterFamily,
  gaugeFamily,
  histogramFamily,
  printFamilies,
  printLabelPairs,
} from './registry.ts';
import { METHODS, watchBoth } from './watch-calls.ts';

const DEFAULT_PORT = 9464;
const DEFAULT_HOST = '127.0.0.1';
const PATH = '/metrics';

/** Stands for every tool, and every method, that the server does not have. */
const UNKNOWN = '(unknown)';

interface MetricsSettings {
  host: string;
  port: number;
  /** Absent: the default, which another server may have. */
  isGiven: boolean;
}

export const openMetrics: OpenWatch = async (options, inner) => {
  const settings = parseMetricsSettings(options);
  if (settings === undefined)
    return inner ?? { audit: { begin: () => undefined }, flush: async () => undefined };
  const metrics = new Metrics(options.info);
  let listener: HttpListener | undefined;
  return {
    audit: metrics.wrapAudit(inner?.audit),
    start: async (live) => {
      await inner?.start?.(live);
      metrics.live = live;
      listener = await listenForScrapes(metrics, settings, options.tell);
      if (listener !== undefined) metrics.startMeasuringLag();
    },
    flush: async () => {
      await Promise.all([listener?.close(), inner?.flush()]);
      metrics.end();
    },
  };
};

/** On stdio a client may start many servers, which have one port by the default: there is none unless it is asked for. */
export function parseMetricsSettings({ env, isHttp }: WatchOptions): MetricsSettings | undefined {
  const given = env['MCP_METRICS_PORT'] || undefined;
  if (given === 'off' || (given === undefined && !isHttp)) return undefined;
  return {
    host: env['MCP_METRICS_HOST'] || DEFAULT_HOST,
    port: parseMetricsPort(env),
    isGiven: given !== undefined,
  };
}

function parseMetricsPort(env: Environment): number {
  const name = 'MCP_METRICS_PORT';
  return parseInteger(name, env[name] || String(DEFAULT_PORT), 0, 65_535, ', or off');
}

async function listenForScrapes(
  metrics: Metrics,
  { host, port, isGiven }: MetricsSettings,
  tell: (words: string) => void,
): Promise<HttpListener | undefined> {
  const rules = { host, allowedOrigins: [], allowedHosts: [] };
  try {
    const listener = await serveHttp(
      async ({ method = '', url, headers }, response) => {
        try {
          checkOrigin(headers, rules);
          if (url?.split('?', 1)[0] !== PATH)
            throw new HttpRefusal(404, `Nothing is served here but ${PATH}.`);
          if (method !== 'GET' && method !== 'HEAD')
            throw new HttpRefusal(405, 'Only GET, HEAD are served here.', { allow: 'GET, HEAD' });
          const type = 'text/plain; version=0.0.4; charset=utf-8';
          const text = await metrics.text();
          response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': type }).end(text);
        } catch (thrown) {
          writeRefusal(
            response,
            thrown instanceof HttpRefusal ? thrown : new HttpRefusal(500, 'Internal error.'),
          );
        }
      },
      { host, port, limits: { ...DEFAULT_LIMITS, httpDrainMs: 100 } },
    );
    tell(`metrics at ${listener.url}${PATH}`);
    return listener;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const words = `Metrics can't be served at ${host}:${port}: ${reason}. MCP_METRICS_PORT names another port; 0 is any free one, off is none.`;
    if (isGiven) throw new UsageError(words, { cause });
    tell(`warning: ${words}`);
    return undefined;
  }
}

interface ToolSeries {
  outcomes: Map<Outcome, Cell>;
  seconds: Series;
}

/** A class, since closures for each call would cost more than all that is counted. */
class MeasuredCall implements AuditedCall {
  readonly #metrics: Metrics;
  readonly #method: string | undefined;
  readonly #tool: string | undefined;
  readonly #server: ServerInstance;
  readonly #start: number;
  #isOver = false;

  constructor(
    metrics: Metrics,
    method: string | undefined,
    tool: string | undefined,
    server: ServerInstance,
    start = performance.now(),
  ) {
    this.#metrics = metrics;
    this.#method = method;
    this.#tool = tool;
    this.#server = server;
    this.#start = start;
  }

  done(result: object): void {
    this.#endCall(this.#tool === undefined ? 'ok' : classifyOutcome(result));
  }

  failed(thrown: unknown): void {
    const origin = thrown instanceof ProtocolError ? thrown.origin : 'work';
    if (!this.#isOver && origin !== 'work') this.#metrics.countRefusal(origin);
    this.#endCall(origin === 'scope' ? 'refused' : 'error');
  }

  cancelled(): void {
    this.#endCall('cancelled');
  }

  onBehalf(): void {
    // Names of schemes are of the audit log alone.
  }

  /** A call that became a task counts twice: when it became one, and when that ended. */
  continueAsTask(): AuditedCall {
    return new MeasuredCall(this.#metrics, undefined, this.#tool, this.#server, this.#start);
  }

  watchSending(): WatchAttempts {
    return this.#metrics.measureAttempt;
  }

  #endCall(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#method !== undefined) this.#metrics.countAnswer(this.#method, outcome);
    if (this.#tool === undefined) return;
    this.#metrics.countCall(this.#tool, this.#server, outcome, (performance.now() - this.#start) / 1_000);
  }
}

type Gauge = readonly [name: string, help: string];

/** Gauges that other modules measure, by the names that these use. */
const OBSERVED: Readonly<Record<string, Gauge>> = {
  sessions: ['mcp_sessions', 'Open sessions over HTTP.'],
  streams: ['mcp_streams', 'Open streams of events over HTTP.'],
  webSockets: ['mcp_websockets', 'Open WebSockets.'],
  droppedSpans: ['mcp_spans_dropped', 'Spans that were not exported, since the start.'],
};

export class Metrics {
  live: LiveServer | undefined;
  readonly #info: string;
  readonly #calls = new Counter();
  readonly #callSeconds = new Histogram();
  readonly #requests = new Counter();
  readonly #refusals = new Counter();
  readonly #attempts = new Counter();
  readonly #attemptSeconds = new Histogram();
  /** The counters of a tool are found by its name: their labels are written once. */
  readonly #byMethod = new Map<string, Map<string, Cell>>();
  readonly #byTool = new Map<string, ToolSeries>();
  readonly #gauges = new Map<string, () => number>();
  #lag: IntervalHistogram | undefined;
  #inFlight = 0;

  constructor({ name, version }: { name: string; version: string }) {
    this.#info = printLabelPairs({ name, version });
  }

  /** Watches the process, once somebody can read what is seen: in a worker nobody can, and it is refused there. */
  startMeasuringLag(): void {
    this.#lag = monitorEventLoopDelay({ resolution: LOOK_MS });
    this.#lag.enable();
  }

  end(): void {
    this.#lag?.disable();
  }

  wrapAudit(inner: Audit | undefined): Audit {
    return {
      begin: (request, context, server, trace) =>
        watchBoth(this.#beginCall(request, server), inner?.begin(request, context, server, trace)),
      recordRefusal: (status) =>
        this.countRefusal(status === 'connection' ? status : (REASONS.get(status) ?? 'other')),
      observeGauges: (gauges) => {
        for (const [name, read] of Object.entries(gauges)) this.#gauges.set(name, read);
      },
    };
  }

  /** Calls that code makes are no requests. */
  #beginCall({ method, params, id }: WatchedRequest, server: ServerInstance): AuditedCall {
    const isRequest = id !== undefined;
    if (isRequest) this.#inFlight++;
    const tool = method === 'tools/call' ? String(params['name']) : undefined;
    return new MeasuredCall(this, isRequest ? method : undefined, tool, server);
  }

  countAnswer(method: string, outcome: Outcome): void {
    this.#inFlight--;
    const isFailed = outcome === 'error' || outcome === 'refused';
    const word = isFailed ? 'error' : outcome === 'cancelled' ? outcome : 'ok';
    const known = METHODS.has(method) ? method : UNKNOWN;
    const outcomes = this.#byMethod.get(known) ?? new Map<string, Cell>();
    this.#byMethod.set(known, outcomes);
    const cell = outcomes.get(word) ?? this.#requests.at(printLabelPairs({ method: known, outcome: word }));
    outcomes.set(word, cell);
    cell.value++;
  }

  countRefusal(reason: string): void {
    this.#refusals.at(printLabelPairs({ reason })).value++;
  }

  countCall(name: string, { cache }: ServerInstance, outcome: Outcome, seconds: number): void {
    const tool = cache.tools?.has(name) === true ? name : UNKNOWN;
    const series = this.#byTool.get(tool) ?? this.#addToolSeries(tool);
    const cell = series.outcomes.get(outcome) ?? this.#calls.at(printLabelPairs({ tool, outcome }));
    series.outcomes.set(outcome, cell);
    cell.value++;
    series.seconds.observeSeconds(seconds);
  }

  #addToolSeries(tool: string): ToolSeries {
    const series = {
      outcomes: new Map<Outcome, Cell>(),
      seconds: this.#callSeconds.at(printLabelPairs({ tool })),
    };
    this.#byTool.set(tool, series);
    return series;
  }

  readonly measureAttempt: WatchAttempts = ({ method }) => {
    const start = performance.now();
    return {
      headers: [],
      end: (outcome) => {
        const status = typeof outcome === 'number' ? String(outcome) : 'none';
        this.#attempts.at(printLabelPairs({ method, status })).value++;
        this.#attemptSeconds
          .at(printLabelPairs({ method }))
          .observeSeconds((performance.now() - start) / 1_000);
      },
    };
  };

  async text(): Promise<string> {
    const families: Family[] = [
      gaugeFamily('mcp_server_info', 'Name and version of the server.', 1, this.#info),
      counterFamily('mcp_requests_total', 'Requests by method and outcome.', this.#requests),
      gaugeFamily('mcp_requests_in_flight', 'Requests that are not answered yet.', this.#inFlight),
      counterFamily('mcp_tool_calls_total', 'Calls of tools by outcome.', this.#calls),
      histogramFamily('mcp_tool_call_duration_seconds', 'Time of calls of tools.', this.#callSeconds),
      counterFamily('mcp_refusals_total', 'Requests that were refused, by reason.', this.#refusals),
      counterFamily(
        'mcp_upstream_requests_total',
        'Requests to APIs by status; none: no answer.',
        this.#attempts,
      ),
      histogramFamily(
        'mcp_upstream_request_duration_seconds',
        'Time of requests to APIs.',
        this.#attemptSeconds,
      ),
      ...(await this.#listServerGauges()),
      ...[...this.#gauges].flatMap(([name, read]) => {
        const known = getOwnMember(OBSERVED, name);
        return known === undefined ? [] : [gaugeFamily(...known, read())];
      }),
      ...this.#listProcessGauges(),
    ];
    return printFamilies(families);
  }

  async #listServerGauges(): Promise<Family[]> {
    const server = this.live?.current;
    if (server === undefined) return [];
    const { subscriptions, tasks } = server.state;
    const upstream = await server.cache.upstream;
    const { store, state } = server.shared.health;
    return [
      gaugeFamily('mcp_subscriptions', 'Open subscriptions of the modern era.', subscriptions?.size ?? 0),
      gaugeFamily('mcp_tasks', 'Tasks that are kept.', tasks?.size ?? 0),
      gaugeFamily(
        'mcp_upstream_requests_waiting',
        'Requests to APIs that wait.',
        upstream?.countWaiting() ?? 0,
      ),
      ...(store === 'redis'
        ? [gaugeFamily('mcp_redis_up', '1: Redis answers.', state === 'up' ? 1 : 0)]
        : []),
    ];
  }

  #listProcessGauges(): Family[] {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const lag = this.#lag;
    const lines = [0.5, 0.9, 0.99, 1].map(
      (quantile) => `nodejs_eventloop_lag_seconds{quantile="${quantile}"} ${getLagSeconds(lag, quantile)}`,
    );
    lag?.reset();
    const started = Date.now() / 1_000 - process.uptime();
    return [
      {
        name: 'nodejs_eventloop_lag_seconds',
        type: 'gauge',
        help: 'Delay of the event loop since the last reading.',
        lines,
      },
      gaugeFamily('process_resident_memory_bytes', 'Resident memory.', rss),
      gaugeFamily('nodejs_heap_size_used_bytes', 'Used heap.', heapUsed),
      gaugeFamily('nodejs_heap_size_total_bytes', 'Heap.', heapTotal),
      gaugeFamily('nodejs_external_memory_bytes', 'Memory of buffers beside the heap.', external),
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'Time on processors.',
        lines: [`process_cpu_seconds_total ${(user + system) / 1e6}`],
      },
      gaugeFamily('process_start_time_seconds', 'When the process started, since 1970.', started),
    ];
  }
}

/** Milliseconds between two looks at the event loop. */
const LOOK_MS = 20;

/** In seconds. Node.js gives the whole time between two looks. */
export function getLagSeconds(
  lag: Pick<IntervalHistogram, 'count' | 'max' | 'percentile'> | undefined,
  quantile: number,
): number {
  if (lag === undefined || lag.count === 0) return 0;
  const between = quantile === 1 ? lag.max : lag.percentile(quantile * 100);
  return Math.max(0, between / 1e9 - LOOK_MS / 1e3);
}

/** Refusals of HTTP by their status; those of messages are named by what they refuse. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'http'],
  [401, 'token'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'http'],
  [406, 'http'],
  [410, 'not-found'],
  [413, 'too-large'],
  [414, 'too-large'],
  [415, 'http'],
  [429, 'rate'],
  [503, 'busy'],
]);
