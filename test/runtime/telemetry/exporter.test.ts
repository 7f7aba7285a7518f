// Spans behind the calls: batches, a bounded queue, repetitions, and a collector that fails.
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../../templates/runtime/contract/feature.ts';
import {
  Exporter,
  type ExportSettings,
  type FinishedSpan,
  parseExportSettings,
} from '../../../templates/runtime/telemetry/exporter.ts';
import { createSampler } from '../../../templates/runtime/telemetry/traces.ts';
import { startCollector } from './collector.ts';

const info = { name: 'pets', version: '1' };

function span(name: string): FinishedSpan {
  return {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    parentSpanId: undefined,
    traceState: undefined,
    name,
    kind: 2,
    start: 1_700_000_000_000.123,
    end: 1_700_000_000_001,
    attributes: { text: 'a', number: 1, truth: true, none: undefined },
    isError: true,
  };
}

async function open(answer: Parameters<typeof startCollector>[0], changed: Partial<ExportSettings> = {}) {
  const collector = await startCollector(answer);
  onTestFinished(() => collector.close());
  const told: string[] = [];
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own` };
  const settings = { ...(parseExportSettings(env, info) as ExportSettings), delayMs: 1, ...changed };
  return { collector, told, exporter: new Exporter(settings, (words) => told.push(words)) };
}

test('spans leave together, as OTLP has them in JSON', async () => {
  const { collector, exporter, told } = await open(undefined, { batch: 2 });
  for (const name of ['a', 'b', 'c']) exporter.addSpan(span(name));
  await exporter.flushWithin(5_000);
  expect(collector.paths).toEqual(['/own', '/own']);
  expect(collector.spans.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  const [first] = collector.spans;
  expect(first).toMatchObject({
    startTimeUnixNano: '1700000000000123000',
    attributes: { text: 'a', number: 1, truth: true },
    status: { code: 2 },
  });
  expect(first).not.toHaveProperty('parentSpanId');
  expect([exporter.dropped, told]).toEqual([0, []]);
});

test('what the queue does not hold is dropped and counted, and nothing waits for a collector that hangs', async () => {
  const { exporter, told, collector } = await open(() => undefined, { queue: 3, batch: 1 });
  for (let at = 0; at < 10; at++) exporter.addSpan(span(String(at)));
  await expect.poll(() => collector.bodies.length).toBe(1);
  await exporter.flushWithin(50);
  expect(exporter.dropped).toBe(10);
  expect(told.at(-1)).toBe('warning: 10 spans were not exported.');
});

test('an export is repeated that the collector could not take', async () => {
  const { exporter, collector, told } = await open((count) => (count === 1 ? 503 : 200));
  exporter.addSpan(span('a'));
  await exporter.flushWithin(10_000);
  expect([collector.bodies.length, collector.spans.length, exporter.dropped, told]).toEqual([2, 1, 0, []]);
});

test('a refusal is told once, until an export works again', async () => {
  const { exporter, told, collector } = await open((count) => (count === 3 ? 200 : 400), { batch: 1 });
  for (const name of ['a', 'b', 'c', 'd']) exporter.addSpan(span(name));
  await expect.poll(() => collector.bodies.length).toBe(4);
  await exporter.flushWithin(1_000);
  const words = expect.stringMatching(
    /^warning: spans can't be exported to http:\S+: HTTP 400\. They are dropped/,
  );
  expect(told).toEqual([words, words, 'warning: 3 spans were not exported.']);
});

test('a redirect is not followed: the headers may hold a secret', async () => {
  const { exporter, collector } = await open(() => 307);
  exporter.addSpan(span('a'));
  await exporter.flushWithin(1_000);
  expect([collector.bodies.length, exporter.dropped]).toEqual([1, 1]);
});

test.each([
  [{}],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.test', OTEL_SDK_DISABLED: 'TRUE' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.test', OTEL_TRACES_EXPORTER: 'none' }],
])('%j exports nothing', (env) => {
  expect(parseExportSettings(env, info)).toBeUndefined();
});

test.each<[Record<string, string>, string]>([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:p@a.test' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must be the URL of a collector',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.test', OTEL_EXPORTER_OTLP_HEADERS: 'hidden' },
    'OTEL_EXPORTER_OTLP_HEADERS must hold name=value, several by commas, percent-encoded.',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.test', OTEL_EXPORTER_OTLP_HEADERS: 'key=hid%0Aden' },
    'OTEL_EXPORTER_OTLP_HEADERS holds a name or a value that HTTP headers cannot have',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.test', OTEL_EXPORTER_OTLP_HEADERS: 'key=hid%01den' },
    'OTEL_EXPORTER_OTLP_HEADERS holds a name or a value that HTTP headers cannot have',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.test', OTEL_EXPORTER_OTLP_HEADERS: 'connection=hidden' },
    'OTEL_EXPORTER_OTLP_HEADERS holds a name or a value that HTTP headers cannot have',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.test', OTEL_BSP_SCHEDULE_DELAY: 'soon' },
    'OTEL_BSP_SCHEDULE_DELAY must be a whole number',
  ],
])('%j is refused without its value', (env, words) => {
  const read = (): unknown => parseExportSettings(env, info);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(words);
  expect(read).not.toThrow('hidden');
});

const high = `${'0'.repeat(19)}${'f'.repeat(13)}`;
const low = `${'f'.repeat(19)}${'0'.repeat(13)}`;

test.each<[string | undefined, string | undefined, boolean[]]>([
  [undefined, undefined, [true, true, true, false]],
  ['always_on', undefined, [true, true, true, true]],
  ['always_off', undefined, [false, false, false, false]],
  ['traceidratio', '0.5', [false, true, false, false]],
  ['parentbased_traceidratio', '0.5', [false, true, true, false]],
  ['parentbased_always_off', undefined, [false, false, true, false]],
])('the sampler %s with %s', (name, share, want) => {
  const env = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share };
  const told: string[] = [];
  const isSampled = createSampler({
    info,
    env,
    isHttp: true,
    isTracedLog: false,
    tell: (words) => told.push(words),
  });
  const parent = { traceId: high, spanId: 'b', state: undefined };
  expect([
    isSampled(high, undefined),
    isSampled(low, undefined),
    isSampled(high, { ...parent, isSampled: true }),
    isSampled(high, { ...parent, isSampled: false }),
  ]).toEqual(want);
  expect(told).toEqual([]);
});

test('a sampler that is unknown, and a share that is none, are warnings', () => {
  const told: string[] = [];
  const tell = (words: string): void => void told.push(words);
  const options = { info, isHttp: true, isTracedLog: false, tell };
  createSampler({ ...options, env: { OTEL_TRACES_SAMPLER: 'jaeger_remote' } });
  createSampler({ ...options, env: { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' } });
  expect(told).toEqual([
    'warning: OTEL_TRACES_SAMPLER is jaeger_remote, which is unknown here: parentbased_always_on is used.',
    'warning: OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1: 1 is used.',
  ]);
});
