/** Values without a JSON form of their own: from JSON to the function, and from what it returns to JSON. */
import { expect, test } from 'vitest';
import type { Codec } from '../../templates/runtime/features/functions/codec.ts';
import { parseJson, writeJson } from '../../templates/runtime/json-rpc.ts';
import { openProgram, textOf } from './program.ts';

const day = new Date('2026-01-31T09:00:00.000Z');
const text = day.toISOString();
const date: Codec = { kind: 'date' };
const bytes = new Uint8Array([104, 105, 255]);

const codecs: Record<string, Codec> = {
  Node: { kind: 'object', properties: { at: date, next: { kind: 'ref', name: 'Node' } } },
};

/** A tool that returns its argument. */
async function openIdentity(codec: Codec) {
  const received: unknown[] = [];
  const f = (value: unknown): unknown => {
    received.push(value);
    return value;
  };
  const argumentCodec: Codec = { kind: 'object', properties: { x: codec } };
  const result = { as: 'json' as const, wrapped: true, codec };
  const tools = { f: { parameters: ['x'], argumentCodec, result } };
  return { received, ...(await openProgram({ f }, { tools, bindings: bindings(tools) })) };
}

const bindings = (tools: Record<string, object>) => ({
  codecs,
  tools: Object.fromEntries(
    Object.entries(tools).map(([name, more]) => [
      name,
      { do: { kind: 'function', module: 'app/a.ts', export: name, parameters: [], ...more } },
    ]),
  ),
});

/** What the tool answers for a value that its function returns. */
async function answerTo(value: unknown, codec?: Codec) {
  const tools = { f: { result: { as: 'json' as const, wrapped: true, ...(codec && { codec }) } } };
  const { call, reported } = await openProgram({ f: () => value }, { tools, bindings: bindings(tools) });
  return { result: await call('f'), reported };
}

interface Row {
  name: string;
  codec: Codec;
  /** As JSON text, so that integers of any size can be written. */
  json: string;
  value: unknown;
  /** Where a result is written in another way than the argument was. */
  written?: string;
}

