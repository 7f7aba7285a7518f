// Rule 10: calls of tools. Schemas as they are listed: core/lists.test.ts.
// Further: core/tools.test.ts (tools of an API, what handlers may return), schema/hostile.test.ts (each bound of the
// validator), transports.test.ts (429).
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ExtraTool } from '../../../templates/runtime/types.ts';
import type { SchemaObject } from '../../../templates/runtime/types.ts';
import type { Reply } from '../harness.ts';
import { ALL, inEach, plain, speaking } from './speaking.ts';
import { REQUESTS, subject } from './subject.ts';

afterEach(() => void vi.useRealTimers());

const text = (words: string) => ({ type: 'text', text: words });
const failed = (words: string) => ({ content: [text(words)], isError: true });

async function toolOf(revision: string, handler: ExtraTool['handler'], more: Partial<ExtraTool> = {}) {
  const run = vi.fn(handler);
  const x: ExtraTool = { name: 'x', inputSchema: { type: 'object' }, ...more, handler: run };
  const server = await speaking(revision, subject(undefined, { handlers: { extraTools: [x] } }));
  return {
    ...server,
    run,
    call: (args: object = {}) => server.put('tools/call', { name: 'x', arguments: args }),
  };
}

// Arguments.

const inputSchema: SchemaObject = {
  type: 'object',
  properties: { size: { type: 'integer', maximum: 9 } },
  required: ['size'],
  additionalProperties: false,
};

/** How the revision says that arguments do not match. */
function expectMismatch(revision: string, { result, error }: Reply, lines: string): void {
  const words = `The arguments of x do not match its input schema:\n${lines}`;
  if (revision < '2025-11-25') expect(error).toEqual({ code: -32602, message: words });
  else expect(plain(result)).toEqual(failed(words));
}

test.each(
  inEach<[object, string]>(ALL, [
    [{}, '- `size` is required but missing'],
    [{ size: 'big' }, '- `size` must be an integer but is "big"'],
    [{ size: 10 }, '- `size` must be ≤ 9 but is 10'],
    [{ size: 1, sise: 2 }, '- `sise` is not a known property; known are `size`'],
  ]),
)('%s: the arguments %j are refused in words, and nothing runs', async (revision, args, line) => {
  const { call, run } = await toolOf(revision, () => 'done', { inputSchema });
  expectMismatch(revision, await call(args), line);
  expect(run).not.toHaveBeenCalled();
});

test.each(inEach<[unknown]>(ALL, [[[]], ['size']]))('%s: %j are no arguments', async (revision, args) => {
  const { put, run } = await toolOf(revision, () => 'done');
  expect(await put('tools/call', { name: 'x', arguments: args })).toMatchObject({
    error: { code: -32602, message: '`arguments` must be an object.' },
    origin: 'work',
  });
  expect(run).not.toHaveBeenCalled();
});

test.each(inEach<[unknown]>(ALL, [[null], [undefined]]))(
  '%s: %j is no argument at all',
  async (revision, args) => {
    const { put, run } = await toolOf(revision, () => 'done');
    await put('tools/call', { name: 'x', arguments: args });
    expect(run).toHaveBeenCalledTimes(1);
  },
);

// Unknown tools, limits and failures.

test.each(
  inEach<[unknown, string]>(ALL, [
    ['y', 'Unknown tool: y'],
    ['X', 'Unknown tool: X. Did you mean "x"?'],
    ['toString', 'Unknown tool: toString'],
    [undefined, '`name` must be a string: the name of a tool.'],
    [7, '`name` must be a string: the name of a tool.'],
  ]),
)('%s: the tool %j is an error of the protocol', async (revision, name, message) => {
  const { put, run } = await toolOf(revision, () => 'done');
  expect(await put('tools/call', { name })).toMatchObject({
    error: { code: -32602, message },
    origin: 'work',
  });
  expect(run).not.toHaveBeenCalled();
});

test.each(ALL)('%s: calls are rate-limited, and what is over the limit does not run', async (revision) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { put, ran } = await speaking(
    revision,
    subject(() => 'done', { flags: { 'rate-limit': '2' } }),
  );
  for (let times = 0; times < 2; times++) expect((await put(...REQUESTS.call)).error).toBeUndefined();
  // Lists and completions count as calls.
  for (const request of [REQUESTS.call, ['tools/list'], REQUESTS.complete, REQUESTS.read] as const)
    expect(await put(...(request as [string, object]))).toMatchObject({
      error: { code: -32603, message: 'Too many calls. Try again in 30 seconds.' },
      origin: 'rate',
    });
  expect(ran()).toBe(2);
  vi.setSystemTime(Date.now() + 30_000);
  expect((await put(...REQUESTS.call)).error).toBeUndefined();
});

