import type { ts } from 'ts-morph';
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import type { JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import type { Docs } from '../docs/read-docs.ts';
import type { Said } from '../docs/said-docs.ts';
import type { Direction } from './form.ts';

/** How to read one type. */
export interface TypeUse {
  /** Where to report problems: the parameter, or the function for a result. */
  at: ts.Node;
  direction: Direction;
  /** The name of the value in messages. Default: "The value". */
  subject?: string;
  /** The written type, which has more information: docs of `type Id = string`, the order of a union. */
  node?: ts.TypeNode | undefined;
  /** The docs of the value itself (`readDocs` of the parameter). Default: none. */
  docs?: Docs;
  /** Docs for parts of the value from `@param` tags. Default: none. */
  said?: Said;
  /** Inlines the schema of a named type, for the arguments object. Default false. */
  inline?: boolean;
  /** Leaves out a type without JSON form, with a warning. Default false. */
  mayBeAbsent?: boolean;
  /** The value is a list of the type. Default false. */
  list?: boolean;
  /** Members of an inlined type that the server fills in; they are not described. Default: none. */
  injected?: ReadonlySet<string>;
  /** The type belongs to a library, so open types in it are accepted. Default: decided by `at`. */
  isLibrary?: boolean;
}

export interface ReadType {
  /** JSON Schema 2020-12; references are `#/$defs/<name>`, members of `schemas`. */
  schema: JsonSchemaObject;
  /** Absent if the value is its JSON. */
  codec?: Codec;
  /** The value may be undefined. A function without a result has nothing else (`type: null`). */
  optional: boolean;
  /** The type has no JSON form, and the value is optional. */
  isLeftOut?: true;
}