const rows: Row[] = [
  {
    name: 'a date and time with an offset',
    codec: date,
    json: '"2026-01-31T10:00:00+01:00"',
    value: day,
    written: `"${text}"`,
  },
  {
    name: 'a day',
    codec: { kind: 'date', form: 'date' },
    json: '"2026-01-31"',
    value: new Date('2026-01-31T00:00:00Z'),
  },
  { name: 'bytes', codec: { kind: 'bytes' }, json: '"aGn/"', value: bytes },
  {
    name: 'bytes of the other alphabet, without padding',
    codec: { kind: 'bytes' },
    json: '"_w"',
    value: new Uint8Array([255]),
    written: '"/w=="',
  },
  {
    name: 'numbers',
    codec: { kind: 'numbers', as: 'Float32Array' },
    json: '[0.5,-2]',
    value: new Float32Array([0.5, -2]),
  },
  {
    name: 'large numbers',
    codec: { kind: 'numbers', as: 'BigInt64Array' },
    json: '[9007199254740993,1]',
    value: new BigInt64Array([9007199254740993n, 1n]),
  },
  { name: 'a bigint', codec: { kind: 'bigint' }, json: '9007199254740993', value: 9007199254740993n },
  { name: 'a regular expression', codec: { kind: 'regexp' }, json: '"^a+$"', value: /^a+$/ },
  { name: 'one with flags', codec: { kind: 'regexp' }, json: '"/a\\\\/b/gi"', value: /a\/b/gi },
  { name: 'a list', codec: { kind: 'array', items: date }, json: `["${text}",null]`, value: [day, null] },
  {
    name: 'a tuple with a rest and an end',
    codec: { kind: 'tuple', items: [null, date], rest: { kind: 'bigint' }, last: [date] },
    json: `["a","${text}",1,2,"${text}"]`,
    value: ['a', day, 1n, 2n, day],
  },
  {
    name: 'members, by name, by pattern and all others',
    codec: {
      kind: 'object',
      properties: { at: date },
      patterns: { '^n\\d$': { kind: 'bigint' } },
      additional: { kind: 'url' },
    },
    json: `{"at":"${text}","n1":1,"home":"https://a.example/"}`,
    value: { at: day, n1: 1n, home: new URL('https://a.example/') },
  },
  {
    name: 'members that any object inherits',
    codec: { kind: 'object', properties: { at: date } },
    json: '{"constructor":"x","toString":1,"__proto__":2}',
    value: JSON.parse('{"constructor":"x","toString":1,"__proto__":2}'),
  },
  {
    name: 'a map of texts',
    codec: { kind: 'map', form: 'object', value: date },
    json: `{"a":"${text}","__proto__":"${text}"}`,
    value: new Map([
      ['a', day],
      ['__proto__', day],
    ]),
  },
  {
    name: 'a map of anything',
    codec: { kind: 'map', form: 'entries', key: date, value: { kind: 'bigint' } },
    json: `[["${text}",1]]`,
    value: new Map([[day, 1n]]),
  },
  {
    name: 'a set',
    codec: { kind: 'set', items: { kind: 'bigint' } },
    json: '[1,2]',
    value: new Set([1n, 2n]),
  },
  {
    name: 'a type that contains itself',
    codec: { kind: 'ref', name: 'Node' },
    json: `{"at":"${text}","next":{"at":"${text}","next":null}}`,
    value: { at: day, next: { at: day, next: null } },
  },
  {
    name: 'alternatives with a tag',
    codec: {
      kind: 'array',
      items: {
        kind: 'union',
        branches: [
          {
            types: ['object'],
            tag: { name: 'kind', values: ['day'] },
            codec: { kind: 'object', properties: { v: date } },
          },
          { types: ['object'], tag: { name: 'kind', values: ['text'] } },
        ],
      },
    },
    json: `[{"kind":"day","v":"${text}"},{"kind":"text","v":"${text}"}]`,
    value: [
      { kind: 'day', v: day },
      { kind: 'text', v: text },
    ],
  },
  {
    name: 'two kinds of text: the first whose text it is',
    codec: {
      kind: 'array',
      items: {
        kind: 'union',
        branches: [
          { types: ['string'], codec: date },
          { types: ['string'], codec: { kind: 'url' } },
        ],
      },
    },
    json: `["${text}","https://a.example/"]`,
    value: [day, new URL('https://a.example/')],
  },
];

test.each(rows)('$name', async ({ codec, json, value, written = json }) => {
  const { call, received } = await openIdentity(codec);
  const { structuredContent } = await call('f', { x: parseJson(json) });
  expect(received).toStrictEqual([value]);
  expect(writeJson(structuredContent)).toBe(`{"result":${written}}`);
});

interface Refusal {
  name: string;
  codec: Codec;
  json: unknown;
  words: string;
}

const refusals: Refusal[] = [
  { name: 'a day that does not exist', codec: date, json: '2026-02-30', words: 'must be a date' },
  {
    name: 'a time, where a day is meant',
    codec: { kind: 'date', form: 'date' },
    json: text,
    words: 'must be a date such as',
  },
  { name: 'no base64', codec: { kind: 'bytes' }, json: 'a b', words: 'must be bytes as base64' },
  { name: 'both alphabets', codec: { kind: 'bytes' }, json: '_+Aa', words: 'must be bytes' },
  { name: 'no URL', codec: { kind: 'url' }, json: 'nowhere', words: 'must be a URL' },
  {
    name: 'a large number that is none without a sign',
    codec: { kind: 'numbers', as: 'BigUint64Array' },
    json: [1, -1],
    words: '`x[1]` must be a number that BigUint64Array can hold',
  },
  {
    name: 'a member that another alternative keeps inside',
    codec: {
      kind: 'union',
      branches: [
        { types: ['object'], required: ['a'], codec: { kind: 'object', without: ['token'] } },
        { types: ['object'], without: ['token'] },
      ],
    },
    json: { token: 1 },
    words: '`x.token` is not a known property',
  },
  {
    name: 'neither of two kinds of text',
    codec: {
      kind: 'union',
      branches: [
        { types: ['string'], codec: date },
        { types: ['string'], codec: { kind: 'url' } },
      ],
    },
    json: 'x',
    words: 'must be a date',
  },
];

