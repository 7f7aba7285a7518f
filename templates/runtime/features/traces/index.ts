// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Traces: that of a request goes on to the API, and spans of both go to a collector (OpenTelemetry, semantic conventions for MCP and HTTP). */
import { createHash, randomBytes } from 'node:crypto';
import type { Feature } from '../../feature.ts';
import { INTERNAL_ERROR, isRecord, META, MODERN_REVISIONS, type RpcError } from '../../json-rpc.ts';
import type { ApiRequest } from '../../request.ts';
import type { Server } from '../../server.ts';
import { type Setting } from '../../settings.ts';
import { type End, traceIds, watch, type Watched } from '../watch.ts';
import { type Attributes, Exporter, readExportSettings, type Span } from './exporter.ts';
import { readTraceContext, type Trace, writeTraceparent } from './trace-context.ts';

const SETTINGS: readonly Setting[] = [
  {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    help: 'Collector of spans, such as http://127.0.0.1:4318. If unset, none are made.',
  },
  { variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', help: 'Its whole URL, with /v1/traces.' },
  { variable: 'OTEL_EXPORTER_OTLP_HEADERS', help: 'Headers for it: name=value,… percent-encoded.' },
  { variable: 'OTEL_SERVICE_NAME', help: 'service.name of the spans.' },
  { variable: 'OTEL_RESOURCE_ATTRIBUTES', help: 'Attributes of the server: name=value,…' },
  { variable: 'OTEL_TRACES_EXPORTER', help: 'none: no spans are made.', default: 'otlp' },
  { variable: 'OTEL_SDK_DISABLED', help: 'true: no spans are made.', default: 'false' },
];

/** At the end of the process the collector has this time. */
const FLUSH_MS = 3_000;
/** The place of a request in its trace. */
interface Place {
  trace: Trace;
  /** Attempts to send requests to the API. */
  sent: number;
}

export function traces(): Feature {
  let server: Server | undefined;
  let exporter: Exporter | undefined;
  const places = new WeakMap<object, Place>();
  const begin = (watched: Watched) => {
    const { key, outer, params, exchange, task } = watched;
    const outerPlace = places.get(task === undefined ? (outer ?? key) : key);
    const parent = outerPlace?.trace ?? readTraceContext(params, exchange);
    const trace = exporter === undefined ? parent : openTrace(parent);
    if (trace !== undefined) places.set(key, { trace, sent: 0 });
    if (trace !== undefined) traceIds.set(key, trace.traceId);
    const start = now();
    return (end: End): void => {
      if (trace?.isSampled !== true || server === undefined) return;
      const { isError, attributes } = describeEnd(end);
      const span = describeSpan(watched, server);
      const times = { start, end: now() };
      add(trace, parent, { ...span, ...times, isError, attributes: { ...span.attributes, ...attributes } });
    };
  };
  const openTrace = (parent: Trace | undefined): Trace => {
    const traceId = parent?.traceId ?? newId(16);
    return { traceId, spanId: newId(8), isSampled: parent?.isSampled ?? true, state: parent?.state };
  };
  const add = (
    { traceId, spanId, state }: Trace,
    parent: Trace | undefined,
    span: Omit<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'traceState'>,
  ): void => exporter?.add({ ...span, traceId, spanId, parentSpanId: parent?.spanId, traceState: state });
  return {
    name: 'traces',
    settings: SETTINGS,
    ...watch(begin),
    aroundSend: async (call, request, next) => {
      const place = places.get(call) ?? places.get(call.request.message);
      if (place === undefined) return next();
      const isExported = place.trace.isSampled && exporter !== undefined;
      const span = isExported ? { ...place.trace, spanId: newId(8) } : place.trace;
      // The path of a redirect is no operation of the document: it gets none.
      const isOperation = request.operation !== undefined;
      const values = {
        traceparent: isOperation && writeTraceparent(span),
        tracestate: isOperation && span.state,
      };
      for (const [name, value] of Object.entries(values))
        if (value) request.headers.set(name, value);
        else request.headers.delete(name);
      if (!isExported) return next();
      const start = now();
      const resent = place.sent++;
      const finish = (outcome: number | string): void => {
        const isError = typeof outcome === 'string' || outcome >= 400;
        const { name, attributes } = describeAttempt(request, outcome, resent);
        add(span, place.trace, { name, attributes, kind: 3, start, end: now(), isError });
      };
      try {
        const response = await next();
        finish(response.status);
        return response;
      } catch (thrown) {
        const { code } = thrown as NodeJS.ErrnoException;
        finish(typeof code === 'string' && /^[\w-]+$/.test(code) ? code : '_OTHER');
        throw thrown;
      }
    },
    start: (started, _, env) => {
      server = started;
      const tell = (words: string): void => started.report(words);
      const settings = readExportSettings(env, started.definition.info);
      if (settings === undefined) return;
      const spans = (exporter = new Exporter(settings, tell));
      started.gauges.set('mcp_spans_dropped', () => spans.dropped);
    },
    stop: () => exporter?.flush(FLUSH_MS),
  };
}

/** Only names of the server are used: a client may write anything. */
function describeSpan({ id, method: sent, params, exchange, task }: Watched, server: Server) {
  const { session } = exchange;
  const { id: sessionId } = session;
  const method = server.methods.has(sent) || sent === 'initialize' ? sent : '_OTHER';
  const { name, _meta: meta } = params;
  const isCall = method === 'tools/call';
  const tool = isCall && server.catalog.tools.has(String(name)) ? String(name) : undefined;
  const prompt =
    method === 'prompts/get' && server.catalog.prompts.has(String(name)) ? String(name) : undefined;
  const target = tool ?? prompt;
  const modern = isRecord(meta) ? meta[`${META}protocolVersion`] : undefined;
  const revision = MODERN_REVISIONS.find((known) => known === modern) ?? session.agreement?.revision;
  const attributes: Attributes = {
    'mcp.method.name': method,
    'mcp.protocol.version': revision,
    'mcp.session.id': sessionId && createHash('sha256').update(sessionId).digest('base64url').slice(0, 16),
    'gen_ai.operation.name': isCall ? 'execute_tool' : undefined,
    'gen_ai.tool.name': tool,
    'gen_ai.prompt.name': prompt,
    'network.transport': server.flags['transport'] === 'http' ? 'tcp' : 'pipe',
  };
  const title = target === undefined ? method : `${method} ${target}`;
  const isInner = id === undefined || task !== undefined;
  return {
    name: task === undefined ? title : `task ${title}`,
    kind: isInner ? (1 as const) : (2 as const),
    attributes,
  };
}

/** Of other codes the client is to blame (semantic conventions, "Status"). */
function isServerFault({ code }: RpcError): boolean {
  return code === INTERNAL_ERROR || (code <= -32_000 && code >= -32_099);
}

function describeEnd({ outcome, error }: End): { isError: boolean; attributes: Attributes } {
  if (error !== undefined) {
    const code = String(error.code);
    return {
      isError: isServerFault(error),
      attributes: { 'rpc.response.status_code': code, 'error.type': code },
    };
  }
  const type = outcome === 'tool-error' ? 'tool_error' : outcome === 'cancelled' ? outcome : undefined;
  return { isError: outcome === 'tool-error', attributes: { 'error.type': type } };
}

/** The path of the document takes the place of values, which may be secret. */
function describeAttempt({ method, url, operation }: ApiRequest, outcome: number | string, resent: number) {
  const path = operation?.path.replace(/[?#].*$/s, '');
  const attributes: Attributes = {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    'url.full': `${url.origin}${path ?? ''}`,
    'url.template': path,
    'http.request.resend_count': resent === 0 ? undefined : resent,
    'http.response.status_code': typeof outcome === 'number' ? outcome : undefined,
    'error.type': typeof outcome === 'string' || outcome >= 400 ? String(outcome) : undefined,
  };
  return { name: path === undefined ? method : `${method} ${path}`, attributes };
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
