import { ts } from 'ts-morph';

import type { Codec } from '../../../model/codec.ts';
import type { JsonSchema, JsonSchemaObject, JsonType } from '../../../util/json-schema.ts';
import type { ParametersOf } from '../../../diagnostics/registry.ts';
import type { librarySchemaDiagnostics } from '../../../diagnostics/registry/library-schemas.ts';
import type { typescriptDiagnostics } from '../../../diagnostics/registry/typescript.ts';
import type { DocTag, Docs } from '../docs/doc-text.ts';
import { type ParamDocs, narrowParamDocs } from '../docs/read-docs.ts';
import type { Libraries } from './library-types.ts';

export type Direction = 'input' | 'output';

/** How values of a type travel as JSON. The holder owns the schema and may add to it. */
export interface Form {
  schema: JsonSchemaObject;
  codec?: Codec | undefined;
  /** Whether the value may be undefined, and so absent. Default false. */
  optional?: boolean;
}

export interface NoForm {
  faults: FormFault[];
}

export interface FormFault {
  place: Place;
  problem:
    | { name: 'type-without-json'; what: string }
    | { name: 'untyped-value' }
    | { name: 'nested-context' }
    | { name: 'unresolved-generic'; type: string };
}

export interface Place {
  /** The nearest node in the user's own code. */
  at: ts.Node;
  /** The path to the value, for messages: `user.names[]`; `''` is the value itself. */
  path: string;
  /** The type as written in the source, if it means exactly this type. */
  node?: ts.TypeNode | undefined;
  /** Docs of an item or element, which no member holds. */
  docs?: Docs | undefined;
  isLibrary: boolean;
  /** Members of the arguments object that the server fills in. */
  injected?: ReadonlySet<string> | undefined;
  /** The function's docs for parts of its argument, by their path from here. */
  partDocs?: ParamDocs | undefined;
  depth: number;
}

export interface Reading extends Libraries {
  readonly checker: ts.TypeChecker;
  readonly direction: Direction;
  readonly readNamed: ReadNamed | undefined;
  readonly notes: ReadingNotes;
  /** Members left out of the schema, since no client can give them, by object type; complete after the type is read. */
  readonly inside: Map<ts.Type, readonly string[]>;
  /** Work for after the whole parameter or result is read. */
  readonly postponedWork: (() => void)[];
  readonly tell: ReportAt;
  read(type: ts.Type, place: Place): Form | NoForm;
  /** Runs work without its reports, for a type whose schema is replaced. */
  readQuietly<T>(work: () => T): T;
  /** The JSON types of a schema's values; empty for any. */
  jsonTypesOf(schema: JsonSchemaObject): ReadonlySet<JsonType>;
}

/** The readings of inputs and outputs collect it. It is used at their end, when all references have names. */
export class ReadingNotes {
  readonly defaults: NotedDefault[] = [];
  readonly examples: NotedExample[] = [];
  readonly schemas: NotedSchema[] = [];
  /** Schemas of revived alternatives are copied into the codec. */
  readonly unions: NotedUnion[] = [];
}

export type ReadNamed = (tag: DocTag, direction: Direction) => NamedSchema;

export interface NamedSchema {
  schema: JsonSchemaObject;
  /** Whether the library checks arguments, and makes their values. */
  isChecked: boolean;
}

export interface NotedUnion {
  alternatives: NotedAlternative[];
  definitions: Record<string, JsonSchema>;
}

interface NotedAlternative {
  schema: JsonSchemaObject;
  copy: JsonSchemaObject;
}

export type ReportAt = <N extends TypeProblem>(
  name: N,
  parameters: ParametersOf<N>,
  at: ts.Node | { file: ts.SourceFile; offset: number },
) => void;

type TypeProblem = keyof typeof typescriptDiagnostics | keyof typeof librarySchemaDiagnostics;

export function hasForm(read: Form | NoForm): read is Form {
  return !('faults' in read);
}

export function innerPlace(place: Place, step: string, node?: ts.TypeNode): Place {
  const { at, path, depth, isLibrary, partDocs } = place;
  return {
    at,
    path: `${path}${step}`,
    node,
    docs: undefined,
    isLibrary,
    injected: undefined,
    partDocs: narrowParamDocs(partDocs, step),
    depth: depth + 1,
  };
}

