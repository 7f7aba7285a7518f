// Values without a JSON form of their own, from JSON and back.
import { expect, test } from 'vitest';
import type { Codec } from '../../../templates/runtime/contract/json-schema.ts';
import {
  UndecodableArguments,
  decodeArgument,
} from '../../../templates/runtime/functions/decode-arguments.ts';
import { resultToJson } from '../../../templates/runtime/functions/result-content.ts';
import { readJson, writeJson } from '../../../templates/runtime/contract/json-value.ts';

const day = new Date('2026-01-31T09:00:00.000Z');
const text = day.toISOString();
const date: Codec = { kind: 'date' };
const bytes = new Uint8Array([104, 105, 255]);

const named: Record<string, Codec> = {
  Node: {
    kind: 'object',
    properties: { at: date, next: { kind: 'ref', name: 'Node' } },
  },
};

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
  { name: 'a date and time', codec: date, json: `"${text}"`, value: day },
  {
    name: 'a date and time with an offset',
    codec: date,
    json: '"2026-01-31T10:00:00+01:00"',
    value: day,
    written: `"${text}"`,
  },
  {
    name: 'a day, where a time is meant too',
    codec: date,
    json: '"2026-01-31"',
    value: new Date('2026-01-31T00:00:00Z'),
    written: '"2026-01-31T00:00:00.000Z"',
  },
  {
    name: 'a day',
    codec: { kind: 'date', form: 'date' },
    json: '"2026-01-31"',
    value: new Date('2026-01-31T00:00:00Z'),
  },
  { name: 'bytes', codec: { kind: 'bytes' }, json: '"aGn/"', value: bytes },
  { name: 'no bytes', codec: { kind: 'bytes' }, json: '""', value: new Uint8Array() },
  {
    name: 'bytes of the other alphabet, without padding',
    codec: { kind: 'bytes' },
    json: '"_w"',
    value: new Uint8Array([255]),
    written: '"/w=="',
  },
  {
    name: 'a buffer',
    codec: { kind: 'bytes', as: 'Buffer' },
    json: '"aGn/"',
    value: Buffer.from(bytes),
  },
  {
    name: 'an array buffer',
    codec: { kind: 'bytes', as: 'ArrayBuffer' },
    json: '"aGn/"',
    value: bytes.buffer,
  },
  {
    name: 'a data view',
    codec: { kind: 'bytes', as: 'DataView' },
    json: '"aGn/"',
    value: new DataView(bytes.buffer),
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
  { name: 'a small bigint', codec: { kind: 'bigint' }, json: '-7', value: -7n },
  { name: 'a regular expression', codec: { kind: 'regexp' }, json: '"^a+$"', value: /^a+$/ },
  {
    name: 'one between slashes',
    codec: { kind: 'regexp' },
    json: '"/a/"',
    value: new RegExp('/a/'),
    written: '"\\\\/a\\\\/"',
  },
  { name: 'one with flags', codec: { kind: 'regexp' }, json: '"/a\\\\/b/gi"', value: /a\/b/gi },
  { name: 'null', codec: date, json: 'null', value: null },
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
    json: '{"constructor":"x","toString":1,"__proto__":{"at":2}}',
    value: JSON.parse('{"constructor":"x","toString":1,"__proto__":{"at":2}}'),
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
    name: 'a map of numbers',
    codec: { kind: 'map', form: 'object', key: { kind: 'number-key' } },
    json: '{"1":"a"}',
    value: new Map([[1, 'a']]),
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
    name: 'alternatives by their members',
    codec: {
      kind: 'array',
      items: {
        kind: 'union',
        branches: [
          { types: ['object'], required: ['at'], codec: { kind: 'object', properties: { at: date } } },
          { types: ['object'], required: ['name'] },
          { types: ['integer'], codec: { kind: 'bigint' } },
          { types: ['boolean'] },
        ],
      },
    },
    json: `[{"at":"${text}"},{"name":"x"},5,true]`,
    value: [{ at: day }, { name: 'x' }, 5n, true],
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

test.each(rows)('$name', ({ codec, json, value, written = json }) => {
  const given = readJson(json);
  expect(decodeArgument(given, codec, named)).toStrictEqual(value);
  expect(writeJson(given)).toBe(json);
  expect(writeJson(resultToJson(value, codec, named))).toBe(written);
});

interface Refusal {
  name: string;
  codec: Codec;
  json: unknown;
  path: (string | number)[];
  words: string;
}

const refusals: Refusal[] = [
  { name: 'no date', codec: date, json: 'tomorrow', path: [], words: 'must be a date and time' },
  { name: 'a day that does not exist', codec: date, json: '2026-02-30', path: [], words: 'must be a date' },
  {
    name: 'a time without an offset',
    codec: date,
    json: '2026-01-31T09:00:00',
    path: [],
    words: 'must be a date',
  },
  { name: 'a leap second', codec: date, json: '2016-12-31T23:59:60Z', path: [], words: 'must be a date' },
  {
    name: 'a time, where a day is meant',
    codec: { kind: 'date', form: 'date' },
    json: text,
    path: [],
    words: 'must be a date such as',
  },
  { name: 'no base64', codec: { kind: 'bytes' }, json: 'a b', path: [], words: 'must be bytes as base64' },
  { name: 'cut base64', codec: { kind: 'bytes' }, json: 'abcde', path: [], words: 'must be bytes' },
  { name: 'wrong padding', codec: { kind: 'bytes' }, json: 'abc==', path: [], words: 'must be bytes' },
  { name: 'both alphabets', codec: { kind: 'bytes' }, json: '_+Aa', path: [], words: 'must be bytes' },
  { name: 'no URL', codec: { kind: 'url' }, json: 'nowhere', path: [], words: 'must be a URL' },
  {
    name: 'no regular expression',
    codec: { kind: 'regexp' },
    json: '(',
    path: [],
    words: 'must be a regular',
  },
  { name: 'a fraction', codec: { kind: 'bigint' }, json: 1.5, path: [], words: 'must be an integer' },
  {
    name: 'a large number that is none without a sign',
    codec: { kind: 'numbers', as: 'BigUint64Array' },
    json: [1, -1],
    path: [1],
    words: '`[1]` must be an integer from 0 to 2^64-1',
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
    path: ['token'],
    words: '`token` is not a known property',
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
    path: [],
    words: 'must be a date',
  },
];

test.each(refusals)('refused: $name', ({ codec, json, path, words }) => {
  const thrown = caught(() => decodeArgument(json, codec));
  expect(thrown).toBeInstanceOf(UndecodableArguments);
  expect((thrown as UndecodableArguments).path).toEqual(path);
  expect((thrown as UndecodableArguments).message).toContain(words);
});

test('all that is wrong is told at once, each alternative of a union by itself, and 20 at most', () => {
  const either: Codec = {
    kind: 'union',
    branches: [
      { types: ['string'], codec: { kind: 'date' } },
      { types: ['string'], codec: { kind: 'url' } },
    ],
  };
  const codec: Codec = {
    kind: 'object',
    properties: { a: { kind: 'url' }, b: either, c: either, d: { kind: 'array', items: { kind: 'url' } } },
  };
  const misfits = (json: unknown): unknown =>
    (caught(() => decodeArgument(json, codec)) as UndecodableArguments).misfits;
  expect(misfits({ a: 'x', b: 'x', c: 'https://c.test', d: ['https://d.test', 'x'] })).toEqual([
    expect.stringContaining('`a` must be a URL'),
    expect.stringContaining('`b` must be a date'),
    expect.stringContaining('`d[1]` must be a URL'),
  ]);
  expect(misfits({ d: Array.from({ length: 50 }, () => 'x') })).toHaveLength(20);
});

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

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
  {
    name: 'of two alternatives that fit, the one that has something to write',
    codec: {
      kind: 'union',
      branches: [
        { types: ['object'], required: ['a', 'b'] },
        { types: ['object'], required: ['a'], codec: { kind: 'object', properties: { a: { kind: 'set' } } } },
      ],
    },
    value: { a: new Set([1]), b: 2 },
    json: '{"a":[1],"b":2}',
  },
  { name: 'a text in place of a date, which is one', codec: date, value: text, json: `"${text}"` },
  {
    name: 'an object that has items and members',
    codec: { kind: 'object', properties: { at: date } },
    value: {
      at: day,
      *[Symbol.iterator]() {
        yield 1;
      },
    },
    json: `{"at":"${text}"}`,
  },
  {
    name: 'a list where an object was promised',
    codec: { kind: 'object', properties: {} },
    value: [day],
    json: `["${text}"]`,
  },
];

