import type { ts } from 'ts-morph';
import type { Codec } from '../../../../src/model/codec.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../../src/util/json-schema.ts';

/** A type, the schema it becomes, and values that show that the schema means what the type says. */
export interface TypeRow {
  name: string;
  /** The file; what it exports as `T` is read. */
  given: string;
  /** Default `a.ts`; `a.js` for JSDoc types. */
  file?: 'a.js';
  want: JsonSchemaObject;
  /** The members of `$defs`. Default none. */
  defs?: Record<string, JsonSchema>;
  /** `undefined` is one of the values. Default false. */
  optional?: boolean;
  /** Default `input`. */
  direction?: 'output';
  accepts: unknown[];
  rejects: unknown[];
  /** Its codec is there, and turns JSON into values and back. */
  values?: [json: unknown, value: unknown][];
  /** The codec itself, where that says more. */
  codec?: Codec;
  options?: ts.CompilerOptions;
}

export const string = { type: 'string' } as const;
export const number = { type: 'number' } as const;
export const boolean = { type: 'boolean' } as const;
export const dateTime = { type: 'string', format: 'date-time' } as const;
export const to = (name: string): JsonSchemaObject => ({ $ref: `#/$defs/${name}` });

/** An object; a name that ends in `?` is optional. */
export function object(members: Record<string, JsonSchemaObject>): JsonSchemaObject {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith('?'));
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
  );
  return {
    type: 'object',
    ...(names.length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

export const list = (items: JsonSchemaObject): JsonSchemaObject => ({ type: 'array', items });

/** An element of a tuple with a label. */
export const titled = (title: string, schema: JsonSchemaObject = string): JsonSchemaObject => ({
  ...schema,
  title,
});
