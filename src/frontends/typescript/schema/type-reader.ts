import type { ts } from 'ts-morph';

import type {
  Codec,
  JsonSchema,
  JsonSchemaObject,
} from '../../../../templates/runtime/contract/json-schema.ts';
import type { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import type { Docs, ParamDocs } from '../docs/read-docs.ts';
import type { FileLabel } from '../program/source-program.ts';
import { readListForm } from './array-form.ts';
import { readFormWithoutDocs } from './bare-form.ts';
import { checkDefaults, checkExamples, checkSchemaTags } from './check-noted.ts';
import { type Described, mapReferencesToDefinitions, collectReached } from './definitions.ts';
import { readDocumented, readFormAndApplyDocs } from './documented.ts';
import {
  type Direction,
  type Form,
  type NoForm,
  type Place,
  type ReadNamed,
  type ReportAt,
  type TypeLimits,
  TypeTooLarge,
  defaultTypeLimits,
  hasForm,
  reportMemberLeftOut,
  limitWords,
  makeFaultySchema,
  reportFormFault,
  formatSubject,
} from './form.ts';
import { type Libraries, isInLibrary } from './library-types.ts';
import { resolveOwnDefinitions } from './own-definitions.ts';
import { type Pool, fillCopies, assignDefinitionNames } from './pool.ts';
import { type Pruning, decideIdleCodecs, pruneCodec } from './prune-codec.ts';
import { makeReportOnce } from './tell-once.ts';
import { cleanTypeName } from './type-name.ts';
import { TypeReading } from './type-reading.ts';
import { checkWrittenTypes } from './written-types.ts';

export interface TypeUse {
  /** Where to report problems: the parameter, or the function for a result. */
  at: ts.Node;
  direction: Direction;
  /** The name of the value in messages. Default: "The value". */
  subject?: string;
  /** The written type, which has more information: docs of `type Id = string`, the order of a union. */
  node?: ts.TypeNode | undefined;
  /** The node around the written type, where no node has exactly this type. Default: `node`. */
  writtenNode?: ts.Node | undefined;
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
  limits?: Partial<TypeLimits>;
  /** Folder of the types of `mcpgen/runtime`, which count as a library's. */
  runtimeTypes?: string;
  isContext?: (type: ts.Type) => boolean;
  /** Default: a `@schema` that names an export is refused. */
  readNamed?: ReadNamed;
}

/** Reads types as schemas and codecs. Each named type is read once; problems are reported once. */
export class TypeReader {
  readonly #libraries: Libraries;
  readonly #label: FileLabel;
  readonly #tell: ReportAt;
  readonly #limits: TypeLimits;
  readonly #readings: Record<Direction, TypeReading>;
  readonly #results: Form[] = [];
  /** Schemas of whole tools, in which `#` means the tool's schema. */
  readonly #tops = new Set<JsonSchemaObject>();
  /** Reports to drop if TypeScript reports the cause itself. */
  readonly #doubts: { at: ts.Node; tell: () => void }[] = [];
  #pool: Pool | undefined;
  /** Recursive definitions of `@schema` tags. */
  readonly #schemaDefinitions: Described[] = [];

  constructor(
    program: ts.Program,
    diagnostics: Pick<DiagnosticCollector, 'report'>,
    {
      label = ({ fileName }) => fileName,
      limits,
      runtimeTypes,
      isContext = () => false,
      readNamed,
    }: TypeReaderOptions = {},
  ) {
    this.#libraries = { program, runtimeTypes };
    this.#label = label;
    this.#limits = { ...defaultTypeLimits, ...limits };
    const tell = makeReportOnce(diagnostics, label);
    this.#tell = (name, parameters, at) => {
      // Tags in a library's docs may be meant for other tools, and users cannot change them.
      if ('offset' in at && isInLibrary(at.file, this.#libraries)) return;
      tell(name, parameters, at);
    };
    const reading = (direction: Direction): TypeReading =>
      new TypeReading(program, direction, {
        limits: this.#limits,
        runtimeTypes,
        isContext,
        readNamed,
        tell: this.#tell,
        unlessMistaken: (at, tell) => this.#doubts.push({ at, tell }),
      });
    this.#readings = { input: reading('input'), output: reading('output') };
  }

  /** Reports untyped values that TypeScript accepts. Call it after TypeScript's check. */
  reportUntypedValues(isMistaken: (file: ts.SourceFile) => boolean): void {
    for (const { at, tell } of this.#doubts.splice(0)) if (!isMistaken(at.getSourceFile())) tell();
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
    this.#readings.input.defaults.push({ form: { schema }, at });
  }

  /** Call it after all types are read. `work` runs when references are resolved, before the checks. */
  finishReading(work: () => void = () => undefined): void {
    const { input, output } = this.#readings;
    const takenNames = new Set([...input.definitions.all, ...output.definitions.all].map(({ wish }) => wish));
    const makeFreeName = (name: string): string =>
      takenNames.has(cleanTypeName(name)) ? `${cleanTypeName(name)}_schema` : cleanTypeName(name);
    for (const { notedSchemas, direction } of [input, output])
      this.#schemaDefinitions.push(
        ...resolveOwnDefinitions(notedSchemas, this.#tops, direction, makeFreeName),
      );
    this.#pool = undefined;
    work();
    const pool = this.#buildPool();
    checkSchemaTags([...input.notedSchemas, ...output.notedSchemas], this.#tops, pool.schemas, this.#tell);
    checkDefaults([...input.defaults, ...output.defaults], pool, this.#tell);
    checkExamples([...input.examples, ...output.examples], pool, this.#tell);
    checkWrittenTypes(
      new Set([...input.sources, ...output.sources]),
      new Set([...input.namedAliases, ...output.namedAliases]),
      this.#libraries,
      this.#tell,
    );
  }

  /** A type without JSON form is reported and accepts anything. */
  read(type: ts.Type, use: TypeUse): ReadType {
    this.#pool = undefined;
    const reading = this.#readings[use.direction];
    const { at, subject = '', node, injected, partDocs, writtenNode = node } = use;
    const place: Place = {
      at,
      path: subject,
      node,
      isLibrary: use.isLibrary === true || isInLibrary(node ?? at, this.#libraries),
      injected,
      partDocs,
      depth: 0,
    };
    const sourceCount = reading.sources.length;
    if (writtenNode !== undefined && !place.isLibrary) reading.sources.push(writtenNode);
    const form = readWithinLimits(type, use, place, reading);
    // A `@schema` replaces the type on purpose, so nothing that is lost is reported.
    if (use.docs?.tags.some(({ name }) => name === 'schema') === true) reading.sources.length = sourceCount;
    reading.runDeferred();
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
    const { input, output } = this.#readings;
    const pool = assignDefinitionNames(this.#reachedDefinitions(), {
      label: this.#label,
      pruningOf: (direction) => this.#makePruning(direction),
    });
    for (const union of [...input.unions, ...output.unions]) fillCopies(union, pool.schemas);
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

/** A type beyond the limits is reported and accepts anything. */
function readWithinLimits(type: ts.Type, use: TypeUse, place: Place, reading: TypeReading): Form | NoForm {
  reading.resetCount();
  try {
    return readTopType(type, use, place, reading);
  } catch (error) {
    if (!(error instanceof TypeTooLarge)) throw error;
    const { limit } = error;
    reading.dropOpenTypes();
    const parameters = {
      subject: formatSubject(place),
      limit: limitWords[limit],
      most: reading.limits[limit],
    };
    reading.tell('type-too-large', parameters, place.at);
    return { schema: makeFaultySchema() };
  }
}

function readTopType(type: ts.Type, use: TypeUse, place: Place, reading: TypeReading): Form | NoForm {
  const docs = use.docs ?? { tags: [] };
  if (use.list === true) {
    const list = (): Form | NoForm => readListForm(type, place, reading, place.node);
    return readFormAndApplyDocs(type, docs, reading, list, () => new Set(['array']));
  }
  if (use.inline !== true) return readDocumented(type, docs, place, reading);
  return readFormAndApplyDocs(type, docs, reading, () => readFormWithoutDocs(type, place, reading));
}
