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
  /** What the value is called in messages: a parameter's name. Default: "The value". */
  subject?: string;
  /** The type as it is written. What is written says more than the type does: docs of `type Id = string`, the order of a union. */
  node?: ts.TypeNode | undefined;
  /** What is said of the value itself: `readDocs` of the parameter. Default nothing. */
  docs?: Docs;
  /** What is said of parts of the value beside their own docs, by the way there. Default nothing. */
  said?: Said;
  /** The type's own schema, where it would be a reference to a named type: for the arguments object. Default false. */
  inline?: boolean;
  /** It is left out, with a warning, where it has no JSON form. Default false. */
  mayBeAbsent?: boolean;
  /** The value is a list of it. Default false. */
  list?: boolean;
  /** Of `inline`: members that are given in another way, and are not described. Default none. */
  injected?: ReadonlySet<string>;
  /** It is a library's type, wherever `at` is: what it leaves open is accepted. Default: `at` says. */
  isLibrary?: boolean;
}

export interface ReadType {
  /** JSON Schema 2020-12; references are `#/$defs/<name>`, members of `schemas`. */
  schema: JsonSchemaObject;
  /** Absent where the value is its JSON. */
  codec?: Codec;
  /** `undefined` is one of the values; a function without a result has nothing but it (`type: null`). */
  optional: boolean;
  /** It has no JSON form, and need not be there. */
  isLeftOut?: true;
}
