// `--log-format json`: each line of stderr is one JSON object, whoever wrote it.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Collector, startCollector } from '../telemetry/collector.ts';
import { MODERN, post } from './requests.ts';
import { startProject, writeProject } from './project.ts';

const project = writeProject({
  handlers: `{ extraTools: [
    { name: 'talk', inputSchema: { type: 'object' }, handler: async () => {
      console.log('two\\nlines'); console.error('warning: words of the code');
      await new Promise((resolve) => setTimeout(resolve, 5));
      console.error('after a pause'); console.error(JSON.stringify({ own: 'json' }));
      process.emitWarning('old', 'DeprecationWarning');
      return 'done';
    } },
    { name: 'astray', inputSchema: { type: 'object' }, handler: () => { void Promise.reject(new Error('lost')); return 'done'; } },
  ] }`,
});
let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(async () => {
  project.remove();
  await collector.close();
});

type Line = Record<string, unknown>;

const readLines = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

test.each<[string, string[], Record<string, string>]>([
  ['by a flag', ['--log-format', 'json'], {}],
  ['by a variable', [], { MCP_LOG_FORMAT: 'json' }],
])('lines of the server, of code and of Node are objects, %s', async (_, flags, env) => {
  const args = ['--transport', 'http', '--port', '0', '--audit', 'stderr', ...flags];
  const own = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, MCP_METRICS_PORT: '0' };
  const { child, output, exit } = startProject(project, args, own);
  await vi.waitFor(() => expect(output.stderr).toMatch(/serving .*\n/), { timeout: 10_000 });
  const url = /serving (http:\/\/127\.0\.0\.1:\d+)/.exec(output.stderr)?.[1] ?? '';
  const traceId = 'ab'.repeat(16);
  const meta = { traceparent: `00-${traceId}-${'cd'.repeat(8)}-01` };
  await post(url, { name: 'talk', meta });
  await post(url, { name: 'talk', meta: { traceparent: meta.traceparent.replaceAll('ab', 'ef') } });
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  const lines = readLines(output.stderr);
  const find = (message: unknown): Line | undefined => lines.find((line) => line['message'] === message);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const trace = { trace_id: traceId, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) };
  expect(find('stopping')).toEqual({ time, level: 'info', server: 'pets', message: 'stopping' });
  expect(find('two\nlines')).toEqual({
    time,
    level: 'info',
    server: 'pets',
    message: 'two\nlines',
    ...trace,
  });
  expect(find('words of the code')).toMatchObject({ level: 'warning', ...trace });
  expect(lines.filter(({ message }) => message === 'after a pause')).toMatchObject([
    trace,
    { trace_id: 'ef'.repeat(16) },
  ]);
  expect(lines).toContainEqual({ own: 'json' });
  expect(find('DeprecationWarning: old')).toMatchObject({ level: 'warning' });
  expect(lines.filter(({ tool }) => tool === 'talk')).toMatchObject([
    { outcome: 'ok', trace_id: traceId },
    { outcome: 'ok', trace_id: 'ef'.repeat(16) },
  ]);
});

test('an end before the start is one error', async () => {
  const { output, exit } = startProject(project, ['--log-format=json', '--port', 'x']);
  expect(await exit).toBe(2);
  const message = '--port goes with HTTP: give --transport http as well.';
  expect(readLines(output.stderr)).toMatchObject([{ level: 'error', server: 'pets', message }]);
});

test('an error that nobody catches has its stack in one line', async () => {
  const { child, output, exit } = startProject(project, ['--log-format', 'json']);
  const params = { name: 'astray', _meta: MODERN };
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })}\n`);
  expect(await exit).toBe(0);
  const [line, ...others] = readLines(output.stderr);
  expect(line).toMatchObject({ level: 'error', server: 'pets' });
  expect(line?.['message']).toMatch(/^Error: lost\n {4}at /);
  expect(others).toEqual([]);
});

test.each<[string[], Record<string, string>, string]>([
  [['--log-format', 'xml'], {}, 'pets: --log-format must be text or json, not xml.'],
  [[], { MCP_LOG_FORMAT: 'xml' }, 'MCP_LOG_FORMAT must be text or json, not xml.'],
])('%j and %j are refused', async (flags, env, words) => {
  const { output, exit } = startProject(project, flags, env);
  expect(await exit).toBe(2);
  expect(output.stderr).toContain(words.replace('pets: ', ''));
});
