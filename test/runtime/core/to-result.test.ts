// A handler's value becomes structured content as JSON says it, whether it has to be read back or not.
import { expect, test } from 'vitest';
import { toResult } from '../../../templates/runtime/core/handler-result.ts';

test.each<[string, unknown]>([
  ['plain values', { a: 1, b: 'x', c: true, d: null, e: [1, { f: [] }] }],
  ['an object without prototype', Object.assign(Object.create(null), { a: 1 })],
  ['a date', { at: new Date(0) }],
  ['a member that is undefined', { a: undefined, b: 1 }],
  ['an item that is undefined', [1, undefined, 2]],
  ['a hole', [1, , 2]],
  ['what is no number in JSON', { a: NaN, b: [Infinity] }],
  ['a function', { a: () => 1, b: [() => 1] }],
  ['its own toJSON', { a: { toJSON: () => 'x' } }],
  ['an inherited toJSON', Object.create({ toJSON: () => ({ y: 1 }) })],
  ['a map', { a: new Map([[1, 2]]) }],
  ['boxed values', { a: Object('x'), b: Object(1) }],
  [
    'a class',
    new (class Sum {
      sum = 3;
      #hidden = 4;
      get hidden() {
        return this.#hidden;
      }
    })(),
  ],
  ['symbols', { [Symbol('x')]: 1, a: Symbol('y') }],
])('%s', (_, returned) => {
  const text = JSON.stringify(returned);
  const { structuredContent, content } = toResult(returned, true);
  expect(JSON.stringify(structuredContent)).toBe(text);
  expect(structuredContent).toStrictEqual(JSON.parse(text));
  expect(content).toEqual([{ type: 'text', text }]);
});
