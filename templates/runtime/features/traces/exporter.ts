// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sends spans to a collector by OTLP over HTTP in JSON, after the calls: it never delays one, nor fails one. */
import { type Env, type Implementation, UsageError } from '../../types.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
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
  attributes: Attributes;
  isError: boolean;
}

export type ExportSettings = NonNullable<ReturnType<typeof readExportSettings>>;

export const EXPORT_LIMITS = {
  /** Spans that wait; others are dropped. */
  queue: 2_048,
  /** Spans of one request to the collector. */
  batch: 512,
  delayMs: 5_000,
  timeoutMs: 10_000,
};

export class Exporter {
  /** Spans that were never delivered. */
  dropped = 0;
  readonly #settings: ExportSettings;
  readonly #tell: (words: string) => void;
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  readonly #ending = new AbortController();
  #isTold = false;

  constructor(settings: ExportSettings, tell: (words: string) => void) {
    this.#settings = settings;
    this.#tell = tell;
  }

  add(span: Span): void {
    if (this.#waiting.length >= EXPORT_LIMITS.queue) return void this.dropped++;
    this.#waiting.push(span);
    if (this.#waiting.length >= EXPORT_LIMITS.batch) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), EXPORT_LIMITS.delayMs).unref();
  }

  /** Sends what waits, for this time at most. */
  async flush(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), ms);
    this.#start();
    await this.#sending;
    clearTimeout(timer);
    this.dropped += this.#waiting.splice(0).length;
    if (this.dropped > 0) this.#tell(`${this.dropped} spans were not exported.`);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#ending.signal.aborted) {
      const spans = this.#waiting.splice(0, EXPORT_LIMITS.batch);
      const failure = await this.#post(toOtlp(spans, this.#settings.resource));
      // Said again only after the collector has worked in between.
      if (failure !== undefined && !this.#isTold)
        this.#tell(`Spans can't be exported to ${this.#settings.url.origin}: ${failure}. They are dropped.`);
      this.#isTold = failure !== undefined;
      if (failure !== undefined) this.dropped += spans.length;
    }
  }

  async #post(body: string): Promise<string | undefined> {
    const { url, headers } = this.#settings;
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(EXPORT_LIMITS.timeoutMs)]);
    try {
      // A redirect could lead the headers, which may hold a secret, to another server.
      const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await answer.body?.cancel();
      return answer.ok ? undefined : `HTTP ${answer.status}`;
    } catch (thrown) {
      const { cause = thrown } = thrown as { cause?: unknown };
      const { code, name } = cause as { code?: unknown; name?: unknown };
      return String(code ?? name);
    }
  }
}

function toOtlp(spans: readonly Span[], resource: Attributes): string {
  const scopeSpans = [{ scope: { name: 'mcpgen' }, spans: spans.map(toOtlpSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: toPairs(resource) }, scopeSpans }] });
}

function toOtlpSpan({ start, end, attributes, isError, ...span }: Span): object {
  // A text, since numbers of JSON are not precise enough.
  const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;
  return {
    ...span,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: toPairs(attributes),
    status: isError ? { code: 2 } : {},
  };
}

function toPairs(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (typeof value === 'string') return { key, value: { stringValue: value } };
    return { key, value: typeof value === 'boolean' ? { boolValue: value } : { intValue: String(value) } };
  });
}

/** Undefined: nothing is exported. @throws {UsageError} for a variable that can't be used, without its value */
export function readExportSettings(env: Env, { name, version }: Implementation) {
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  const url = isOff ? undefined : readEndpoint(env);
  if (url === undefined) return undefined;
  const { 'service.name': service, ...attributes } = readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES');
  return {
    url,
    headers: { ...readHeaders(env), 'content-type': 'application/json' },
    resource: {
      'service.version': version,
      'telemetry.sdk.name': 'mcpgen',
      'telemetry.sdk.language': 'nodejs',
      ...attributes,
      'service.name': env['OTEL_SERVICE_NAME'] || service || name,
    },
  };
}

function readEndpoint(env: Env): URL | undefined {
  const isWhole = Boolean(env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
  const variable = isWhole ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const text = env[variable];
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    throw new UsageError(`${variable} must be the URL of a collector, such as http://127.0.0.1:4318.`);
  if (!isWhole) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url;
}

function readHeaders(env: Env): Record<string, string> {
  const pairs = readPairs(env, 'OTEL_EXPORTER_OTLP_HEADERS');
  try {
    return Object.fromEntries(new Headers(pairs));
  } catch {
    // The value may be secret.
    throw new UsageError('OTEL_EXPORTER_OTLP_HEADERS holds what HTTP headers cannot have: correct it.');
  }
}

/** `name=value` by commas, percent-encoded. */
function readPairs(env: Env, variable: string): Record<string, string> {
  const parts = (env[variable] ?? '').split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(part) ?? [];
      try {
        if (name !== undefined) return [name.trim(), decodeURIComponent(value.trim())];
      } catch {
        // The value may be secret.
      }
      throw new UsageError(`${variable} must hold name=value, several by commas, percent-encoded.`);
    }),
  );
}
