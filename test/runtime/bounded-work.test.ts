// What one request or one answer makes the server do is bounded, whatever its length: steps are counted here, time by `npm run bench:turns`.
import { expect, test, vi } from 'vitest';
import { suggestNearest } from '../../templates/runtime/contract/feature.ts';
import type {
  Json,
  JsonSchema,
  JsonSchemaObject,
  ObjectSchema,
} from '../../templates/runtime/contract/json-schema.ts';
import { matchTemplate } from '../../templates/runtime/contract/patterns.ts';
import { findArgumentPart } from '../../templates/runtime/search/argument-part.ts';
import { printSignature } from '../../templates/runtime/search/signature.ts';
import { countMembers } from '../../templates/runtime/contract/count-members.ts';
import { limitAnswer, parseAnswer } from '../../templates/runtime/upstream/read-answer.ts';
import { type PartSource } from '../../templates/runtime/upstream/body.ts';
import { encodeMultipart } from '../../templates/runtime/upstream/multipart-body.ts';
import { receiveMessage } from '../../templates/runtime/protocol/json-rpc.ts';
import '../../templates/runtime/schema/alternatives.ts';
import { compileSchema } from '../../templates/runtime/schema/compile-schema.ts';
import { dropReadOnly } from '../../templates/runtime/schema/read-only.ts';
import { repairArguments } from '../../templates/runtime/schema/repair.ts';
import { Run } from '../../templates/runtime/schema/run.ts';
import { parseSequence } from '../../templates/runtime/upstream/stream-answer.ts';
import { defaultUpstreamLimits } from '../../templates/runtime/contract/feature.ts';
import { createRedactor, redactNothing } from '../../templates/runtime/redact.ts';
import '../../templates/runtime/uri-template/index.ts';
import { openServer } from './core/harness.ts';

const NAME = 1_000;
const URI = 8 * 1024;
const long = 'x'.repeat(NAME + 1);
const complete = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };

test.each([
  ['tools/call', { name: long }, 'name', NAME],
  ['prompts/get', { name: long }, 'name', NAME],
  ['tools/list', { cursor: long }, 'cursor', NAME],
  ['logging/setLevel', { level: long }, 'level', NAME],
  ['tasks/get', { taskId: long }, 'taskId', NAME],
  ['completion/complete', { ...complete, ref: { type: 'ref/prompt', name: long } }, 'name', NAME],
  ['completion/complete', { ...complete, argument: { name: long, value: '' } }, 'name', NAME],
  ['completion/complete', { ...complete, argument: { name: 'a', value: long } }, 'value', NAME],
  [
    'completion/complete',
    { ...complete, ref: { type: 'ref/resource', uri: `a:${'x'.repeat(URI)}` } },
    'uri',
    URI,
  ],
  ['resources/read', { uri: `a:${'x'.repeat(URI)}` }, 'uri', URI],
  ['resources/subscribe', { uri: `a:${'x'.repeat(URI)}` }, 'uri', URI],
])('%s is refused before its method reads %j', async (method, params, name, most) => {
  const { ask } = await openServer();
  expect((await ask(method, params)).error).toEqual({
    code: -32602,
    message: `\`${name}\` may have ${most} characters at most.`,
  });
});

test('a URI to listen to is as long as one to read', async () => {
  const { ask } = await openServer({}, '2025-11-25');
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const notifications = { resourceSubscriptions: [`a:${'x'.repeat(URI)}`] };
  expect((await ask('subscriptions/listen', { _meta, notifications })).error).toEqual({
    code: -32602,
    message: 'Each of `notifications.resourceSubscriptions` may have 8192 characters at most.',
  });
});

test('a longer URI matches no template, with the feature and without', () => {
  const uri = (length: number): string => `a:${'x'.repeat(length - 2)}`;
  for (const template of ['a:{id}', 'a:{+id}'])
    expect([URI, URI + 1].map((length) => matchTemplate(template, uri(length)) !== undefined)).toEqual([
      true,
      false,
    ]);
});

