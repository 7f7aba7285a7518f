// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sends spans to a collector by OTLP/HTTP in JSON, behind the calls: it never blocks one, nor fails one. */
import { UsageError, isSettableHeader } from '../contract/feature.ts';
import { isHttpToken } from '../contract/http-syntax.ts';
import { type Environment, parseInteger } from '../main/settings.ts';

export type AttributeValue = string | number | boolean;

export interface FinishedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  traceState: string | undefined;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: 1 | 2 | 3;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  attributes: Readonly<Record<string, AttributeValue | undefined>>;
  isError: boolean;
}

export interface ExportSettings {
  url: URL;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  queue: number;
  batch: number;
  delayMs: number;
  resource: Readonly<Record<string, AttributeValue>>;
}

/** Pauses before a batch is sent again that the collector could not take. */
const RETRY_MS = [1_000, 3_000];
const PASSING = new Set([429, 502, 503, 504]);

export class Exporter {
  /** Spans that were never delivered. */
  dropped = 0;
  readonly #settings: ExportSettings;
  readonly #tell: (words: string) => void;
  #waiting: FinishedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  /** Ends pauses and requests at the end of the process. */
  readonly #ending = new AbortController();
  #isTold = false;

  constructor(settings: ExportSettings, tell: (words: string) => void) {
    this.#settings = settings;
    this.#tell = tell;
  }

  addSpan(span: FinishedSpan): void {
    const { queue, batch, delayMs } = this.#settings;
    if (this.#waiting.length >= queue) {
      this.dropped++;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= batch) this.#startSending();
    else this.#timer ??= setTimeout(() => this.#startSending(), delayMs).unref();
  }

  /** Sends what waits, for this time at most. */
  async flushWithin(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), ms);
    this.#startSending();
    await this.#sending;
    clearTimeout(timer);
    this.dropped += this.#waiting.splice(0).length;
    if (this.dropped > 0) this.#tell(`warning: ${this.dropped} spans were not exported.`);
  }

  #startSending(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending !== undefined || this.#waiting.length === 0) return;
    this.#sending = this.#sendAll().finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#ending.signal.aborted)
      await this.#sendBatch(this.#waiting.splice(0, this.#settings.batch));
  }

  async #sendBatch(spans: readonly FinishedSpan[]): Promise<void> {
    const body = spansToOtlpJson(spans, this.#settings.resource);
    for (const pause of [...RETRY_MS, undefined]) {
      const failure = await this.#postSpans(body);
      if (failure === undefined) {
        this.#isTold = false;
        return;
      }
      if (!failure.isPassing || pause === undefined || !(await this.#waitForRetry(pause))) {
        this.dropped += spans.length;
        return this.#reportFailureOnce(failure.reason);
      }
    }
  }

  /** @returns undefined if the collector has the spans */
  async #postSpans(body: string): Promise<{ reason: string; isPassing: boolean } | undefined> {
    const { url, headers, timeoutMs } = this.#settings;
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal,
        // The headers may hold a secret.
        redirect: 'manual',
      });
      await answer.body?.cancel();
      return answer.ok
        ? undefined
        : { reason: `HTTP ${answer.status}`, isPassing: PASSING.has(answer.status) };
    } catch (thrown) {
      const { cause = thrown } = thrown as { cause?: unknown };
      const { code, name } = cause as { code?: unknown; name?: unknown };
      return { reason: String(code ?? name), isPassing: true };
    }
  }

  /** Resolves to whether there is time for another attempt. */
  async #waitForRetry(ms: number): Promise<boolean> {
    const { signal } = this.#ending;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
    return !signal.aborted;
  }

  /** Reports a failure again only after the collector has worked in between. */
  #reportFailureOnce(reason: string): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#tell(
      `warning: spans can't be exported to ${this.#settings.url.origin}: ${reason}. They are dropped and counted.`,
    );
  }
}

function spansToOtlpJson(spans: readonly FinishedSpan[], resource: ExportSettings['resource']): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toOtlpAttributes(resource) },
        scopeSpans: [{ scope: { name: 'mcpgen' }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  });
}

function toOtlpSpan({ start, end, attributes, isError, ...span }: FinishedSpan): object {
  return {
    ...span,
    startTimeUnixNano: toNanoseconds(start),
    endTimeUnixNano: toNanoseconds(end),
    attributes: toOtlpAttributes(attributes),
    status: isError ? { code: 2 } : {},
  };
}

/** A text, since JSON's numbers are not precise enough. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}

function toOtlpAttributes(attributes: FinishedSpan['attributes']): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toOtlpValue(value) }],
  );
}

function toOtlpValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  return typeof value === 'boolean' ? { boolValue: value } : { intValue: String(value) };
}

/**
 * Undefined if nothing is exported: no endpoint is set, or `OTEL_SDK_DISABLED` or `OTEL_TRACES_EXPORTER` says so.
 * @throws {UsageError} naming the variable whose value can't be used
 */
export function parseExportSettings(
  env: Environment,
  { name, version }: { name: string; version: string },
): ExportSettings | undefined {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none')
    return undefined;
  const url = parseEndpoint(env);
  if (url === undefined) return undefined;
  const parseNumberVariable = (variable: string, usual: number): number =>
    parseInteger(variable, env[variable] || String(usual), 1);
  const timeout = env['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT']
    ? 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'
    : 'OTEL_EXPORTER_OTLP_TIMEOUT';
  const given = parsePercentEncodedPairs(env, 'OTEL_RESOURCE_ATTRIBUTES');
  return {
    url,
    headers: {
      ...parseHeaderPairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...parseHeaderPairs(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    timeoutMs: parseNumberVariable(timeout, 10_000),
    queue: parseNumberVariable('OTEL_BSP_MAX_QUEUE_SIZE', 2_048),
    batch: parseNumberVariable('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
    delayMs: parseNumberVariable('OTEL_BSP_SCHEDULE_DELAY', 5_000),
    resource: {
      'service.version': version,
      'telemetry.sdk.name': 'mcpgen',
      'telemetry.sdk.language': 'nodejs',
      ...given,
      'service.name': env['OTEL_SERVICE_NAME'] || given['service.name'] || name,
    },
  };
}

function parseEndpoint(env: Environment): URL | undefined {
  const [own, common] = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const variable = env[own] ? own : common;
  const text = env[variable];
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '') {
    if (variable === common) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
    return url;
  }
  throw new UsageError(
    `${variable} must be the URL of a collector that takes OTLP over HTTP, such as http://127.0.0.1:4318.`,
  );
}

function parseHeaderPairs(env: Environment, variable: string): Record<string, string> {
  const pairs = parsePercentEncodedPairs(env, variable);
  const areSendable = Object.entries(pairs).every(
    // `Headers` accepts control characters, with which `fetch` fails.
    ([name, value]) => isHttpToken(name) && isSettableHeader(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
  if (areSendable) return pairs;
  throw new UsageError(
    `${variable} holds a name or a value that HTTP headers cannot have, such as one with a line break: correct it.`,
  );
}

/** `name=value` by commas, percent-encoded. */
function parsePercentEncodedPairs(env: Environment, variable: string): Record<string, string> {
  const members = (env[variable] ?? '').split(',').filter((member) => member.trim() !== '');
  return Object.fromEntries(
    members.map((member) => {
      const at = member.indexOf('=');
      try {
        if (at > 0) return [member.slice(0, at).trim(), decodeURIComponent(member.slice(at + 1).trim())];
      } catch {
        // Said below, without the value, which may be secret.
      }
      throw new UsageError(`${variable} must hold name=value, several by commas, percent-encoded.`);
    }),
  );
}
