/** `@schema Name`: finds the exports that the tags name, and asks their libraries for JSON Schema. */
import { ts } from 'ts-morph';

import type { SchemaCheck } from '../../../../templates/runtime/contract/bindings.ts';
import type { JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { MadeJson, MadeSchema, RunSchemas, WantedSchema } from '../../../model/schema-runs.ts';
import type { Carried } from '../app/carry.ts';
import { makeAppFiles } from '../app/read-app.ts';
import type { DocTag, Docs } from '../docs/read-docs.ts';
import { type FunctionParameter, readTaggedParameters } from './parameter.ts';
import { findReturnedType } from './results.ts';
import type { Tagged } from './tagged.ts';
import { isArgumentsObject, isContext } from './type-kinds.ts';
import { describeHidden, mayHaveHiddenCharacters } from '../../../model/clean-prose.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Direction, type NamedSchema, type ReadNamed, makeFaultySchema } from '../schema/form.ts';
import { findTag } from '../tags/tag-values.ts';
import { type Fault, explainSchemaProblem } from '../standard/describe-problem.ts';
import { normalizeLibrarySchema } from '../standard/library-json.ts';
import { findExport, schemaName, typeOfSchemaSide } from '../standard/find-export.ts';

interface Named {
  name: string;
  tag: DocTag;
  /** Whether the tag of a function describes its result or its arguments. */
  direction: Direction;
  wanted?: WantedSchema;
  /** The file of the export. */
  file?: ts.SourceFile;
  made?: MadeSchema;
}

export interface SchemaHost {
  source: SourceProgram;
  carried: Carried;
  /** Default: schemas are refused. */
  run?: RunSchemas | undefined;
}

export class LibrarySchemas {
  readonly #named = new Map<string, Named>();
  readonly #faults = new Map<
    string,
    { fault: Fault; named: Pick<Named, 'name' | 'tag'>; mayFollow: boolean }
  >();

  /** Finds the tags of functions and of their parameters. Nothing is read unless some file names a schema. */
  constructor(tagged: readonly Tagged[], { source, carried, run }: SchemaHost) {
    if (!source.userFiles.some(({ text }) => NAMES_ONE.test(text))) return;
    for (const each of tagged) this.#noteSchemaTags(each, source);
    for (const named of this.#named.values()) {
      const found = findExport(named.name, named.tag.file, source, carried);
      if ('fault' in found) this.#recordFault(named, found.fault, isImported(named, source));
      else Object.assign(named, found);
    }
    this.#runSchemas({ source, carried, run });
  }

  /** Returns the schema of a tag that names one. It accepts anything, after a report, if there is none. */
  readonly read: ReadNamed = (tag, direction) => {
    const named = this.#named.get(tagPlaceKey(tag));
    const name = schemaName(tag) ?? '';
    if (named === undefined) return this.#recordFault({ name, tag }, IN_A_PART);
    const { made } = named;
    if (made === undefined) return anySchema();
    if ('problem' in made)
      return this.#recordFault(named, explainSchemaProblem(made.problem, name, direction), true);
    const json = made[direction];
    if ('problem' in json)
      return this.#recordFault(named, explainSchemaProblem(json.problem, name, direction));
    const read = normalizeLibrarySchema(structuredClone(json.schema), name);
    if ('schema' in read) return { schema: read.schema, isChecked: made.validates };
    return this.#recordFault(named, {
      problem: `its JSON Schema can't be used: ${read.misfit}`,
      next: OTHER_SCHEMA,
    });
  };

  /** Returns the check of a parameter by the library itself. */
  findParameterCheck({ docs, name, isOptional }: FunctionParameter): SchemaCheck | undefined {
    const named = this.#findNamedSchema(docs);
    if (named?.wanted === undefined || named.made === undefined || 'problem' in named.made) return undefined;
    if (!named.made.validates) return undefined;
    return { ...named.wanted, argument: name, ...(isOptional ? { optional: true } : {}) };
  }

  /** Finds the JSON Schema of the input that the library's schema of a parameter accepts. */
  inputSchemaOf(docs: Docs): JsonSchemaObject | undefined {
    const named = this.#findNamedSchema(docs);
    return named?.made && this.read(named.tag, 'input').schema;
  }

  /** Reports a parameter that would be the arguments object if its schema were that of an object. */
  reportNotObject({ docs, name, type }: FunctionParameter, count: number, source: SourceProgram): void {
    const named = this.#findNamedSchema(docs);
    if (named?.made === undefined || 'problem' in named.made || count > 1 || !isArgumentsObject(type, source))
      return;
    const { diagnostics, originOfTag } = source;
    diagnostics.report(
      'schema-not-object',
      { name: named.name, argument: name },
      { at: originOfTag(named.tag) },
    );
  }

  /** `@schema` of a function is about its result, unless the schema is that of its only parameter. */
  findResultTag(block: Docs): DocTag | undefined {
    return this.#findNamedSchema(block)?.direction === 'input' ? undefined : findTag(block, 'schema');
  }

  /** Adds the function's tag to its only parameter, if the tag describes the arguments. */
  moveTagToParameter(parameter: FunctionParameter, block: Docs): FunctionParameter {
    const named = this.#findNamedSchema(block);
    if (named?.direction !== 'input') return parameter;
    return { ...parameter, docs: { ...parameter.docs, tags: [...parameter.docs.tags, named.tag] } };
  }

  /** Call it after TypeScript's check: code with errors may not run either. */
  reportFaults(
    { diagnostics, originOfTag }: SourceProgram,
    isMistaken: (file: ts.SourceFile) => boolean,
  ): void {
    for (const { fault, named, mayFollow } of this.#faults.values())
      if (!mayFollow || !isMistaken(named.tag.file))
        diagnostics.report('schema-unusable', { name: named.name, ...fault }, { at: originOfTag(named.tag) });
  }

  #findNamedSchema(docs: Docs): Named | undefined {
    const tag = findTag(docs, 'schema');
    return tag && this.#named.get(tagPlaceKey(tag));
  }

  #noteSchemaTags(tagged: Tagged, source: SourceProgram): void {
    if (findTag(tagged.block, 'hidden') !== undefined) return;
    const parameters = readTaggedParameters(tagged, source).filter(({ type }) => !isContext(type, source));
    const addSchemaName = (tag: DocTag | undefined, direction: Direction): void => {
      const name = tag && schemaName(tag);
      if (tag !== undefined && name !== undefined)
        this.#named.set(tagPlaceKey(tag), { name, tag, direction });
    };
    for (const parameter of parameters) {
      const tag = findTag(parameter.docs, 'schema');
      addSchemaName(tag, 'input');
      if (tag !== undefined) compareWithParameter(tag, parameter.type, `\`${parameter.name}\``, source);
    }
    const tag = findTag(tagged.block, 'schema');
    if (tag === undefined || schemaName(tag) === undefined) return;
    const [only, ...others] = parameters;
    const isOfOnly =
      only !== undefined && others.length === 0 && isSchemaOfParameter(tag, only, tagged, source);
    addSchemaName(tag, isOfOnly ? 'input' : 'output');
    if (isOfOnly) compareWithParameter(tag, only.type, `\`${only.name}\``, source);
    else compareResult(tag, findReturnedType(tagged, source).type, source);
  }

  #runSchemas({ source, carried, run }: SchemaHost): void {
    const found = [...this.#named.values()].flatMap((named) => (named.wanted === undefined ? [] : [named]));
    if (found.length === 0) return;
    if (run === undefined) return reportRefusedCode(found, source);
    const quiet = { ...source, diagnostics: new DiagnosticCollector() };
    const app = makeAppFiles({ source: quiet, carried }, { inPlace: true });
    const keys = new Map(found.map(({ wanted }) => [JSON.stringify(wanted), wanted]));
    const wanted = [...keys.values()].filter((each) => each !== undefined);
    const made = new Map(
      run(app, wanted).map((each, index) => [JSON.stringify(wanted[index]), each] as const),
    );
    for (const named of found) {
      const answer = made.get(JSON.stringify(named.wanted));
      if (answer === undefined) continue;
      named.made = answer;
      if (!('problem' in answer)) reportHiddenText(answer[named.direction], named.tag, source);
    }
  }

  /** `mayFollow`: the fault may follow from an error that TypeScript reports. */
  #recordFault(named: Pick<Named, 'name' | 'tag'>, fault: Fault, mayFollow = false): NamedSchema {
    this.#faults.set(`${tagPlaceKey(named.tag)} ${fault.problem}`, { fault, named, mayFollow });
    return anySchema();
  }
}

