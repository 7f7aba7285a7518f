// The quick reader of YAML events against the library's: the same value, or none.
import fc from 'fast-check';
import { CORE_SCHEMA, constructFromEvents, dump, mergeTag, parseEvents } from 'js-yaml';
import { expect, test } from 'vitest';
import { constructPlain } from '../../../src/frontends/openapi/load/plain-yaml.ts';

const schema = CORE_SCHEMA.withTags(mergeTag);
const theLibrarys = (text: string): unknown =>
  constructFromEvents(parseEvents(text, {}), { source: text, schema })[0];
const ours = (text: string): { value: unknown } | undefined => constructPlain(parseEvents(text, {}), text);

test.each([
  'a: 2024-01-01\nb: on\nc: 0o17\nd: 0x1F\ne: 012\nf: .5\ng: -.inf\nh: .NaN\ni: +1e3\nj: 1_000\nk: 0b1',
  'a: ~\nb: NULL\nc: null\nd:\ne: ""\nf: nullable\ng: True\nh: FALSE\ni: falsey',
  '200: ok\n1.50: float\ntrue: bool\n~: none\n"200x": text\n0x10: hex',
  "- 'it''s'\n- \"a\\nb\"\n- |\n  kept\n   as is\n- >-\n  folded\n  text\n- plain\n  over lines\n- '1'",
  '{a: [1, {b: c}], d: {}, e: [], ? f : g}',
  '# nothing but a comment\nplain',
  'constructor: 1\ntoString: 2\nhasOwnProperty: 3',
])('the same value of %j', (text) => {
  expect(ours(text)).toStrictEqual({ value: theLibrarys(text) });
});

test.each([
  'a: &x 1\nb: *x',
  'a: !!str 1',
  '&m a: b',
  'a: &m {b: 1}',
  'a: !!map {b: 1}',
  '- &s [1]',
  'base: {a: 1}\n<<: {b: 2}',
  'a: 1\na: 2',
  '200: 1\n"200": 2',
  '? [a, b]\n: c',
  '? {a: b}\n: c',
  '__proto__: {a: 1}',
])('no value of %j', (text) => {
  expect(ours(text)).toBeUndefined();
});

test('the same value of whatever is dumped', () => {
  const anything = fc.jsonValue({ maxDepth: 5 });
  fc.assert(
    fc.property(anything, fc.nat(8), (value, flowLevel) => {
      const text = dump(value, { flowLevel, noRefs: true });
      const read = ours(text);
      if (read !== undefined) expect(read).toStrictEqual({ value: theLibrarys(text) });
      else expect(text).toMatch(/<<|__proto__/);
    }),
  );
});
