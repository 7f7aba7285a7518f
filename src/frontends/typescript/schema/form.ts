import type { ts } from 'ts-morph';
import type { ParametersOf } from '../../../diagnostics/registry.ts';
import type { typescriptDiagnostics } from '../../../diagnostics/registry/typescript.ts';
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { type Said, saidWithin } from '../docs/said-docs.ts';
import type { Libraries } from './library-kind.ts';
import type { TypeLimits } from './limits.ts';
import type { DocTag } from '../docs/doc-text.ts';

/** Arguments are revived from JSON, results become JSON. */
export type Direction = 'input' | 'output';

/** How the values of a type travel as JSON. The schema is the holder's own: it may be added to. */
export interface Form {
  schema: JsonSchemaObject;
  codec?: Codec | undefined;
  /** `undefined` is one of the values, so it may be absent. Default false. */
  optional?: boolean;
}

/** Why a type has no form; whoever holds it decides what becomes of that. */
export interface NoForm {
  faults: Fault[];
}

export interface Fault {
  place: Place;
  problem:
    | { name: 'type-without-json'; what: string }
    /** `isMistaken`: TypeScript doesn't know what was written; `written` is that, where it is a number to others. */
    | { name: 'untyped-value'; isMistaken?: boolean; written?: string }
    | { name: 'nested-context' }
    | { name: 'unresolved-generic'; type: string };
}

/** Where in a source, and in a value, a type stands. */
export interface Place {
  /** The nearest node of a person's own source. */
  at: ts.Node;
  /** The path to the value, for messages: `user.names[]`; `''` is the value itself. */
  path: string;
  /** The type as it is written, when the type is just that. */
  node?: ts.TypeNode | undefined;
  /** Within a library's declaration. */
  isLibrary: boolean;
  /** Members of the arguments object that the server fills in. */
  injected?: ReadonlySet<string> | undefined;
  /** The function's docs for parts of its argument, by their path from here. */
  said?: Said | undefined;
  depth: number;
}

/** The state that all readers of one direction share. */
export interface Reading extends Libraries {
  readonly checker: ts.TypeChecker;
  readonly direction: Direction;
  readonly limits: TypeLimits;
  /** The form of a type that stands in another. */
  read(type: ts.Type, place: Place): Form | NoForm;
  /** By object type, the members that no client can give; complete when the type is read. */
  readonly inside: Map<ts.Type, readonly string[]>;
  /** Does some work when the whole parameter or result is read. */
  readonly later: (work: () => void) => void;
  /** Remembers a union whose alternatives are revived; their schemas are copied into its codec when all names are known. */
  readonly noteUnion: (union: NotedUnion) => void;
  /** Does some work; what it tells is told when it is kept. */
  hold<T>(work: () => T): Held<T>;
  /** Whether a type is the `Context` of a call. */
  readonly isContext: (type: ts.Type) => boolean;
  /** Reports at a node. */
  readonly tell: TellAt;
  /** Does some work if TypeScript finds nothing wrong: else its own words come first. */
  readonly unlessMistaken: (work: () => void) => void;
  /** Remembers a default, which is checked when all types are read. */
  readonly noteDefault: (form: Form, at: Parameters<TellAt>[2]) => void;
  /** Remembers an example, likewise. */
  readonly noteExample: (noted: NotedExample) => void;
  /** Remembers a `@schema`, whose references are checked when all types are read. */
  readonly noteSchema: (noted: NotedSchema) => void;
}

/** A union whose codec carries the schemas of its alternatives. */
export interface NotedUnion {
  place: Place;
  alternatives: NotedAlternative[];
  /** Gets what `$ref` of the copies names. */
  definitions: Record<string, JsonSchema>;
}

export interface NotedAlternative {
  /** Its type, for messages. */
  name: () => string;
  schema: JsonSchemaObject;
  copy: JsonSchemaObject;
  codec?: Codec | undefined;
  /** How many members it must have. */
  required: number;
}

export interface Held<T> {
  result: T;
  keep: () => void;
}

export type TellAt = <N extends TypeProblem>(
  name: N,
  parameters: ParametersOf<N>,
  at: ts.Node | { file: ts.SourceFile; offset: number },
) => void;

type TypeProblem = keyof typeof typescriptDiagnostics;

export function hasForm(read: Form | NoForm): read is Form {
  return !('faults' in read);
}

/** The place of a part of the value: `.name`, `[]`. */
export function within(place: Place, step: string, node?: ts.TypeNode): Place {
  const { path, depth, said } = place;
  return {
    ...place,
    path: `${path}${step}`,
    node,
    depth: depth + 1,
    injected: undefined,
    said: saidWithin(said, step),
  };
}

/** `` `user.name` ``; where the root is words ("The result"): "The result" and "`name` of the result". */
export function subjectOf({ path }: Place): string {
  const [, words, rest = ''] = /^(The [a-z ]+)(.*)$/.exec(path) ?? [];
  if (words === undefined) return path === '' ? 'The value' : `\`${path.replace(/^\./, '')}\``;
  const member = rest.replace(/^\./, '');
  return member === '' ? words : `\`${member}\` of ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** No form, for one reason. */
export function without(place: Place, what: string): NoForm {
  return { faults: [{ place, problem: { name: 'type-without-json', what } }] };
}

/** A default, and the tag or the code that says it. */
export interface NotedDefault {
  form: Form;
  at: Parameters<TellAt>[2];
}

/** One of the `examples` of a schema, and the tag that says it. */
export interface NotedExample {
  schema: JsonSchemaObject;
  value: unknown;
  tag: DocTag;
}

/** The content of a `@schema` tag. */
export interface NotedSchema {
  /** As it is listed. */
  schema: JsonSchemaObject;
  /** As it is written. */
  given: JsonSchemaObject;
  tag: DocTag;
}
