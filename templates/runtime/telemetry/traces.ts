// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Traces: a span for each request and each request to an API, and the context that the API gets. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

import { classifyOutcome } from '../audit/open-audit.ts';
import { isRecord } from '../contract/json-value.ts';
import type { Audit, AuditedCall, OpenAudit, RequestContext, WatchedRequest } from '../core/call.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { TraceIds, WatchAttempts, WatchedAttempt } from '../feature-loaders.ts';
import type { OpenWatch, WatchOptions } from '../main/open-project.ts';
import { INTERNAL_ERROR, ProtocolError } from '../protocol/json-rpc.ts';
import { LEGACY_REVISIONS, META, MODERN_REVISIONS } from '../protocol/revisions.ts';
import { type AttributeValue, Exporter, type FinishedSpan, parseExportSettings } from './exporter.ts';
import { type GivenContext, type ParentTrace, parseTraceContext, writeTraceparent } from './trace-context.ts';
import { METHODS, watchBoth } from './watch-calls.ts';

/** At the end of the process the collector has this time. */
const FLUSH_MS = 3_000;

export const openTraces: OpenWatch = async (options, inner) => {
  const settings = parseExportSettings(options.env, options.info);
  const exporter = settings && new Exporter(settings, options.tell);
  const isSampled = createSampler(options);
  const traces = new Traces(options, exporter, isSampled);
  const observe = inner?.audit.observeGauges;
  if (exporter !== undefined) observe?.({ droppedSpans: () => exporter.dropped });
  return {
    audit: traces.wrapAudit(inner?.audit),
    start: async (live) => inner?.start?.(live),
    flush: async () => {
      await Promise.all([exporter?.flushWithin(FLUSH_MS), inner?.flush()]);
    },
  } satisfies OpenAudit;
};

type Sampler = (traceId: string, parent: ParentTrace | undefined) => boolean;

