import type { ts } from 'ts-morph';
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import type { JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import type { Docs } from '../docs/read-docs.ts';
import type { Said } from '../docs/said-docs.ts';
import type { Direction } from './form.ts';

/** How one type is to be read. */
export interface TypeUse {
  /** Where its problems are reported: the parameter, or the function for a result. */
  at: ts.Node;
  /** Arguments are revived from JSON, results become JSON. */
  direction: Direction;
  /** The name of the value in messages. Default: "The value". */
  subject?: string;
  /** The type as it is written. What is written says more than the type does: docs of `type Id = string`, the order of a union. */
  node?: ts.TypeNode | undefined;
  /** The docs of the value itself (`readDocs` of the parameter). Default: none. */
  docs?: Docs;
  /** Docs for parts of the value that come from `@param` tags. Default: none. */
  said?: Said;
  /** The type's own schema, where it would be a reference to a named type: for the arguments object. Default false. */
  inline?: boolean;
  /** A type without JSON form is left out with a warning. Default false. */
  mayBeAbsent?: boolean;
  /** The value is a list of it. Default false. */
  list?: boolean;
  /** Members of an inlined type that the server fills in; they are not described. Default: none. */
  injected?: ReadonlySet<string>;
  /** The type belongs to a library, so open types in it are accepted. Default: decided by `at`. */
  isLibrary?: boolean;
}

export interface ReadType {
  /** JSON Schema 2020-12; references are `#/$defs/<name>`, members of `schemas`. */
  schema: JsonSchemaObject;
  /** Absent where the value is its JSON. */
  codec?: Codec;
  /** `undefined` is one of the values; a function without a result has nothing but it (`type: null`). */
  optional: boolean;
  /** The type has no JSON form, and the value is optional. */
  isLeftOut?: true;
}
