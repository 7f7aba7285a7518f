// Rule 10: calls of tools. Schemas as they are listed: rule-10-schemas.test.ts.
// Further: core/tools.test.ts (tools of an API, what handlers may return), schema/hostile.test.ts (each bound of the
// validator), transports/http.test.ts and http-modern.test.ts (429).
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { Session } from '../../../templates/runtime/core/session.ts';
import { RateLimiter } from '../../../templates/runtime/core/shared-state.ts';
import type { ExtraTool } from '../../../templates/runtime/definition.ts';
import { refuseUnusableHandlers } from '../../../templates/runtime/main/open-project.ts';
import { featuresOf, type Revision } from '../../../templates/runtime/protocol/revisions.ts';
import type { ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { newCatalog, type Reply } from '../core/harness.ts';
import { ALL, inEach, plain, speaking } from './speaking.ts';
import { REQUESTS, subject } from './subject.ts';

const text = (words: string) => ({ type: 'text', text: words });
const failed = (words: string) => ({ content: [text(words)], isError: true });

async function toolOf(revision: Revision, handler: ExtraTool['handler'], more: Partial<ExtraTool> = {}) {
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

const inputSchema: ObjectSchema = {
  type: 'object',
  properties: { size: { type: 'integer', maximum: 9 } },
  required: ['size'],
  additionalProperties: false,
};

/** How the revision says that arguments do not match. */
function expectMismatch(revision: Revision, { result, error }: Reply, lines: string): void {
  const words = `The arguments of x do not match its input schema:\n${lines}`;
  if (featuresOf(revision).invalidArguments === 'protocol-error')
    expect(error).toEqual({ code: -32602, message: words });
  else expect(plain(result)).toEqual(failed(words));
}

test('arguments that do not match are the protocol error of older revisions, the tool error of newer ones', () => {
  const kinds = ALL.map((revision) => featuresOf(revision).invalidArguments);
  expect(kinds).toEqual([...Array<string>(3).fill('protocol-error'), 'tool-error', 'tool-error']);
});

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

test.each(inEach<[unknown]>(ALL, [[[]], [null], ['size'], [7]]))(
  '%s: %j are no arguments',
  async (revision, args) => {
    const { put, run } = await toolOf(revision, () => 'done');
    expect(await put('tools/call', { name: 'x', arguments: args })).toMatchObject({
      error: { code: -32602, message: '`arguments` must be an object.' },
      origin: 'work',
    });
    expect(run).not.toHaveBeenCalled();
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
  let now = 0;
  const session = new Session('info', new RateLimiter(2, () => now));
  const { put, ran } = await speaking(
    revision,
    subject(() => 'done', { session }),
  );
  for (let times = 0; times < 2; times++) expect((await put(...REQUESTS.call)).error).toBeUndefined();
  expect(await put(...REQUESTS.call)).toMatchObject({
    error: { code: -32603, message: 'Too many calls. Try again in 30 seconds.' },
    origin: 'rate',
  });
  expect(ran()).toBe(2);
  // Lists count as calls, others do not.
  expect(await put('tools/list')).toMatchObject({ origin: 'rate' });
  now += 30_000;
  expect((await put(...REQUESTS.call)).error).toBeUndefined();
});

test.each(ALL)('%s: a failure of the work is a result, in its words', async (revision) => {
  const { call } = await toolOf(revision, () =>
    Promise.reject(new TypeError('The shelf is empty: order more.')),
  );
  expect(plain((await call()).result)).toEqual(failed('The shelf is empty: order more.'));
});

// Structured content.

const outputSchema: ObjectSchema = {
  type: 'object',
  properties: { size: { type: 'integer' } },
  required: ['size'],
};
const hasStructure = (revision: Revision) =>
  featuresOf(revision).unknownMembers.toolResult?.includes('structuredContent') !== true;

test('revisions since 2025-06-18 have structured content', () => {
  expect(ALL.filter(hasStructure)).toEqual(['2025-06-18', '2025-11-25', '2026-07-28']);
});

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
    ['what lacks a member', { name: 'x' }, [text('{"name":"x"}')], /`size`/],
    ['no object', [1], [text('[1]')], /The answer is no object/],
    ['a text', 'big', [text('big')], /The answer is no object/],
    ['nothing', undefined, [], /The answer is no object/],
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

test.each<[Revision, object[]]>([
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

test.each([
  ['http://json-schema.org/draft-07/schema#'],
  ['https://json-schema.org/draft/2019-09/schema'],
  ['https://dialects.example/own'],
])('the dialect %s is an error before the server starts', async ($schema) => {
  for (const schema of [
    { type: 'object', $schema },
    { type: 'object', properties: { a: { $id: 'https://x.example/a', $schema } } },
  ])
    for (const name of ['inputSchema', 'outputSchema']) {
      const tool = { name: 'x', inputSchema: { type: 'object' }, handler: () => 'done', [name]: schema };
      const words = `\`extraTools[0]\`: \`${name}\` can't be used: `;
      await expect(refuseUnusableHandlers({ extraTools: [tool] }, newCatalog({}))).rejects.toThrow(words);
      await expect(refuseUnusableHandlers({ extraTools: [tool] }, newCatalog({}))).rejects.toThrow($schema);
    }
});

test.each(ALL)('%s: a tool of an unknown dialect does not run', async (revision) => {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  const { call, run, reported } = await toolOf(revision, () => 'done', {
    inputSchema: { type: 'object', $schema },
  });
  expect((await call()).error).toEqual({ code: -32603, message: 'Internal error.' });
  expect([run.mock.calls, String(reported)]).toEqual([[], expect.stringContaining($schema)]);
});

test('no $ref is fetched', async () => {
  const asked = vi.fn();
  const remote = createServer((_, response) => {
    asked();
    response.end('{"type":"string"}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => remote.once('listening', resolve));
  const $ref = `http://127.0.0.1:${(remote.address() as AddressInfo).port}/schema.json`;
  const schema: ObjectSchema = { type: 'object', properties: { a: { $ref } } };
  for (const revision of ALL) {
    const { call, run } = await toolOf(revision, () => 'done', { inputSchema: schema });
    expect((await call({ a: 'x' })).error).toEqual({ code: -32603, message: 'Internal error.' });
    expect(run).not.toHaveBeenCalled();
  }
  const tool = { name: 'x', inputSchema: schema, handler: () => 'done' };
  await expect(refuseUnusableHandlers({ extraTools: [tool] }, newCatalog({}))).rejects.toThrow($ref);
  expect(asked).not.toHaveBeenCalled();
  await new Promise((resolve) => remote.close(resolve));
});

// Depth and work.

const child = { properties: { c: { $ref: '#' } } };
const never = { ...child, allOf: [false] };
const nested = (depth: number) =>
  JSON.parse('{"c":'.repeat(depth) + '{}' + '}'.repeat(depth)) as Record<string, unknown>;

test.each(
  inEach<[string, ObjectSchema, number, string]>(ALL, [
    [
      'depth',
      { type: 'object', ...child },
      10_000,
      '- The value is nested too deeply to be checked (at most 1000 schemas inside one another)',
    ],
    [
      'work',
      { type: 'object', anyOf: [never, never] },
      60,
      '- The value is too large, or fits too many alternatives, to be checked against this schema',
    ],
  ]),
)('%s: the %s of a check is bounded, and what is over it does not run', async (...row) => {
  const [revision, , schema, depth, line] = row;
  const { call, run, put } = await toolOf(revision, () => 'done', { inputSchema: schema });
  expectMismatch(revision, await call(nested(depth)), line);
  expect(run).not.toHaveBeenCalled();
  expect((await put('tools/list')).error).toBeUndefined();
});