export function createSampler({ env, tell }: WatchOptions): Sampler {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const [, isByParent, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  const share =
    kind === 'always_off'
      ? 0
      : kind === 'traceidratio'
        ? parseSamplingRatio(env['OTEL_TRACES_SAMPLER_ARG'], tell)
        : 1;
  if (kind === undefined)
    tell(`warning: OTEL_TRACES_SAMPLER is ${name}, which is unknown here: parentbased_always_on is used.`);
  const isFirst = kind !== undefined && isByParent === undefined;
  return (traceId, parent) =>
    parent !== undefined && !isFirst ? parent.isSampled : parseInt(traceId.slice(-13), 16) < share * 16 ** 13;
}

function parseSamplingRatio(text: string | undefined, tell: WatchOptions['tell']): number {
  const ratio = text === undefined || text === '' ? 1 : Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  tell('warning: OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1: 1 is used.');
  return 1;
}

const REVISIONS: ReadonlySet<unknown> = new Set([...LEGACY_REVISIONS, ...MODERN_REVISIONS]);

/** The place of a call in its trace. */
class CallTrace implements TraceIds {
  readonly traceId: string;
  /** The span of this call; without an exporter, the client's span. */
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly state: string | undefined;
  readonly baggage: string | undefined;

  constructor({ traceId, spanId, isSampled, state }: ParentTrace, baggage: string | undefined) {
    this.traceId = traceId;
    this.spanId = spanId;
    this.isSampled = isSampled;
    this.state = state;
    this.baggage = baggage;
  }
}

type Attributes = Record<string, AttributeValue | undefined>;

class Traces {
  readonly #options: WatchOptions;
  readonly #exporter: Exporter | undefined;
  readonly #isSampled: Sampler;
  /** The trace of the running call; it costs each call some time. */
  readonly #running: AsyncLocalStorage<TraceIds | undefined> | undefined;

  constructor(options: WatchOptions, exporter: Exporter | undefined, isSampled: Sampler) {
    this.#options = options;
    this.#exporter = exporter;
    this.#isSampled = isSampled;
    if (!options.isTracedLog) return;
    this.#running = new AsyncLocalStorage();
    // Work that waits already, as for a signal, would otherwise run in the trace of the first call.
    this.#running.enterWith(undefined);
  }

  wrapAudit(inner: Audit | undefined): Audit {
    return {
      begin: (request, context, server, outer) => {
        const given =
          outer instanceof CallTrace ? makeInnerContext(outer) : parseTraceContext(request.params, context);
        const trace = this.#openTrace(given);
        if (trace === undefined) {
          const rest = inner?.begin(request, context, server);
          const isSaid = context.passedHeaders?.some(([name]) => TRACE_HEADERS.has(name)) === true;
          return isSaid || given.baggage !== undefined
            ? watchBoth(createUntracedCall(given.baggage), rest)
            : rest;
        }
        if (request.id !== undefined) this.#running?.enterWith(trace);
        const { parent } = given;
        const { isHttp } = this.#options;
        const own = this.#auditCall(trace, parent, () => describeSpan(request, context, server, isHttp));
        return watchBoth(own, inner?.begin(request, context, server, trace));
      },
      recordRefusal: (status) => inner?.recordRefusal?.(status),
      observeGauges: (gauges) => inner?.observeGauges?.(gauges),
      trace: () => this.#running?.getStore(),
    };
  }

  /** Undefined if there is no trace: the client began none, and nobody would see one that begins here. */
  #openTrace({ parent, baggage }: GivenContext): CallTrace | undefined {
    if (this.#exporter === undefined) return parent && new CallTrace(parent, baggage);
    const traceId = parent?.traceId ?? randomHexId(16);
    const isSampled = this.#isSampled(traceId, parent);
    return new CallTrace({ traceId, spanId: randomHexId(8), isSampled, state: parent?.state }, baggage);
  }

  /** @param describeEnd is called when the request ends, since its session and the tools may load meanwhile */
  #auditCall(trace: CallTrace, parent: TraceIds | undefined, describeEnd: () => Described): AuditedCall {
    const start = wallTime();
    let isOver = false;
    const end = (isFault: boolean, error?: Attributes): void => {
      if (isOver) return;
      isOver = true;
      if (!this.#isRecorded(trace)) return;
      const { attributes, ...span } = describeEnd();
      const whole = { ...attributes, ...error };
      const { spanId } = trace;
      this.#exportSpan(trace, {
        ...span,
        start,
        attributes: whole,
        isError: isFault,
        spanId,
        parentSpanId: parent?.spanId,
      });
    };
    return {
      trace,
      done: (result) => {
        if (this.#isRecorded(trace) && classifyOutcome(result) === 'tool-error')
          end(true, { 'error.type': 'tool_error' });
        else end(false);
      },
      failed: (thrown) => end(...describeErrorForSpan(thrown)),
      cancelled: () => end(false, { 'error.type': 'cancelled' }),
      onBehalf: () => undefined,
      continueAsTask: () => {
        const spanId = this.#isRecorded(trace) ? randomHexId(8) : trace.spanId;
        return this.#auditCall(new CallTrace({ ...trace, spanId }, trace.baggage), trace, () => {
          const { name, attributes } = describeEnd();
          return { name: `task ${name}`, kind: 1, attributes };
        });
      },
      watchSending: (path) => this.#watchAttempts(trace, path),
    };
  }

  #isRecorded({ isSampled }: CallTrace): boolean {
    return isSampled && this.#exporter !== undefined;
  }

  #watchAttempts(trace: CallTrace, path: string): WatchAttempts {
    let sent = 0;
    const template = path.replace(/[?#].*$/s, '');
    return ({ method, url, isRedirected }): WatchedAttempt => {
      const start = wallTime();
      const spanId = this.#isRecorded(trace) ? randomHexId(8) : trace.spanId;
      const resent = sent++;
      return {
        headers: isRedirected ? NO_CONTEXT : makeTraceHeaders(trace, spanId),
        end: (outcome) => {
          const error = errorTypeOfOutcome(outcome);
          this.#exportSpan(trace, {
            spanId,
            parentSpanId: trace.spanId,
            name: isRedirected ? method : `${method} ${template}`,
            kind: 3,
            start,
            attributes: {
              'http.request.method': method,
              'server.address': url.hostname,
              'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
              // The path template of the operation: values of its parameters may be secret.
              'url.full': `${url.origin}${isRedirected ? '' : template}`,
              'url.template': isRedirected ? undefined : template,
              'http.request.resend_count': resent === 0 ? undefined : resent,
              'http.response.status_code': typeof outcome === 'number' ? outcome : undefined,
              'error.type': error,
            },
            isError: error !== undefined,
          });
        },
      };
    };
  }

  #exportSpan(
    { traceId, isSampled, state }: CallTrace,
    span: Omit<FinishedSpan, 'traceId' | 'traceState' | 'end'>,
  ): void {
    if (isSampled) this.#exporter?.addSpan({ ...span, traceId, traceState: state, end: wallTime() });
  }
}

function makeInnerContext(outer: CallTrace): GivenContext {
  return { parent: outer, baggage: outer.baggage };
}