function isImported({ name, tag }: Pick<Named, 'name' | 'tag'>, { checker }: SourceProgram): boolean {
  const [first] = name.split('.');
  return checker.getSymbolsInScope(tag.file, ts.SymbolFlags.Alias).some((symbol) => symbol.name === first);
}

/** Makes a schema anew each time, since callers add to it. */
function anySchema(): NamedSchema {
  return { schema: makeFaultySchema(), isChecked: false };
}

/**
 * Reports invisible characters in the JSON Schema that a library made. They may be escapes in the code, which hides them from
 * the check of its text.
 */
function reportHiddenText(json: MadeJson, tag: DocTag, { diagnostics, originOfTag }: SourceProgram): void {
  const texts = { prose: '', values: '' };
  JSON.stringify(json, (key, value: unknown) => {
    if (typeof value === 'string') texts[/^(?:title|description)$/.test(key) ? 'prose' : 'values'] += value;
    return value;
  });
  const [inProse, inValues] = [texts.prose, texts.values].map(
    (text) => mayHaveHiddenCharacters(text) && describeHidden(text),
  );
  const at = originOfTag(tag);
  if (inProse) diagnostics.report('hidden-text', { hidden: inProse }, { at });
  if (inValues) diagnostics.report('hidden-text-in-value', { hidden: inValues, more: 0 }, { at });
}