/** `` `user.name` ``; if the root is words ("The result"): "The result" and "`name` of the result". */
export function formatSubject({ path }: Place): string {
  const [, subjectText, rest = ''] = /^(The [a-z ]+)(.*)$/.exec(path) ?? [];
  if (subjectText === undefined) return path === '' ? 'The value' : `\`${path.replace(/^\./, '')}\``;
  const member = rest.replace(/^\./, '');
  return member === ''
    ? subjectText
    : `\`${member}\` of ${subjectText.charAt(0).toLowerCase()}${subjectText.slice(1)}`;
}

export function makeNoJsonFault(place: Place, what: string): NoForm {
  return { faults: [{ place, problem: { name: 'type-without-json', what } }] };
}

export interface NotedDefault {
  form: Form;
  at: Parameters<ReportAt>[2];
}

export interface NotedExample {
  schema: JsonSchemaObject;
  value: unknown;
  tag: DocTag;
}

export interface NotedSchema {
  schema: JsonSchemaObject;
  original: JsonSchemaObject;
  tag: DocTag;
  direction: Direction;
}

/** Limits for one type, so that a type that expands endlessly becomes a diagnostic. */
export const LIMITS = {
  /** Nested types, through members, items and names. */
  depth: { most: 100, of: 'types inside one another' },
  /** Read for one parameter or result. */
  types: { most: 20_000, of: 'types' },
  /** Of one union, including literals of an enum. */
  members: { most: 2_000, of: 'alternatives' },
  /** Characters of the pattern for a template literal. */
  pattern: { most: 10_000, of: 'characters of a pattern' },
};

/** Ends the reading of one type. The reader catches and reports it. */
export class TypeTooLarge extends Error {
  readonly limit: (typeof LIMITS)[keyof typeof LIMITS];

  constructor(limit: keyof typeof LIMITS) {
    super(limit);
    this.limit = LIMITS[limit];
  }
}

export function reportFormFault({ place, problem }: FormFault, { tell }: Pick<Reading, 'tell'>): void {
  const subject = formatSubject(place);
  switch (problem.name) {
    case 'type-without-json':
      tell(problem.name, { subject, what: problem.what }, place.at);
      return;
    case 'untyped-value':
      tell(problem.name, { subject: `${subject}${describeFunctionPlace(place.at)}` }, place.at);
      return;
    case 'nested-context':
      tell(
        'type-without-json',
        { subject, what: 'a `Context`', fix: 'Make it a separate parameter.' },
        place.at,
      );
      return;
    case 'unresolved-generic':
      tell(
        problem.name,
        { subject: `${subject}${describeFunctionPlace(place.at)}`, type: problem.type },
        place.at,
      );
  }
}

/** Names the function, since the same parameter name and type stand in many functions. */
function describeFunctionPlace(at: ts.Node): string {
  const declaration = ts.findAncestor(at, ts.isFunctionLike);
  const name = declaration && ts.getNameOfDeclaration(declaration)?.getText();
  return name === undefined ? '' : ` of \`${name}\``;
}

/** Open types and contexts stay errors, since the author gave them another meaning. */
export function reportMemberLeftOut({ faults }: NoForm, place: Place, reading: Reading): void {
  const leftOut = faults.flatMap(({ place: { path }, problem }) =>
    problem.name === 'type-without-json'
      ? { path, what: problem.what }
      : problem.name === 'untyped-value'
        ? { path, what: '`any`' }
        : [],
  );
  if (leftOut.length < faults.length)
    for (const fault of faults)
      if (!['type-without-json', 'untyped-value'].includes(fault.problem.name))
        reportFormFault(fault, reading);
  const [first] = leftOut;
  if (first === undefined) return;
  const inner = first.path === place.path ? '' : (/[^.]*$/.exec(first.path)?.[0] ?? '');
  const what = inner === '' ? first.what : `an object whose \`${inner}\` is ${first.what}`;
  reading.tell('member-left-out', { subject: formatSubject(place), what }, place.at);
}

const faulty = new WeakSet<JsonSchema & object>();

/** Makes a schema that accepts anything, in the place of one with a reported fault. */
export function makeFaultySchema(): JsonSchemaObject {
  const schema = {};
  faulty.add(schema);
  return schema;
}

/** Whether a fault of the schema has been reported, so that what it lacks is no other fault. */
export function isFaultySchema(schema: JsonSchema): boolean {
  return typeof schema === 'object' && faulty.has(schema);
}