const NO_CONTEXT = [
  ['traceparent', undefined],
  ['tracestate', undefined],
  ['baggage', undefined],
] as const;

const TRACE_HEADERS: ReadonlySet<string> = new Set(NO_CONTEXT.map(([name]) => name));

/** A call outside of any trace: the API gets none of what the client's headers say of one. */
function createUntracedCall(baggage: string | undefined): AuditedCall {
  const doNothing = (): void => undefined;
  const call: AuditedCall = {
    done: doNothing,
    failed: doNothing,
    cancelled: doNothing,
    onBehalf: doNothing,
    continueAsTask: () => call,
    watchSending:
      () =>
      ({ isRedirected }) => ({
        headers: isRedirected ? NO_CONTEXT : [...NO_CONTEXT.slice(0, 2), ['baggage', baggage]],
        end: doNothing,
      }),
  };
  return call;
}

function makeTraceHeaders(trace: CallTrace, spanId: string): WatchedAttempt['headers'] {
  return [
    ['traceparent', writeTraceparent({ traceId: trace.traceId, spanId }, trace.isSampled)],
    ['tracestate', trace.state],
    ['baggage', trace.baggage],
  ];
}

interface Described {
  name: string;
  kind: FinishedSpan['kind'];
  attributes: Attributes;
}

/** Describes a request by the semantic conventions for MCP. Only the server's own names are used: a client may write anything. */
function describeSpan(
  { method: given, params, id }: WatchedRequest,
  context: RequestContext,
  server: ServerInstance,
  isHttp: boolean,
): Described {
  const method = METHODS.has(given) ? given : '_OTHER';
  const isCall = method === 'tools/call';
  const { tools, prompts } = server.cache;
  const name = isCall ? nameIfKnown(tools, params['name']) : undefined;
  const prompt = method === 'prompts/get' ? nameIfKnown(prompts, params['name']) : undefined;
  const target = name ?? prompt;
  const { session, passedHeaders } = context;
  return {
    name: target === undefined ? method : `${method} ${target}`,
    kind: id === undefined ? 1 : 2,
    attributes: {
      'mcp.method.name': method,
      'mcp.protocol.version': revisionIfKnown(params['_meta']) ?? session?.agreement?.revision,
      'mcp.session.id': session?.hash,
      'jsonrpc.request.id': requestIdForSpan(id),
      'gen_ai.operation.name': isCall ? 'execute_tool' : undefined,
      'gen_ai.tool.name': name,
      'gen_ai.prompt.name': prompt,
      'network.transport': isHttp ? 'tcp' : 'pipe',
      'network.protocol.name': passedHeaders === undefined ? undefined : 'http',
    },
  };
}

function nameIfKnown(known: { has(name: string): boolean } | undefined, name: unknown): string | undefined {
  return typeof name === 'string' && known?.has(name) === true ? name : undefined;
}

function revisionIfKnown(meta: unknown): string | undefined {
  const version = isRecord(meta) ? meta[META.protocolVersion] : undefined;
  return REVISIONS.has(version) ? String(version) : undefined;
}

/** The client chooses the id's text, so an id that is long or has blanks is left out of traces. */
function requestIdForSpan(id: unknown): string | undefined {
  const text = String(id);
  return id !== undefined && /^[\w.:-]{1,64}$/.test(text) ? text : undefined;
}

/** JSON-RPC codes that are the server's fault; of others the client is to blame (semantic conventions, "Status"). */
function isServerFault(code: number): boolean {
  return code === INTERNAL_ERROR || (code <= -32_000 && code >= -32_099);
}

function describeErrorForSpan(thrown: unknown): [isFault: boolean, attributes: Attributes] {
  const code = thrown instanceof ProtocolError ? thrown.code : INTERNAL_ERROR;
  const text = String(code);
  // The conventions had the second name until 2026.
  const attributes = { 'rpc.response.status_code': text, 'rpc.jsonrpc.error_code': code, 'error.type': text };
  return [isServerFault(code), attributes];
}

/** Undefined for a success. */
function errorTypeOfOutcome(outcome: unknown): string | undefined {
  if (typeof outcome === 'number') return outcome >= 400 ? String(outcome) : undefined;
  const code: unknown = isRecord(outcome) ? outcome['code'] : undefined;
  return typeof code === 'string' && /^[\w-]+$/.test(code) ? code : '_OTHER';
}

function randomHexId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function wallTime(): number {
  return performance.timeOrigin + performance.now();
}
