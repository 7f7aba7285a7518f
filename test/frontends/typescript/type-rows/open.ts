// Types of generic functions: what stands for their parameters is part of other types.
import type { JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { dateTime, list, number, object, string, to, type TypeRow } from './row.ts';

const user = 'interface User { id: number; name: string; born: Date } ';
const born = new Date('2026-01-31T09:00:00.000Z');
const text = born.toISOString();
const events = { type: 'string', enum: ['arrived', 'missed'] } satisfies JsonSchemaObject;
const someOfUser = object({ 'id?': number, 'name?': string, 'born?': dateTime });

/** An open type is met where a class declares it. */
const open = (parameters: string, given: string, before = user): string =>
  `${before}export class T<${parameters}> { v!: ${given} }`;

export const openTypes: TypeRow[] = [
  {
    name: 'keys of a type',
    given: open('K extends keyof User', 'Pick<User, K>'),
    want: object({ v: someOfUser }),
    accepts: [{ v: { id: 1 } }, { v: {} }],
    rejects: [{ v: { id: 'x' } }],
    values: [[{ v: { born: text } }, { v: { born } }]],
  },
  {
    name: 'a result of some keys of a type',
    given: open('K extends keyof User', 'Pick<User, K>'),
    direction: 'output',
    want: object({ v: someOfUser }),
    accepts: [{ v: {} }, { v: { name: 'a' } }],
    rejects: [{ v: { name: 1 } }],
    values: [[{ v: { born: text } }, { v: { born } }]],
  },
  {
    name: 'a type without some of its keys',
    given: open("K extends 'name' | 'born'", 'Omit<User, K>'),
    want: object({ v: object({ id: number, 'name?': string, 'born?': dateTime }) }),
    accepts: [{ v: { id: 1 } }, { v: { id: 1, born: text } }],
    rejects: [{ v: {} }, { v: { id: 1, name: 1 } }],
    values: [[{ v: { id: 1, born: text } }, { v: { id: 1, born } }]],
  },
  {
    name: 'a type without any of its keys',
    given: open('K extends keyof User', 'Omit<User, K>'),
    direction: 'output',
    want: object({ v: someOfUser }),
    accepts: [{ v: {} }, { v: { born: text } }],
    rejects: [{ v: { id: 'x' } }],
    values: [[{ v: { born: text } }, { v: { born } }]],
  },
  {
    name: 'a record of keys that are a default',
    given: open("K extends 'a' | 'b' = 'a'", '{ m: Record<K, number>; n: Record<K, Date> }'),
    want: object({ v: object({ m: object({ a: number }), n: object({ a: dateTime }) }) }),
    accepts: [{ v: { m: { a: 1 }, n: { a: text } } }],
    rejects: [{ v: { m: {}, n: { a: text } } }],
    values: [[{ v: { m: { a: 1 }, n: { a: text } } }, { v: { m: { a: 1 }, n: { a: born } } }]],
  },
  {
    name: 'a record of some keys',
    given: open("K extends 'a' | 'b'", '{ m: Record<K, Date>; n: Partial<Record<K, number>> }'),
    want: object({
      v: object({ m: object({ 'a?': dateTime, 'b?': dateTime }), n: object({ 'a?': number, 'b?': number }) }),
    }),
    accepts: [{ v: { m: { b: text }, n: {} } }],
    rejects: [{ v: { m: { b: 'x' }, n: {} } }, { v: { m: {}, n: { a: 'x' } } }],
    values: [[{ v: { m: { b: text }, n: {} } }, { v: { m: { b: born }, n: {} } }]],
  },
  {
    name: 'a record whose keys are values of a member',
    given: open("K extends 'id' | 'name'", 'Record<User[K], User[]>'),
    want: object({
      v: {
        type: 'object',
        additionalProperties: list(to('User')),
        patternProperties: { '^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:e[+-]?\\d+)?$': list(to('User')) },
      },
    }),
    defs: { User: object({ id: number, name: string, born: dateTime }) },
    accepts: [{ v: { x: [], 1: [{ id: 1, name: 'a', born: text }] } }],
    rejects: [{ v: { x: [{}] } }],
    values: [[{ v: { x: [{ id: 1, name: 'a', born: text }] } }, { v: { x: [{ id: 1, name: 'a', born }] } }]],
  },
  {
    name: 'an alias of a mapped type has its name',
    given: open(
      "K extends 'height' | 'width'",
      'Order<K>',
      "type Order<K extends string> = { [P in K]?: 'asc' | 'desc' }; ",
    ),
    want: object({ v: to('Order_height_or_width') }),
    defs: {
      Order_height_or_width: object({
        'height?': { type: 'string', enum: ['asc', 'desc'] },
        'width?': { type: 'string', enum: ['asc', 'desc'] },
      }),
    },
    accepts: [{ v: { height: 'asc' } }, { v: {} }],
    rejects: [{ v: { height: 'up' } }],
  },
  {
    name: 'a mapped type that keeps each member its type',
    given: open('K extends keyof User', '{ [P in K]: { was: User[P] } }'),
    want: object({
      v: object({
        'id?': object({ was: number }),
        'name?': object({ was: string }),
        'born?': object({ was: dateTime }),
      }),
    }),
    accepts: [{ v: { id: { was: 1 } } }],
    rejects: [{ v: { id: { was: 'x' } } }],
    values: [[{ v: { born: { was: text } } }, { v: { born: { was: born } } }]],
  },
  {
    name: 'an intersection with an indexed access',
    given: open(
      'E extends keyof Events',
      '{ type: E } & Events[E]',
      'interface Events { arrived: { at: Date }; missed: { why: string } } ',
    ),
    want: object({
      v: {
        anyOf: [object({ type: events, at: dateTime }), object({ type: events, why: string })],
      },
    }),
    accepts: [{ v: { type: 'arrived', at: text } }, { v: { type: 'missed', why: 'x' } }],
    rejects: [{ v: { type: 'arrived' } }, { v: { why: 'x' } }],
    values: [[{ v: { type: 'arrived', at: text } }, { v: { type: 'arrived', at: born } }]],
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
  {
    name: 'a parameter whose constraint refers to another',
    given: open('V extends User, K extends keyof V', '{ m: Pick<V, K>; n: Record<K, number> }'),
    want: object({
      v: object({ m: someOfUser, n: object({ 'id?': number, 'name?': number, 'born?': number }) }),
    }),
    accepts: [{ v: { m: {}, n: { id: 1 } } }],
    rejects: [{ v: { m: { id: 'x' }, n: {} } }],
  },
];
