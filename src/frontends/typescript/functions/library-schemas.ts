/** `@schema Name`: finds the exports that the tags name, and asks their libraries for JSON Schema. */
import { ts } from 'ts-morph';

import type { SchemaCheck } from '../../../model/bindings.ts';
import type { JsonSchemaObject } from '../../../util/json-schema.ts';
import { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { MadeJson, MadeSchema, RunSchemas, WantedSchema } from '../../../model/schema-runs.ts';
import type { Carried } from '../app/carry.ts';
import { makeAppFiles } from '../app/read-app.ts';
import type { DocTag, Docs } from '../docs/read-docs.ts';
import { type FunctionParameter, readTaggedParameters } from './parameter.ts';
import { findReturnedType } from './results.ts';
import type { Tagged } from './tagged.ts';
import { isContext } from './type-kinds.ts';
import { describeHidden } from '../../../model/clean-prose.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Direction, type NamedSchema, type ReadNamed, makeFaultySchema } from '../schema/form.ts';
import { findTag } from '../tags/tag-values.ts';
import { type Fault, explainSchemaProblem } from '../standard/describe-problem.ts';
import { normalizeLibrarySchema, findExport, schemaName, typeOfSchemaSide } from '../standard/find-export.ts';

interface Named {
  name: string;
  tag: DocTag;
  /** Whether the tag of a function describes its result or its arguments. */
  direction: Direction;
  request?: WantedSchema;
  /** The file of the export. */
  file?: ts.SourceFile;
  outcome?: MadeSchema;
}

interface SchemaHost {
  source: SourceProgram;
  carried: Carried;
  /** Default: schemas are refused. */
  run?: RunSchemas | undefined;
}

export class LibrarySchemas {
  readonly #schemasByTag = new Map<string, Named>();
  readonly #reportedFaults = new Set<string>();
  readonly #source: SourceProgram;

  /** Finds the tags of functions and of their parameters. Nothing is read unless some file names a schema. */
  constructor(tagged: readonly Tagged[], { source, carried, run }: SchemaHost) {
    this.#source = source;
    if (!source.userFiles.some(({ text }) => NAMES_ONE.test(text))) return;
    for (const each of tagged) this.#noteSchemaTags(each, source);
    for (const namedSchema of this.#schemasByTag.values()) {
      const exported = findExport(namedSchema.name, namedSchema.tag.file, source, carried);
      if ('fault' in exported) this.#reportFault(namedSchema, exported.fault);
      else Object.assign(namedSchema, exported);
    }
    this.#runSchemas({ source, carried, run });
  }

  /** Returns the schema of a tag that names one. It accepts anything, after a report, if there is none. */
  readonly read: ReadNamed = (tag, direction) => {
    const namedSchema = this.#schemasByTag.get(tagPlaceKey(tag));
    const name = schemaName(tag) ?? '';
    if (namedSchema === undefined) return this.#reportFault({ name, tag }, IN_A_PART);
    const { outcome } = namedSchema;
    if (outcome === undefined) return anySchema();
    if ('problem' in outcome)
      return this.#reportFault(namedSchema, explainSchemaProblem(outcome.problem, name, direction));
    const json = outcome[direction];
    if ('problem' in json)
      return this.#reportFault(namedSchema, explainSchemaProblem(json.problem, name, direction));
    const read = normalizeLibrarySchema(structuredClone(json.schema), name);
    if ('schema' in read) return { schema: read.schema, isChecked: outcome.validates };
    return this.#reportFault(namedSchema, {
      problem: `its JSON Schema can't be used: ${read.misfit}`,
      next: OTHER_SCHEMA,
    });
  };

  /** Returns the check of a parameter by the library itself. */
  findParameterCheck({ docs, name, isOptional }: FunctionParameter): SchemaCheck | undefined {
    const namedSchema = this.#findNamedSchema(docs);
    if (
      namedSchema?.request === undefined ||
      namedSchema.outcome === undefined ||
      'problem' in namedSchema.outcome
    )
      return undefined;
    if (!namedSchema.outcome.validates) return undefined;
    return { ...namedSchema.request, argument: name, ...(isOptional ? { optional: true } : {}) };
  }

  /** Finds the JSON Schema of the input that the library's schema of a parameter accepts. */
  inputSchemaOf(docs: Docs): JsonSchemaObject | undefined {
    const namedSchema = this.#findNamedSchema(docs);
    return namedSchema?.outcome && this.read(namedSchema.tag, 'input').schema;
  }

  /** `@schema` of a function is about its result, unless the schema is that of its only parameter. */
  findResultTag(block: Docs): DocTag | undefined {
    return this.#findNamedSchema(block)?.direction === 'input' ? undefined : findTag(block, 'schema');
  }

  /** Adds the function's tag to its only parameter, if the tag describes the arguments. */
  moveTagToParameter(parameter: FunctionParameter, block: Docs): FunctionParameter {
    const namedSchema = this.#findNamedSchema(block);
    if (namedSchema?.direction !== 'input') return parameter;
    return { ...parameter, docs: { ...parameter.docs, tags: [...parameter.docs.tags, namedSchema.tag] } };
  }

  #findNamedSchema(docs: Docs): Named | undefined {
    const tag = findTag(docs, 'schema');
    return tag && this.#schemasByTag.get(tagPlaceKey(tag));
  }

  #noteSchemaTags(tagged: Tagged, source: SourceProgram): void {
    if (findTag(tagged.block, 'hidden') !== undefined) return;
    const parameters = readTaggedParameters(tagged, source).filter(({ type }) => !isContext(type, source));
    const addSchemaName = (tag: DocTag | undefined, direction: Direction): void => {
      const name = tag && schemaName(tag);
      if (tag !== undefined && name !== undefined)
        this.#schemasByTag.set(tagPlaceKey(tag), { name, tag, direction });
    };
    for (const { docs } of parameters) addSchemaName(findTag(docs, 'schema'), 'input');
    const tag = findTag(tagged.block, 'schema');
    if (tag === undefined || schemaName(tag) === undefined) return;
    const [only, ...moreParameters] = parameters;
    const isOfOnly =
      only !== undefined && moreParameters.length === 0 && isSchemaOfParameter(tag, only, tagged, source);
    addSchemaName(tag, isOfOnly ? 'input' : 'output');
  }

  #runSchemas({ source, carried, run }: SchemaHost): void {
    const schemasToRun = [...this.#schemasByTag.values()].flatMap((namedSchema) =>
      namedSchema.request === undefined ? [] : [namedSchema],
    );
    if (schemasToRun.length === 0) return;
    if (run === undefined) return reportRefusedCode(schemasToRun, source);
    const quiet = { ...source, diagnostics: new DiagnosticCollector() };
    const app = makeAppFiles({ source: quiet, carried }, { inPlace: true });
    const keys = new Map(schemasToRun.map(({ request }) => [JSON.stringify(request), request]));
    const requests = [...keys.values()].filter((request) => request !== undefined);
    const outcomes = new Map(
      run(app, requests).map((outcome, index) => [JSON.stringify(requests[index]), outcome] as const),
    );
    for (const namedSchema of schemasToRun) {
      const answer = outcomes.get(JSON.stringify(namedSchema.request));
      if (answer === undefined) continue;
      namedSchema.outcome = answer;
      if (!('problem' in answer)) reportHiddenText(answer[namedSchema.direction], namedSchema.tag, source);
    }
  }

  #reportFault({ name, tag }: Pick<Named, 'name' | 'tag'>, fault: Fault): NamedSchema {
    const { diagnostics, originOfTag } = this.#source;
    const key = `${tagPlaceKey(tag)} ${fault.problem}`;
    if (!this.#reportedFaults.has(key))
      diagnostics.report('schema-unusable', { name, ...fault }, { at: originOfTag(tag) });
    this.#reportedFaults.add(key);
    return anySchema();
  }
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
  const texts: string[] = [];
  JSON.stringify(json, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  const hidden = describeHidden(texts.join(' '));
  if (hidden !== undefined) diagnostics.report('hidden-text', { hidden }, { at: originOfTag(tag) });
}

/** Reports each file once, at the first schema that comes from it. */
function reportRefusedCode(
  namedSchemas: readonly Named[],
  { diagnostics, label, originOfTag }: SourceProgram,
): void {
  const files = new Map(
    namedSchemas.toReversed().map((namedSchema) => [namedSchema.file ?? namedSchema.tag.file, namedSchema]),
  );
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
