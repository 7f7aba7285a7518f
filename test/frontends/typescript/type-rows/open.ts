// Types of generic functions: what stands for their parameters is part of other types.
import { dateTime, object, type TypeRow } from './row.ts';

const born = new Date('2026-01-31T09:00:00.000Z');
const text = born.toISOString();

export const openTypes: TypeRow[] = [
  {
    name: 'a map of keys',
    given: "export class T<K extends 'left' | 'right'> { v!: Map<K, Date> }",
    want: object({
      v: { type: 'object', propertyNames: { enum: ['left', 'right'] }, additionalProperties: dateTime },
    }),
    accepts: [{ v: { left: text } }],
    rejects: [{ v: { other: text } }, { v: [['left', text]] }],
    values: [[{ v: { left: text } }, { v: new Map([['left', born]]) }]],
  },
];