test('of 100,000 names, a near one is sought among the first thousands', () => {
  let looked = 0;
  const names = function* (): Generator<string> {
    for (; looked < 100_000; looked++) yield `${looked}`.padStart(60, 'ab');
  };
  suggestNearest('x'.repeat(60), names());
  expect(looked).toBeLessThan(1_000);
  expect(looked).toBeGreaterThan(500);
});

const Filter: JsonSchemaObject = {
  oneOf: ['and', 'or', 'not'].map((op) => ({
    type: 'object',
    properties: { op: { const: op }, args: { type: 'array', items: { $ref: '#/$defs/Filter' } } },
  })),
};

test('a path through a schema that contains itself three times ends, with three candidates', () => {
  const root: ObjectSchema = {
    type: 'object',
    properties: { filter: { $ref: '#/$defs/Filter' } },
    $defs: { Filter },
  };
  const path = `/filter${'/args/0'.repeat(140)}`;
  expect(findArgumentPart(root, `${path}/op`)).toEqual({
    schema: { anyOf: [{ const: 'and' }, { const: 'or' }, { const: 'not' }] },
  });
  expect(findArgumentPart(root, `${path}/no`)).toEqual({ known: ['op', 'args'], at: path, step: 'no' });
});

test('a path through a thousand alternatives that contain each other ends where it is too deep', () => {
  const Kinds = Array.from({ length: 1_000 }, (_, at) => [
    `Kind${at}`,
    { type: 'object', properties: { a: { type: 'array', items: { $ref: '#/$defs/Kind' } } } },
  ]);
  const oneOf = Kinds.map(([name]) => ({ $ref: `#/$defs/${name as string}` }));
  const root = {
    type: 'object',
    properties: { filter: { $ref: '#/$defs/Kind' } },
    $defs: { ...(Object.fromEntries(Kinds) as Record<string, JsonSchema>), Kind: { oneOf } },
  } as ObjectSchema;
  const search = vi.spyOn(Set.prototype, 'add');
  expect(findArgumentPart(root, '/filter/a/0/a')).toMatchObject({ schema: {} });
  const found = findArgumentPart(root, `/filter${'/a/0'.repeat(245)}`);
  const calls = search.mock.calls.length;
  vi.restoreAllMocks();
  expect(found).toEqual({ tooDeep: `/filter${'/a/0'.repeat(5)}` });
  expect(calls).toBeLessThan(100_000);
});

test('alternatives of alternatives, each twice the same, are each read once', () => {
  const levels = Array.from({ length: 60 }, (_, at): [string, JsonSchema] => {
    const next = { $ref: `#/$defs/L${at + 1}` };
    return [`L${at}`, { anyOf: [next, { ...next }], allOf: [{ ...next }, { ...next }] }];
  });
  const $defs = Object.fromEntries([...levels, ['L60', { type: 'object', properties: { a: true } }]]);
  const root: ObjectSchema = {
    type: 'object',
    properties: { x: { $ref: '#/$defs/L0' } },
    $defs,
  } as ObjectSchema;
  expect(findArgumentPart(root, '/x/a')).toEqual({ schema: true });
  expect(printSignature({ name: 'deep', inputSchema: root }, 4_200).length).toBeLessThanOrEqual(4_200);
});

const bytes = (text: string): Uint8Array => Buffer.from(text);

test.each([
  ['', 0],
  ['1', 0],
  ['{}', 0],
  ['[ ]', 0],
  ['[1]', 1],
  ['[[]]', 1],
  ['[{},{ },[]]', 3],
  ['{"a":1,"b":[1,2]}', 4],
  [String.raw`{"a,[{\"":"[,],\\","b":"{"}`, 2],
  ['[[[[1]]]]', 4],
  ['"no end', 0],
  [String.raw`"\ `, 0],
  ['{"a":1}\n{"a":1}', 3],
  ['{}{}{}', 2],
  ['""""""', 2],
  ['{}12 13 null', 3],
  ['12.5e3', 0],
])('%s has %i members', (text, count) => {
  expect(countMembers(bytes(text))).toBe(count);
});

test('bytes are read until there are too many members', () => {
  let looked = 0;
  const watched = new Proxy(bytes('[1,1,1,1,1,1]'), {
    get(target, key) {
      if (key === 'length') return target.length;
      looked += 1;
      return target[Number(key)];
    },
  });
  expect(countMembers(watched, 2)).toBe(3);
  expect(looked).toBeLessThan(8);
});