test.each(results)('written: $name', ({ codec, value, json }) => {
  expect(writeJson(resultToJson(value, codec))).toBe(json);
});

test('a result that contains itself is refused', () => {
  const value: Record<string, unknown> = { at: day };
  value['next'] = value;
  expect(() => resultToJson(value, { kind: 'ref', name: 'Node' }, named)).toThrow(TypeError);
  expect(() => resultToJson(value, { kind: 'any' })).toThrow('contains itself');
});

test('what no JSON is stays out of an object', () => {
  expect(resultToJson({ a: 1, call: () => 1, nothing: undefined }, { kind: 'any' })).toStrictEqual({ a: 1 });
});

test('where the code of an error stands is not told, even where it is a member like others', () => {
  const error = Object.defineProperty(new Error('no'), 'stack', { value: 'a.ts:1', enumerable: true });
  expect(resultToJson(error, { kind: 'any' })).toStrictEqual({ name: 'Error', message: 'no' });
});

test('what a class says its form is may be itself', () => {
  const own = { at: day, toJSON: () => own };
  expect(resultToJson(own, { kind: 'toJSON', as: { kind: 'object', properties: { at: date } } })).toBe(own);
});

test('a result that holds a promise is refused', () => {
  expect(() => resultToJson({ later: Promise.resolve(1) }, { kind: 'any' })).toThrow('not awaited');
});

test('a date that does not exist is refused', () => {
  expect(() => resultToJson(new Date(NaN), date)).toThrow(RangeError);
});

test('what needs no codec is the same value', () => {
  const value = { a: [1] };
  expect(decodeArgument(value, undefined)).toBe(value);
  expect(resultToJson(value, undefined)).toBe(value);
});