// Structured content.

const outputSchema: SchemaObject = {
  type: 'object',
  properties: { size: { type: 'integer' } },
  required: ['size'],
};
const hasStructure = (revision: string) => revision >= '2025-06-18';

test.each(
  inEach<[string, unknown, object]>(ALL, [
    ['a value', { size: 1, more: 'x' }, { size: 1, more: 'x' }],
    ['a result without text', { content: [], structuredContent: { size: 1 } }, { size: 1 }],
  ]),
)(
  '%s: structure conforms, and is repeated as JSON text: %s',
  async (revision, _, returned, structuredContent) => {
    const { call } = await toolOf(revision, () => returned, { outputSchema });
    expect(plain((await call()).result)).toEqual({
      content: [text(JSON.stringify(structuredContent))],
      ...(hasStructure(revision) ? { structuredContent } : {}),
    });
  },
);

test.each(
  inEach<[string, unknown, object[], RegExp]>(ALL, [
    ['a wrong type', { size: 'big' }, [text('{"size":"big"}')], /`size`/],
    ['no object', [1], [text('[1]')], /The answer is not an object/],
    ['nothing', undefined, [], /The answer is not an object/],
  ]),
)('%s: structure that does not conform is an error with the text: %s', async (...row) => {
  const [revision, , returned, content, fault] = row;
  const { call } = await toolOf(revision, () => returned, { outputSchema });
  const { result } = await call();
  const told = /^This is an error because the answer does not match the output schema of x: /;
  if (!hasStructure(revision)) expect(plain(result)).toEqual({ content });
  else {
    const words = expect.stringMatching(new RegExp(told.source + `.*${fault.source}`)) as string;
    expect(plain(result)).toEqual({ content: [...content, text(words)], isError: true });
  }
});

// Content.

const annotations = { audience: ['user'], priority: 1, lastModified: '2026-01-01T00:00:00Z' };
const old = { audience: ['user'], priority: 1 };
const note = { ...text('b'), annotations, _meta: { 'a/b': 1 } };
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations };
const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations };
const resource = { type: 'resource', resource: { uri: 'a:b', text: 'c', _meta: { 'a/b': 1 } }, annotations };
const link = { type: 'resource_link', uri: 'a:b', name: 'b', icons: [{ src: 'a:i' }], annotations };
const kinds = [note, image, audio, resource, link];
const olds = [
  { ...text('b'), annotations: old },
  { ...image, annotations: old },
  { ...audio, annotations: old },
  { ...resource, resource: { uri: 'a:b', text: 'c' }, annotations: old },
];
const noAudio = text(
  "Content of the kind audio (audio/wav) was left out: this client's protocol revision has none.",
);
const noLink = text('b: a:b');

test.each<[string, object[]]>([
  ['2024-11-05', [...olds.slice(0, 2), noAudio, ...olds.slice(3), noLink]],
  ['2025-03-26', [...olds, noLink]],
  [
    '2025-06-18',
    [note, image, audio, resource, { type: 'resource_link', uri: 'a:b', name: 'b', annotations }],
  ],
  ['2025-11-25', kinds],
  ['2026-07-28', kinds],
])('%s gets the kinds of content, and the annotations, that it knows', async (revision, content) => {
  const { call } = await toolOf(revision, () => kinds);
  expect(plain((await call()).result)).toEqual({ content });
});

// Schemas that can't be used.

test.each([['http://json-schema.org/draft-07/schema#'], ['https://json-schema.org/draft/2019-09/schema']])(
  'the dialect %s ends the start',
  async ($schema) => {
    for (const name of ['inputSchema', 'outputSchema'])
      await expect(
        toolOf('2025-11-25', () => 'done', { [name]: { type: 'object', $schema } }),
      ).rejects.toThrow(`The schema is of the dialect ${$schema}, and only JSON Schema 2020-12 is checked.`);
  },
);

test('no $ref is fetched: a schema with one is an error, and the tool does not run', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => void vi.restoreAllMocks());
  const inputSchema = { type: 'object', properties: { a: { $ref: 'http://127.0.0.1:9/a.json' } } };
  const { call, run } = await toolOf('2025-11-25', () => 'done', { inputSchema });
  const { result, error } = await call({ a: 1 });
  expect(error ?? result?.['isError']).toBeTruthy();
  expect(run).not.toHaveBeenCalled();
  expect(fetched).not.toHaveBeenCalled();
});