const wire = (text: string) => ({
  status: 200,
  address: undefined,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(text),
  truncated: false,
});
const list = (count: number): string => `[${Array.from({ length: count }, () => '1').join()}]`;

test('an answer of more than 100,000 members stays text and says so, but for code', () => {
  const read = (count: number, isForCode = false) =>
    parseAnswer(wire(list(count)) as never, 'http://api/', redactNothing, isForCode).body;
  expect(read(100_000)).toMatchObject({ kind: 'json' });
  expect(read(100_001, true)).toMatchObject({ kind: 'json' });
  const body = read(100_001);
  expect(body).toEqual({
    kind: 'text',
    text: list(100_001),
    note: 'The answer has more than 100,000 members, so it is shown as text.',
  });
  const answer = { status: 200, ok: true, headers: {}, url: 'http://api/', body };
  expect(limitAnswer(answer, defaultUpstreamLimits)).toMatchObject({
    truncated: true,
    body: { kind: 'text', note: expect.stringContaining('more than 100,000 members') as string },
  });
});

test.each([
  ['texts that follow each other', '{}'.repeat(100_002), 'application/json', 'utf8'],
  ['strings that follow each other', '""'.repeat(100_002), 'application/json', 'utf8'],
  [
    'a character with the byte of a quote',
    `["\u2200",${list(200_000).slice(1)}`,
    'application/json; charset=utf-16le',
    'utf16le',
  ],
] as const)('%s are too many members, too', (_what, text, type, encoding) => {
  const answer = { ...wire(''), headers: { 'content-type': type }, body: Buffer.from(text, encoding) };
  expect(parseAnswer(answer as never, 'http://api/', redactNothing, false).body).toMatchObject({
    kind: 'text',
    note: expect.stringContaining('more than 100,000 members') as string,
  });
});

test('a sequence is read up to 100,000 members', () => {
  const read = (lines: string[]) => {
    const { part, read } = parseSequence(lines.join('\n'), 'application/jsonl', defaultUpstreamLimits);
    return [read(redactNothing).value, part];
  };
  expect(read(['[1]', list(100_001), '[2]'])).toEqual([
    [[1]],
    'the first item: an answer is read up to 100,000 members',
  ]);
  expect(read([list(100_001)])).toEqual([[], 'nothing: an answer is read up to 100,000 members']);
});

test.each([
  ['alone', (value: Json): Json => [value]],
  ['beside others', (value: Json): Json => [value, 1]],
])('a list that nothing can shorten is not tried twice at each of its levels: %s', (_, wrap) => {
  let reads = 0;
  const innermost: Json[] = [];
  Object.defineProperty(innermost, 0, { enumerable: true, get: () => (reads++, 'x'.repeat(100_000)) });
  let value: Json = innermost;
  for (let level = 0; level < 40; level++) value = wrap(value);
  const answer = {
    status: 200,
    headers: {},
    url: '',
    body: { kind: 'json', value, text: 'x'.repeat(100_000) },
  };
  expect(limitAnswer(answer as never, defaultUpstreamLimits).cut).toBeDefined();
  expect(reads).toBeLessThan(5_000);
});