test.each(refusals)('refused: $name', async ({ codec, json, words }) => {
  const { call, received, reported } = await openIdentity(codec);
  const result = await call('f', { x: json });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(words);
  expect([received, reported]).toEqual([[], []]);
});

test('all faults are told at once, those of the first alternative of a union, and 20 at most', async () => {
  const either: Codec = {
    kind: 'union',
    branches: [
      { types: ['string'], codec: date },
      { types: ['string'], codec: { kind: 'url' } },
    ],
  };
  const properties: Record<string, Codec> = {
    a: { kind: 'url' },
    b: either,
    c: either,
    d: { kind: 'array', items: { kind: 'url' } },
  };
  const { call } = await openIdentity({ kind: 'object', properties });
  const faults = async (x: object) =>
    textOf(await call('f', { x }))
      .split('\n')
      .slice(1);
  expect(await faults({ a: 'x', b: 'x', c: 'https://c.test', d: ['https://d.test', 'x'] })).toEqual([
    expect.stringContaining('`x.a` must be a URL'),
    expect.stringContaining('`x.b` must be a date'),
    expect.stringContaining('`x.d[1]` must be a URL'),
  ]);
  expect(await faults({ d: Array.from({ length: 50 }, () => 'x') })).toHaveLength(20);
});

test('alternatives inside one another are decoded once, however deep an argument is', async () => {
  const branch = (codec: Codec) => ({ types: ['object'], codec });
  const node: Codec = { kind: 'object', properties: { at: date, next: { kind: 'ref', name: 'Either' } } };
  codecs['Either'] = { kind: 'union', branches: [branch(node), branch({ ...node }), branch({ ...node })] };
  let x: object = { at: 'never' };
  for (let depth = 0; depth < 100; depth++) x = { at: text, next: x };
  const { call } = await openIdentity({ kind: 'ref', name: 'Either' });
  expect((await call('f', { x })).isError).toBe(true);
});

test('of alternatives that take an argument, the one that names most of its members reads it', async () => {
  const schemas = {
    One: { type: 'object', properties: { a: {} } },
    Two: { type: 'object', properties: { a: {}, b: {} } },
  };
  const branches = ['One', 'Two'].map((name) => ({
    types: ['object'],
    accepts: { $ref: `#/$defs/${name}` },
    codec: { kind: 'object' as const, properties: name === 'Two' ? { b: date } : { a: date } },
  }));
  const { call, received } = await openIdentity({ kind: 'union', branches, schemas });
  await call('f', { x: { a: text, b: text } });
  expect(received).toEqual([{ a: text, b: day }]);
});

test.each([
  '{"x":1,"y":{"__proto__":{"z":1}}}',
  '{"x":{"constructor":{"prototype":{}}}}',
  '{"__proto__":{}}',
])('an object that would change a prototype is refused: %s', async (json) => {
  const { call, received } = await openIdentity({ kind: 'any' });
  const result = await call('f', JSON.parse(json) as object);
  expect(textOf(result)).toMatch(/must have no member `(?:__proto__|constructor\.prototype)`/);
  expect(received).toEqual([]);
});

class Account {
  readonly id = 7;
  private readonly secret = 'x';
  get label(): string {
    return `${this.id}${this.secret.length}`;
  }
}

interface Written {
  name: string;
  codec: Codec;
  value: unknown;
  json: string;
}

