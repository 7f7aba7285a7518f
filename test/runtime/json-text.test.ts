// JSON as messages and answers have it: integers of any size keep their digits.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBytes, parseJson, writeJson } from '../../templates/runtime/json-rpc.ts';

const BIG = 9007199254740993n;

test.each<[text: string, want: unknown]>([
  ['9007199254740993', BIG],
  [' -9007199254740993\n', -BIG],
  ['[9007199254740993]', [BIG]],
  ['{"a":{"b":[1,{"c": 9007199254740993}]}}', { a: { b: [1, { c: BIG }] } }],
  ['[9007199254740991,9007199254740992]', [9007199254740991, 9007199254740992n]],
  [
    '["9007199254740993","\\\\",9007199254740993,"\\"9007199254740993"]',
    ['9007199254740993', '\\', BIG, '"9007199254740993'],
  ],
  ['["a:9007199254740993"]', ['a:9007199254740993']],
  // what is not written as an integer is a double
  [
    '[9007199254740993.0, 9007199254740993e0, 0.1234567890123456789]',
    [9007199254740992, 9007199254740992, 0.12345678901234568],
  ],
  // More digits would take seconds, and no API has them.
  [`[${'9'.repeat(400)}]`, [BigInt('9'.repeat(400))]],
  [`[${'9'.repeat(401)}]`, [Infinity]],
])('%s is read', (text, want) => {
  expect(parseJson(text)).toEqual(want);
});

test('a member of any name', () => {
  const value = parseJson('{"__proto__":9007199254740993,"9007199254740993":9007199254740993}');
  expect(Object.entries(value as object)).toEqual([
    ['__proto__', BIG],
    ['9007199254740993', BIG],
  ]);
});

test.each(['{9007199254740993:1}', '[9007199254740993', '[09007199254740993]', '["\n",9007199254740993]'])(
  '%j is no JSON',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);

test('a message with more integers than are read in one turn is refused', () => {
  const listOf = (count: number) => Buffer.from(`[${Array(count).fill(BIG).join()}]`);
  expect(parseBytes(listOf(20_000))).toHaveLength(20_000);
  expect(() => parseBytes(listOf(20_001))).toThrow('JSON of more than 20,000 integers of 16 digits');
});

test('integers of any size are read as they were written', () => {
  const member = fc.oneof(fc.bigInt({ min: -(10n ** 300n), max: 10n ** 300n }), fc.string(), fc.double());
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.array(member)), (value) => {
      const text = writeJson(value);
      expect(writeJson(parseJson(text))).toBe(text);
    }),
  );
});

test.each<[value: unknown, want: string]>([
  [{ a: BIG, b: [-BIG, 'x'], c: undefined }, '{"a":9007199254740993,"b":[-9007199254740993,"x"]}'],
  [{ at: new Date(0), n: 5n }, '{"at":"1970-01-01T00:00:00.000Z","n":5}'],
])('%o is written', (value, want) => {
  expect(writeJson(value)).toBe(want);
});

test('a cycle is refused, beside a big integer too', () => {
  const cycle: Record<string, unknown> = { a: BIG };
  cycle['b'] = cycle;
  expect(() => writeJson(cycle)).toThrow(/circular/);
});
