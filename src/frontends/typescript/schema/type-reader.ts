import type { ts } from 'ts-morph';

import type { Codec } from '../../../model/codec.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../util/json-schema.ts';
import type { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import type { Docs, ParamDocs } from '../docs/read-docs.ts';
import { type FileLabel, makeNodeOrigin, originAt } from '../program/source-program.ts';
import { readListForm } from './array-form.ts';
import { readFormAndApplyDocs } from './documented.ts';
import { checkDefaults, checkExamples, checkSchemaTags } from './check-noted.ts';
import {
  type Described,
  mapReferencesToDefinitions,
  collectReached,
  moveOwnDefinitions,
  type Pool,
  fillCopies,
  assignDefinitionNames,
} from './definitions.ts';
import {
  type Direction,
  type Form,
  type NoForm,
  type Place,
  type ReadNamed,
  type ReportAt,
  ReadingNotes,
  hasForm,
  reportMemberLeftOut,
  makeFaultySchema,
  reportFormFault,
} from './form.ts';
import { type Libraries, isInLibrary } from './library-types.ts';
import { type Pruning, decideIdleCodecs, pruneCodec } from './prune-codec.ts';
import { cleanTypeName } from './type-name.ts';
import { type ReadingContext, TypeReading, readFormWithoutDocs } from './type-reading.ts';

export interface TypeUse {
  /** Where to report problems: the parameter, or the function for a result. */
  at: ts.Node;
  direction: Direction;
  /** The name of the value in messages. Default: "The value". */
  subject?: string;
  /** The written type, which has more information: docs of `type Id = string`, the order of a union. */
  node?: ts.TypeNode | undefined;
  /** Docs of the value itself. */
  docs?: Docs | undefined;
  /** Docs for parts of the value from `@param` tags. */
  partDocs?: ParamDocs;
  /** Inlines the schema of a named type, for the arguments object. Default false. */
  inline?: boolean;
  /** Leaves out a type without JSON form, with a warning. Default false. */
  mayBeAbsent?: boolean;
  /** The value is a list of the type. */
  list?: boolean;
  /** The server fills in these members of an inlined type, so they are not described. */
  injected?: ReadonlySet<string>;
  /** The type belongs to a library, so open types in it are accepted. Default: decided by `at`. */
  isLibrary?: boolean;
}

export interface ReadType {
  /** JSON Schema 2020-12; references are `#/$defs/<name>`, members of `schemas`. */
  schema: JsonSchemaObject;
  /** Converts between value and JSON; absent if they are the same. */
  codec?: Codec;
  /** The value may be undefined. For a function without a result it always is (`type: null`). */
  optional: boolean;
  isLeftOut?: true;
}

export interface TypeReaderOptions {
  /** Formats the file names of diagnostics. Default: the whole path is shown. */
  label?: FileLabel;
  /** Folder of the types of `mcpgen/runtime`, which count as a library's. */
  runtimeTypes?: string;
  isContext?: (type: ts.Type) => boolean;
  /** Default: a `@schema` that names an export is refused. */
  readNamed?: ReadNamed;
}

/** Reads types as schemas and codecs. Each named type is read once; problems are reported once. */
export class TypeReader {
  readonly checker: ts.TypeChecker;
  readonly #postponedWork: (() => void)[] = [];
  readonly #libraries: Libraries;
  readonly #label: FileLabel;
  readonly #tell: ReportAt;
  readonly #notes = new ReadingNotes();
  readonly #readings: Record<Direction, TypeReading>;
  readonly #results: Form[] = [];
  /** Schemas of whole tools, in which `#` means the tool's schema. */
  readonly #tops = new Set<JsonSchemaObject>();
  #pool: Pool | undefined;
  /** Definitions of `@schema` tags. */
  readonly #schemaDefinitions: Described[] = [];

  constructor(
    program: ts.Program,
    diagnostics: Pick<DiagnosticCollector, 'report'>,
    {
      label = ({ fileName }) => fileName,
      runtimeTypes,
      isContext = () => false,
      readNamed,
    }: TypeReaderOptions = {},
  ) {
    this.checker = program.getTypeChecker();
    this.#libraries = { program, runtimeTypes };
    this.#label = label;
    const tell = makeReportOnce(diagnostics, label);
    this.#tell = (name, parameters, at) => {
      // Tags in a library's docs may be meant for other tools, and users cannot change them.
      if ('offset' in at && isInLibrary(at.file, this.#libraries)) return;
      tell(name, parameters, at);
    };
    const context: ReadingContext = {
      program,
      runtimeTypes,
      isContext,
      readNamed,
      notes: this.#notes,
      report: this.#tell,
    };
    this.#readings = { input: new TypeReading('input', context), output: new TypeReading('output', context) };
  }

  /** The named types. Reading any of these three gives all references their final names, so read all types first. */
  get schemas(): Record<string, JsonSchema> {
    return this.#buildPool().schemas;
  }

  /** The codecs of named types whose values differ from their JSON. */
  get codecs(): Record<string, Codec> {
    return this.#buildPool().codecs;
  }

  get origins(): Record<string, CodeOrigin> {
    return this.#buildPool().origins;
  }

  /** The value comes from the function, so it is not decoded. */
  noteDefault(schema: JsonSchemaObject, at: ts.Node): void {
    this.#notes.defaults.push({ form: { schema }, at });
  }

  /** Work for when all references have their final names. */
  runLater(work: () => void): void {
    this.#postponedWork.push(work);
  }

  /** Call it after all types are read. */
  finishReading(): void {
    const { input, output } = this.#readings;
    const takenNames = new Set([...input.definitions.all, ...output.definitions.all].map(({ wish }) => wish));
    const makeFreeName = (name: string): string =>
      takenNames.has(cleanTypeName(name)) ? `${cleanTypeName(name)}_schema` : cleanTypeName(name);
    const { schemas, defaults, examples } = this.#notes;
    this.#schemaDefinitions.push(...moveOwnDefinitions(schemas, this.#tops, makeFreeName));
    this.#pool = undefined;
    for (const work of this.#postponedWork) work();
    const pool = this.#buildPool();
    checkSchemaTags(schemas, this.#tops, pool.schemas, this.#tell);
    checkDefaults(defaults, pool, this.#tell);
    checkExamples(examples, pool, this.#tell);
  }

  /** A type without JSON form is reported and accepts anything. */
  read(type: ts.Type, use: TypeUse): ReadType {
    this.#pool = undefined;
    const reading = this.#readings[use.direction];
    const { at, subject = '', node, injected, partDocs } = use;
    const place: Place = {
      at,
      path: subject,
      node,
      isLibrary: use.isLibrary === true || isInLibrary(node ?? at, this.#libraries),
      injected,
      partDocs,
      depth: 0,
    };
    const form = reading.readWithinLimits(place, () => readTopType(type, use, place, reading));
    const pruning = this.#makePruning(use.direction);
    decideIdleCodecs(reading.definitions.takeUndecided(), pruning.target);
    if (!hasForm(form)) {
      if (use.mayBeAbsent === true) {
        reportMemberLeftOut(form, place, reading);
        return { schema: {}, optional: true, isLeftOut: true };
      }
      for (const fault of form.faults) reportFormFault(fault, reading);
      return { schema: makeFaultySchema(), optional: false };
    }
    if (use.inline === true || (use.direction === 'output' && form.schema.type === 'object'))
      this.#tops.add(form.schema);
    const codec = pruneCodec(form.codec, pruning);
    this.#results.push({ ...form, codec });
    return { schema: form.schema, ...(codec && { codec }), optional: form.optional === true };
  }

  #makePruning(direction: Direction): Pruning {
    return { direction, target: (codec) => this.#readings[direction].definitions.targets.get(codec) };
  }

  #buildPool(): Pool {
    if (this.#pool !== undefined) return this.#pool;
    const pool = assignDefinitionNames(this.#reachedDefinitions(), {
      label: this.#label,
      pruningOf: (direction) => this.#makePruning(direction),
    });
    for (const union of this.#notes.unions) fillCopies(union, pool.schemas);
    return (this.#pool = pool);
  }

  /** Definitions stay even if the member that led to them was left out. */
  #reachedDefinitions(): Described[] {
    const { input, output } = this.#readings;
    const owner = mapReferencesToDefinitions([
      ...input.definitions.all,
      ...output.definitions.all,
      ...this.#schemaDefinitions,
    ]);
    return collectReached(this.#results, owner);
  }
}

function readTopType(type: ts.Type, use: TypeUse, place: Place, reading: TypeReading): Form | NoForm {
  const docs = use.docs ?? { tags: [] };
  if (use.list === true) {
    const list = (): Form | NoForm => readListForm(type, place, reading, place.node);
    return readFormAndApplyDocs(docs, reading, list);
  }
  if (use.inline !== true) return readFormAndApplyDocs(docs, reading, () => reading.read(type, place));
  return readFormAndApplyDocs(docs, reading, () => readFormWithoutDocs(type, place, reading));
}

/** The path to a value is not the cause of a problem. */
function makeReportOnce(diagnostics: Pick<DiagnosticCollector, 'report'>, label: FileLabel): ReportAt {
  const reportedKeys = new Set<string>();
  return (name, parameters, at) => {
    const origin = 'offset' in at ? originAt(at.file, at.offset, label) : makeNodeOrigin(at, label);
    const key = JSON.stringify([name, { ...parameters, subject: '' }, origin]);
    if (!reportedKeys.has(key)) diagnostics.report(name, parameters, { at: origin });
    reportedKeys.add(key);
  };
}
