// Types of generic functions: what stands for their parameters is part of other types.
import { dateTime, number, object, string, type TypeRow } from './row.ts';

const user = 'interface User { id: number; name: string; born: Date } ';
const born = new Date('2026-01-31T09:00:00.000Z');
const text = born.toISOString();
const someOfUser = object({ 'id?': number, 'name?': string, 'born?': dateTime });

/** An open type is met where a class declares it. */
const open = (parameters: string, given: string, before = user): string =>
  `${before}export class T<${parameters}> { v!: ${given} }`;

export const openTypes: TypeRow[] = [
  {
    name: 'a record of keys that are a default',
    given: open("K extends 'a' | 'b' = 'a'", '{ m: Record<K, number>; n: Record<K, Date> }'),
    want: object({ v: object({ m: object({ a: number }), n: object({ a: dateTime }) }) }),
    accepts: [{ v: { m: { a: 1 }, n: { a: text } } }],
    rejects: [{ v: { m: {}, n: { a: text } } }],
    values: [[{ v: { m: { a: 1 }, n: { a: text } } }, { v: { m: { a: 1 }, n: { a: born } } }]],
  },
  {
    name: 'an intersection with a parameter',
    given: open('V extends User', '{ a: V & { seen: Date }; b: Omit<V, "born">; c: Partial<V> }'),
    want: object({
      v: object({
        a: object({ id: number, name: string, born: dateTime, seen: dateTime }),
        b: object({ id: number, name: string }),
        c: someOfUser,
      }),
    }),
    accepts: [{ v: { a: { id: 1, name: 'a', born: text, seen: text }, b: { id: 1, name: 'a' }, c: {} } }],
    rejects: [{ v: { a: { id: 1, name: 'a', born: text }, b: { id: 1, name: 'a' }, c: {} } }],
  },
  {
    name: 'a map of keys',
    given: open("K extends 'a' | 'b'", 'Map<K, Date>'),
    want: object({
      v: { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: dateTime },
    }),
    accepts: [{ v: { a: text } }],
    rejects: [{ v: { c: text } }, { v: [['a', text]] }],
    values: [[{ v: { a: text } }, { v: new Map([['a', born]]) }]],
  },
  {
    name: 'a template of a parameter',
    given: open("K extends 'a' | 'b'", '`on${Capitalize<K>}`'),
    want: object({ v: { type: 'string', enum: ['onA', 'onB'] } }),
    accepts: [{ v: 'onA' }],
    rejects: [{ v: 'ona' }],
  },
];