const results: Written[] = [
  {
    name: 'the members that a class shows',
    codec: { kind: 'object', only: ['id', 'label'] },
    value: new Account(),
    json: '{"id":7,"label":"71"}',
  },
  {
    name: 'members that stay inside',
    codec: { kind: 'object', without: ['token'] },
    value: { id: 1, token: 'x', nothing: undefined, call: () => 1 },
    json: '{"id":1}',
  },
  {
    name: 'a class that says its own form',
    codec: { kind: 'toJSON', as: date },
    value: { toJSON: () => day },
    json: `"${text}"`,
  },
  {
    name: 'anything, by its class',
    codec: { kind: 'any' },
    value: {
      at: day,
      bytes,
      map: new Map([['a', new Set([1n])]]),
      pairs: new Map([[1, day]]),
      list: [/a/, new URL('https://a.example/')],
      numbers: new Uint16Array([1]),
      own: { toJSON: () => new Map([['x', bytes]]) },
    },
    json: `{"at":"${text}","bytes":"aGn/","map":{"a":[1]},"pairs":[[1,"${text}"]],"list":["a","https://a.example/"],"numbers":[1],"own":{"x":"aGn/"}}`,
  },
  {
    name: 'alternatives by class',
    codec: {
      kind: 'array',
      items: {
        kind: 'union',
        branches: [
          { types: ['object'], required: ['a'], codec: { kind: 'object', properties: { a: date } } },
          { types: ['object'], required: [] },
          { types: ['string'], codec: date },
          { types: ['array'], codec: { kind: 'set' } },
          { types: ['object'], codec: { kind: 'map', form: 'object' } },
        ],
      },
    },
    value: [day, { a: day }, new Set([1]), new Map([['x', 1]]), { b: 1 }, 'text'],
    json: `["${text}",{"a":"${text}"},[1],{"x":1},{"b":1},"text"]`,
  },
  { name: 'a text in place of a date, which is one', codec: date, value: text, json: `"${text}"` },
  {
    name: 'a member that one of two alternatives hides',
    codec: {
      kind: 'union',
      branches: [
        { types: ['object'], codec: { kind: 'object', without: ['token'] } },
        { types: ['object'], codec: { kind: 'object', properties: { at: date } } },
      ],
    },
    value: { a: 1, token: 'x' },
    json: '{"a":1}',
  },
  {
    name: 'an error without its stack',
    codec: { kind: 'any' },
    value: Object.defineProperty(new Error('no'), 'stack', { value: 'a.ts:1', enumerable: true }),
    json: '{"name":"Error","message":"no"}',
  },
];

test.each(results)('written: $name', async ({ codec, value, json }) => {
  const { result, reported } = await answerTo(value, codec);
  expect(reported).toEqual([]);
  expect(writeJson(result.structuredContent)).toBe(`{"result":${json}}`);
});

const circular: Record<string, unknown> = { at: day };
circular['next'] = circular;

test.each<{ value: unknown; codec?: Codec; words: string }>([
  { value: circular, codec: { kind: 'ref', name: 'Node' }, words: 'contains itself' },
  { value: { later: Promise.resolve(1) }, codec: { kind: 'any' }, words: 'not awaited' },
  {
    value: new Map([['a', new Date(NaN)]]),
    codec: { kind: 'map', form: 'object', value: date },
    words: '`result.a` is a date that does not exist.',
  },
  {
    value: { days: [{ at: 'soon' }] },
    codec: {
      kind: 'object',
      properties: { days: { kind: 'array', items: { kind: 'object', properties: { at: date } } } },
    },
    words: '`result.days[0].at` must be a date and time such as 2026-01-31T09:00:00Z but is "soon".',
  },
  { value: -Infinity, words: "`result` is -Infinity, which JSON can't say." },
])(
  'a result that JSON can not say fails the call, and the log says where: $words',
  async ({ value, codec, words }) => {
    const { result, reported } = await answerTo(value, codec);
    expect(textOf(result)).toBe('f failed. The log of the server says why.');
    expect(result.isError).toBe(true);
    expect(reported).toEqual([expect.stringContaining(words)]);
  },
);