/** Reports each file once, at the first schema that comes from it. */
function reportRefusedCode(
  found: readonly Named[],
  { diagnostics, label, originOfTag }: SourceProgram,
): void {
  const files = new Map(found.toReversed().map((named) => [named.file ?? named.tag.file, named]));
  for (const [file, { name, tag }] of [...files].toReversed())
    diagnostics.report(
      'code-refused',
      { file: label(file), because: `only it knows what \`@schema ${name}\` is` },
      { at: originOfTag(tag) },
    );
}

const NAMES_ONE = /@schema[\s*]+[\p{ID_Start}$_]/u;

const OTHER_SCHEMA = 'Describe less of it, or write the JSON Schema: `@schema {…}`.';

const IN_A_PART: Fault = {
  problem: 'it is about a part of a value, and a library checks whole arguments',
  next: 'Name the schema of the whole parameter there, or write JSON here: `@schema {…}`.',
};

function tagPlaceKey({ file, offset }: DocTag): string {
  return `${file.fileName}:${offset}`;
}

/** A schema that fits both the parameter and the result is that of the result, as with JSON. */
function isSchemaOfParameter(
  tag: DocTag,
  only: FunctionParameter,
  tagged: Tagged,
  source: SourceProgram,
): boolean {
  const output = typeOfSchemaSide(tag, 'output', source);
  if (output === undefined) return false;
  const { checker } = source;
  const isAssignable = (type: ts.Type): boolean =>
    (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.VoidLike)) === 0 &&
    checker.isTypeAssignableTo(output, type);
  return isAssignable(only.type) && !isAssignable(findReturnedType(tagged, source).type);
}

function compareWithParameter(tag: DocTag, takes: ts.Type, subject: string, source: SourceProgram): void {
  const gives = typeOfSchemaSide(tag, 'output', source);
  if (gives === undefined || hasContext(takes, source)) return;
  if (!source.checker.isTypeAssignableTo(gives, takes)) reportDiffering(tag, gives, takes, subject, source);
}

function compareResult(tag: DocTag, returned: ts.Type, source: SourceProgram): void {
  const gives = typeOfSchemaSide(tag, 'output', source);
  if (gives === undefined || source.checker.isTypeAssignableTo(returned, gives)) return;
  reportDiffering(tag, gives, returned, 'the result', source);
}

function reportDiffering(
  tag: DocTag,
  gives: ts.Type,
  takes: ts.Type,
  subject: string,
  { checker, diagnostics, originOfTag }: SourceProgram,
): void {
  const printType = (type: ts.Type): string => checker.typeToString(type);
  diagnostics.report(
    'schema-type-differs',
    { name: schemaName(tag) ?? '', gives: printType(gives), subject, takes: printType(takes) },
    { at: originOfTag(tag) },
  );
}

/** The server adds members of type `Context`, which no schema gives. */
function hasContext(type: ts.Type, source: SourceProgram): boolean {
  return source.checker
    .getPropertiesOfType(type)
    .some((member) => isContext(source.checker.getTypeOfSymbol(member), source));
}