test('a long list inside fourteen others is cut without reading it whole at each of them', () => {
  let reads = 0;
  const items: Json[] = Array.from({ length: 50_000 }, () => 'x'.repeat(100));
  const watched = new Proxy(items, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  let value: Json = watched;
  for (let depth = 0; depth < 14; depth++) value = { value };
  const answer = {
    status: 200,
    ok: true,
    headers: {},
    url: 'http://api/',
    body: { kind: 'json' as const, value },
  };
  const { cut } = limitAnswer(answer, defaultUpstreamLimits);
  expect(cut).toMatch(/^The answer is too long and was cut. Shown: the first 5\d\d of 50,000 items/);
  // Once for the share of each, once for those that fit; the walk before ends behind some 600, at each level.
  expect(reads).toBeLessThan(4 * items.length);
});

const limitJson = (value: Json, text?: string) =>
  limitAnswer(
    {
      status: 200,
      ok: true,
      headers: {},
      url: 'http://api/',
      body: { kind: 'json', value, ...(text === undefined ? {} : { text }) },
    },
    defaultUpstreamLimits,
  );

test.each<[string, () => Json, string]>([
  [
    'integers that no double holds',
    () => Array.from({ length: 99_000 }, () => 123456789012345678901n) as unknown as Json,
    'the first 2,727 of 99,000 items',
  ],
  [
    'long names',
    () => Object.fromEntries(Array.from({ length: 99_000 }, (_, at) => [`${'ab'.repeat(20)}${at}`, at])),
    'the first 1,196 of 99,000 members',
  ],
])('99,000 %s are cut without a text for each', (_, makeValue, shown) => {
  const value = makeValue();
  const write = vi.spyOn(JSON, 'stringify');
  const { cut } = limitJson(value);
  const calls = write.mock.calls.length;
  vi.restoreAllMocks();
  expect(cut).toBe(`The answer is too long and was cut. Shown: ${shown}.`);
  expect(calls).toBeLessThan(10_000);
});

test('a number of more decimals than a double has is not cut', () => {
  const text = `{"id":0.${'1'.repeat(100_000)}}`;
  const value = JSON.parse(text) as Json;
  const answer = limitJson(value, text);
  expect(answer).toMatchObject({ body: { kind: 'json', value } });
  expect([answer.cut, answer.truncated]).toEqual([undefined, undefined]);
  expect(JSON.stringify(answer).length).toBeLessThan(1_000);
});

test('100,000 unknown names of arguments are listed thrice, and hardly any value is read', async () => {
  const [names, reads] = [vi.fn(Reflect.ownKeys), vi.fn(Reflect.get)];
  const members = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`unknown ${at}`, 1]));
  const args = new Proxy(members, { ownKeys: names, get: reads });
  const inputSchema: ObjectSchema = {
    type: 'object',
    properties: { known: { type: 'string' } },
    additionalProperties: false,
  };
  const { ask } = await openServer({
    catalog: { tools: [{ name: 'touch', inputSchema }] },
    handlers: { tools: { touch: () => 'touched' } },
  });
  const { result } = await ask('tools/call', { name: 'touch', arguments: args });
  expect(JSON.stringify(result)).toContain('`[\\"unknown 19\\"]` is not a known property');
  // To decide, to report, and to see that there are too many to repair.
  expect(names).toHaveBeenCalledTimes(3);
  expect(reads.mock.calls.length).toBeLessThan(200);
});

