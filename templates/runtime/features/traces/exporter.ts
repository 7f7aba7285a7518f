// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sends spans to a collector by OTLP over HTTP in JSON, after the calls: it never delays one, nor fails one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseInteger } from '../../settings.ts';
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

const PAUSES_MS = [1_000, 3_000];
const PASSING = [429, 502, 503, 504];

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
    const { queue, batch, delayMs } = this.#settings;
    if (this.#waiting.length >= queue) return void this.dropped++;
    this.#waiting.push(span);
    if (this.#waiting.length >= batch) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), delayMs).unref();
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
    while (this.#waiting.length > 0 && !this.#ending.signal.aborted)
      await this.#sendBatch(this.#waiting.splice(0, this.#settings.batch));
  }

  async #sendBatch(spans: readonly Span[]): Promise<void> {
    const body = toOtlp(spans, this.#settings.resource);
    for (const pause of [...PAUSES_MS, undefined]) {
      const failure = await this.#post(body);
      if (failure === undefined) return void (this.#isTold = false);
      const mayRepeat = failure.isPassing && pause !== undefined && !this.#ending.signal.aborted;
      const signal = this.#ending.signal;
      if (mayRepeat && (await sleep(pause, true, { signal, ref: false }).catch(() => false))) continue;
      this.dropped += spans.length;
      // Said again only after the collector has worked in between.
      const { origin } = this.#settings.url;
      if (!this.#isTold)
        this.#tell(`Spans can't be exported to ${origin}: ${failure.reason}. They are dropped.`);
      this.#isTold = true;
      return;
    }
  }

  async #post(body: string): Promise<{ reason: string; isPassing: boolean } | undefined> {
    const { url, headers, timeoutMs } = this.#settings;
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      // A redirect could lead the headers, which may hold a secret, to another server.
      const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await answer.body?.cancel();
      const { status } = answer;
      return answer.ok ? undefined : { reason: `HTTP ${status}`, isPassing: PASSING.includes(status) };
    } catch (thrown) {
      const { cause = thrown } = thrown as { cause?: unknown };
      const { code, name } = cause as { code?: unknown; name?: unknown };
      return { reason: String(code ?? name), isPassing: true };
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
  const number = (variable: string, preset: number): number =>
    parseInteger({ name: variable, value: env[variable] || undefined }, 1) ?? preset;
  const { 'service.name': service, ...attributes } = readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES');
  return {
    url,
    headers: {
      ...readHeaders(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...readHeaders(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
      'content-type': 'application/json',
    },
    timeoutMs: number('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', number('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000)),
    queue: number('OTEL_BSP_MAX_QUEUE_SIZE', 2_048),
    batch: number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
    delayMs: number('OTEL_BSP_SCHEDULE_DELAY', 5_000),
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

function readHeaders(env: Env, variable: string): Record<string, string> {
  const pairs = readPairs(env, variable);
  const isSendable = ([name, value]: [string, string]): boolean =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
    !/^(?:connection|content-length|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i.test(name) &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
  if (Object.entries(pairs).every(isSendable)) return pairs;
  throw new UsageError(`${variable} holds a name or a value that HTTP headers cannot have: correct it.`);
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