test('a message of more than 100,000 members is refused before it is parsed, with its id', () => {
  const message = (args: string): string =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"touch","arguments":{"a":${args}}}}`;
  const parse = vi.spyOn(JSON, 'parse');
  const received = receiveMessage(message(list(100_001)));
  const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
  vi.restoreAllMocks();
  expect(received).toEqual({
    kind: 'invalid',
    id: 7,
    reason:
      'The message has more than 100000 members and items, the most that this server takes. Give less at a time.',
  });
  expect(longest).toBeLessThan(10);
  expect(receiveMessage(`[${message(list(50_000))},${message(list(50_000))}]`)).toMatchObject({
    kind: 'invalid',
  });
  expect(receiveMessage(message(list(99_990)))).toMatchObject({ kind: 'request', id: 7 });
});

test('JSON of more than 100,000 members in the place of a list stays a text', () => {
  const schema: ObjectSchema = { type: 'object', properties: { a: { type: 'array' } } };
  const parse = vi.spyOn(JSON, 'parse');
  const args = { a: list(100_001) };
  expect(repairArguments(schema, args)).toBe(args);
  expect(parse).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  expect(repairArguments(schema, { a: list(100_000) })).toMatchObject({ a: { length: 100_000 } });
});

const many = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]));
const Tree: JsonSchemaObject = {
  oneOf: [
    ...[1, 2].map((kind) => ({
      type: 'object' as const,
      properties: { t: { $ref: '#/$defs/Tree' }, k: { const: kind } },
    })),
    { type: 'array', items: { $ref: '#/$defs/Tree' } },
  ],
};

test.each<[string, JsonSchemaObject, Json, string]>([
  [
    'alternatives that contain each other',
    { $ref: '#/$defs/Tree', $defs: { Tree } },
    Array.from({ length: 33_000 }, () => ({ t: { t: {} } })),
    'maxWork',
  ],
  [
    'names that no part of it knows',
    { allOf: [{ properties: { a: true } }, { properties: { b: true } }], unevaluatedProperties: false },
    many(99_000),
    'maxWork',
  ],
  [
    'many alternatives for one object',
    {
      oneOf: Array.from({ length: 40 }, (_, at) => ({
        type: 'object',
        properties: { x0: { const: `kind ${at}` }, next: { $ref: '#' } },
      })),
    },
    many(99_000),
    'maxWork',
  ],
  [
    'names that are looked for in alternatives, by patterns',
    {
      anyOf: ['a', 'b', 'c'].map((name) => ({
        patternProperties: { [`^${name}`]: { $ref: '#/$defs/Tree' } },
        required: [name],
      })),
      $defs: { Tree },
    },
    many(99_000),
    'maxWork',
  ],
])('to check 99,000 members takes 200,000 steps at most, twice: %s', (_, schema, value, keyword) => {
  let steps = 0;
  const enter = vi.spyOn(Run.prototype, 'enterSchema');
  const spend = vi.spyOn(Run.prototype, 'spendSteps');
  const look = vi.spyOn(RegExp.prototype, 'test');
  const [error] = compileSchema(schema)(value);
  for (const [count] of spend.mock.calls) steps += count;
  steps += enter.mock.calls.length;
  const tests = look.mock.calls.length;
  vi.restoreAllMocks();
  expect(error?.keyword).toBe(keyword);
  expect(steps).toBeLessThan(2 * 200_000 + 100);
  expect(tests).toBeLessThan(2 * 200_000 + 100);
});

test('members that only answers have are not looked for among more than there are steps', () => {
  const drop = (count: number): [isSame: boolean, reads: number] => {
    let reads = 0;
    const watched = new Proxy(many(count) as object, {
      get(target, name, receiver) {
        reads += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    return [
      dropReadOnly(watched, { names: ['x1'], patterns: { '^a': null, '^b': null } }) === watched,
      reads,
    ];
  };
  expect(drop(99_000)).toEqual([true, 0]);
  expect(drop(10)[0]).toBe(false);
});

test('a multipart body of more than 10,000 parts is refused before they are written', () => {
  const items = (count: number): PartSource[] =>
    [0, 1].map((at) => ({
      name: `items${at}`,
      argument: 'items',
      value: Array(count).fill(''),
      encoding: undefined,
    }));
  const write = vi.spyOn(Buffer, 'from');
  expect(() => encodeMultipart('multipart/form-data', items(5_001))).toThrow(
    "The request's body would have more than 10000 parts, the most that this server sends. Give less at a time.",
  );
  expect(write).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  expect(encodeMultipart('multipart/form-data', items(5_000)).content.length).toBeGreaterThan(10_000);
});

test('parts inside parts count as parts', () => {
  const inner = { a: Array(5_000).fill('') };
  const source: PartSource = {
    name: 'nested',
    argument: 'nested',
    value: [inner, inner],
    encoding: { contentType: 'multipart/mixed', encoding: {} },
  };
  expect(() => encodeMultipart('multipart/form-data', [source])).toThrow('more than 10000 parts');
});

test.each([
  ['backslashes', '\\'],
  ['quotes', '\\"\\\\'],
  ['percents', '%2561'],
  ['UTF-8', '%c3%a9'],
  ['entities', '&#97;&#x5c;'],
])('escapes in an answer are decoded without a search or a text for each: %s', (_, escape) => {
  const redact = createRedactor(['a secret, of the operator']);
  const text = escape.repeat(20_000);
  const search = vi.spyOn(RegExp.prototype, 'exec');
  const slice = vi.spyOn(String.prototype, 'slice');
  const shown = redact(`${text} a%20secret%2C of \\u0074he operator`);
  const calls = search.mock.calls.length + slice.mock.calls.length;
  vi.restoreAllMocks();
  expect(shown).toBe(`${text} [redacted]`);
  expect(calls).toBeLessThan(1_000);
});
