/**
 * A tool's arguments: the operation's parameters, and beside them the properties of its body or the body as
 * one argument `body`. Each keeps the name it has on the wire.
 */
import type { BodyBinding, PartBinding } from '../../model/bindings.ts';
import type { Json, JsonObject, JsonSchema } from '../../util/json-schema.ts';
import type { ListedTool } from '../../model/listed-items.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { operationKey } from '../../model/operation-key.ts';
import { asSchemaObject, followRefs, isSchemaObject } from '../../model/schema-walk.ts';
import type { Operation, Parameter, SourceModel } from '../../model/source-model.ts';
import {
  type BodyShape,
  bindBody,
  findChosenMediaType,
  listBodyNotes,
  deriveBodyShape,
  textSchema,
} from '../body/body.ts';
import { type PartRules, bytesSchema, reachesBytesSchema } from '../body/bytes-schema.ts';
import { bindPart, hasSeveralTypes, findPartRules, describeBinaryParts } from '../body/parts.ts';
import { findReadOnlyMembers } from '../body/read-only.ts';
import type { DeriveSettings } from '../options.ts';
import { reportBodyProblems, reportChosenMediaType } from '../body/report-body.ts';
import type { XmlSource } from '../body/xml-binding.ts';
import { isXmlType } from '../body/xml-names.ts';
import { type SchemaView, resolveLoneReference } from '../schema/schema-view.ts';
import type { EnvironmentKeys } from '../security/environment-keys.ts';
import type { SchemaViews } from '../schema/schema-views.ts';
import { SENDING, appendSentence, htmlToPlainLine } from '../text/plain-text.ts';
import { applyArgumentRules } from './apply-rules.ts';
import {
  type ToolArgument,
  addDescription,
  allowEmptyText,
  nameArguments,
  addExamples,
} from './argument-schema.ts';

export interface ToolArguments {
  list: ToolArgument[];
  body?: BodyBinding;
  /** Sentences for the tool's description, about rules that the input schema cannot express. */
  notes: string[];
}

type Unnamed = Omit<ToolArgument, 'argument'>;

export interface ArgumentsContext {
  source: XmlSource & Pick<SourceModel, 'xMcp'>;
  views: Pick<SchemaViews, 'input'>;
  keys: Pick<EnvironmentKeys, 'isKey' | 'ifSetFor' | 'fixedHeaders'>;
  settings: Pick<DeriveSettings, 'tools' | 'argumentBudget'>;
  nameOf: (operation: Operation) => string;
  diagnostics: DiagnosticCollector;
}

export function deriveArguments(operation: Operation, context: ArgumentsContext): ToolArguments {
  const { source, views, keys, diagnostics } = context;
  const view = views.input;
  const { tools, argumentBudget: budget } = context.settings;
  const tool = context.nameOf(operation);
  const { body: offered } = operation;
  const mediaType = findChosenMediaType(operation, source.xMcp?.bodyMediaType, diagnostics);
  const shape =
    offered === undefined ? undefined : deriveBodyShape(offered, operation.method, mediaType, source, view);
  const configured = tools.argumentsOf({ ...operation, name: tool });
  const fixed = new Set(keys.fixedHeaders(operation).map((header) => header.toLowerCase()));
  // A rule for the argument wins over the header.
  for (const name of configured.flatMap(({ rules }) => Object.keys(rules))) fixed.delete(name.toLowerCase());
  const parameters = operation.parameters.filter(
    (parameter) =>
      !keys.isKey(parameter) && !(parameter.in === 'header' && fixed.has(parameter.name.toLowerCase())),
  );
  const unnamed = [
    ...deriveParameters({ ...operation, parameters }, view, budget),
    ...deriveBodyArguments(operation, shape, view, budget),
  ];
  const names = nameArguments(unnamed);
  const named = unnamed.map((argument, index) =>
    describePathVariable({ argument: names[index]?.argument ?? argument.name, ...argument }, operation),
  );
  const clashing = named.filter((_, index) => names[index]?.clashes);

  for (const renamed of named) {
    const { argument, name, in: place, parameter } = renamed;
    if (argument === name) continue;
    const at = parameter?.origin ?? operation.body?.origin ?? operation.origin;
    const clashNote = clashing.includes(renamed) ? ', one of several of that name,' : '';
    const of = `in the ${place} of \`${operationKey(operation)}\`${clashNote}`;
    diagnostics.report('argument-renamed', { from: name, to: argument, of }, { at });
  }

  const shared = source.xMcp?.arguments;
  const list = applyArgumentRules(named, operation, {
    tool,
    configured,
    shared,
    media: shape?.media,
    view,
    diagnostics,
  });
  const isLeftOut = shape?.kind === 'whole' && !list.some((argument) => argument.in === 'body');
  if (shape === undefined || isLeftOut) return { list, notes: [] };
  if (mediaType === undefined) reportChosenMediaType(operation, shape, diagnostics);
  reportBodyProblems(operation, shape, list, view, diagnostics);
  const body = bindBody(operation, shape, list);
  const readOnly = findReadOnlyMembers(shape.media.schema, body.argument, list, view.readOnly);
  if (readOnly !== undefined) body.readOnly = readOnly;
  return { list, body, notes: listBodyNotes(shape, body) };
}

/** A renamed path variable without words of the document could be anything. */
function describePathVariable(argument: ToolArgument, { path }: Operation): ToolArgument {
  const { schema, name, parameter } = argument;
  if (argument.in !== 'path' || argument.argument === name) return argument;
  if (
    parameter?.description !== undefined ||
    asSchemaObject(parameter?.schema ?? true).description !== undefined
  )
    return argument;
  const description = appendSentence(schema.description, `In the path: ${htmlToPlainLine(path)}`);
  return { ...argument, schema: { ...schema, description } };
}

function deriveParameters({ path, parameters }: Operation, view: SchemaView, budget: number): Unnamed[] {
  const fixed = new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(path)?.[1]);
  const open = parameters.filter(
    (parameter) => parameter.in !== 'query' || !isFixedByPath(parameter, fixed.get(parameter.name), view),
  );
  return open.map((parameter) => {
    const argument = deriveArgument(parameter, view, budget);
    // Without the argument, the value of the path is sent.
    const isOptional = parameter.in === 'query' && fixed.has(parameter.name);
    return isOptional ? { ...argument, required: false } : argument;
  });
}

/** Whether the path holds the only value that the parameter can have (`/?comp=list`). */
function isFixedByPath({ schema }: Parameter, value: string | null, view: SchemaView): boolean {
  const target = value === null ? undefined : resolveLoneReference(view.rewriteSchema(schema), view);
  if (!isSchemaObject(target)) return false;
  const [only, ...moreValues] = target.const === undefined ? (target.enum ?? []) : [target.const];
  return moreValues.length === 0 && only !== undefined && String(only) === value;
}

function deriveArgument(parameter: Parameter, view: SchemaView, budget: number): Unnamed {
  const seen = view.rewriteSchema(parameter.schema);
  const { example, secondExample, mediaType } = parameter;
  const examples = [example, secondExample];
  // The example of a parameter with a media type may be serialised text.
  // Only bodies are written as XML by the runtime; an XML parameter arrives as text.
  const schemaText =
    mediaType === undefined
      ? addExamples(seen, examples, view)
      : addExamples(
          isXmlType(mediaType) ? textSchema(seen, view, SENDING.xml) : seen,
          examples.filter(isObject),
          view,
        );
  // A parameter with `content` has its own empty value.
  const schema =
    parameter.in === 'query' && parameter.allowEmptyValue === true && parameter.mediaType === undefined
      ? allowEmptyText(schemaText, view)
      : schemaText;
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required || parameter.in === 'path',
    schema: addDescription(parameter.name, schema, parameter, budget),
    parameter,
  };
}

function deriveBodyArguments(
  { body }: Operation,
  shape: BodyShape | undefined,
  view: SchemaView,
  budget: number,
): Unnamed[] {
  if (body === undefined || shape === undefined) return [];
  const { example, secondExample } = shape.media;
  if (shape.kind === 'flat') return deriveBodyProperties(shape, body.required, view, budget);
  const isText = shape.wireKind !== 'json' && shape.wireKind !== 'form' && shape.wireKind !== 'multipart';
  const listed = isText ? shape.schema : addExamples(shape.schema, [example, secondExample], view);
  const texts = {
    description: body.description ?? '',
    ...(shape.parts && { fact: describeBinaryParts(shape.parts) }),
  };
  const schema = addDescription('body', listed, texts, budget);
  const binary = shape.wireKind === 'binary' ? { binary: true } : {};
  return [{ name: 'body', in: 'body', required: body.required, schema, ...binary }];
}

/** Properties of an optional body are optional too; the binding knows which of them belong together. */
function deriveBodyProperties(
  { media, object, encodings: { encoding = {} } }: BodyShape & { kind: 'flat' },
  bodyRequired: boolean,
  view: SchemaView,
  budget: number,
): Unnamed[] {
  const examples = [media.example ?? exampleOfSchema(media.schema, view.pool), media.secondExample];
  return [...object.properties].map(([name, property]) => {
    const rules = findPartRules(media, name);
    const part = media.kind === 'multipart' ? bindPart(property, rules, view) : {};
    const encodingRule = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
    const bytes = part.binary === true ? bytesSchema(property, rules, view) : undefined;
    const listed =
      bytes ??
      (part.mayBeFile === true ? property : addExamples(property, findBodyExamples(examples, name), view));
    const written =
      encodingRule?.allowEmptyValue === true && bytes === undefined ? allowEmptyText(listed, view) : listed;
    return {
      name,
      in: 'body',
      required: bodyRequired && object.required.has(name),
      schema: addDescription(name, written, describeFilePart(property, part, rules, view), budget),
      ...part,
    };
  });
}

/** Finds the examples of the whole body, or of one property in them. */
function findBodyExamples(whole: readonly (Json | undefined)[], property?: string): (Json | undefined)[] {
  if (property === undefined) return [...whole];
  return whole.filter(isObject).map((example) => ownMember(example, property));
}

function isObject(example: Json | undefined): example is JsonObject {
  return typeof example === 'object' && example !== null && !Array.isArray(example);
}

/** Explains to the model how a file differs from text. */
function describeFilePart(
  property: JsonSchema,
  part: PartBinding,
  rules: PartRules,
  view: SchemaView,
): { description?: string } {
  if (part.mayBeFile !== true || !(hasSeveralTypes(rules) || reachesBytesSchema(property, view))) return {};
  const description = typeof property === 'object' ? property.description : undefined;
  return { description: appendSentence(description, SENDING.file) };
}

type InputSchema = ListedTool['inputSchema'];

/** `properties` is kept even if empty, since some clients refuse an object schema without it. */
export function deriveInputSchema(all: readonly ToolArgument[], view: SchemaView): InputSchema {
  const list = all.filter(({ hidden }) => hidden !== true);
  const required = list.filter((argument) => argument.required).map((argument) => argument.argument);
  const $defs = view.closure(list.map((argument) => argument.schema));
  return {
    type: 'object',
    properties: Object.fromEntries(list.map(({ argument, schema }) => [argument, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...($defs && { $defs }),
  };
}

/** Limit of one example's JSON, in UTF-16 code units. */
export const longestExample = 4 * 1024;

type Pool = SourceModel['schemas'];

/**
 * Derives example values of arguments for calls that try a tool out; clients never see them. The parameter's or
 * body's own example comes first, then that of the schema of a required argument. They are not validated.
 */
export function argumentExamples(
  { body }: Operation,
  { list, body: bound }: ToolArguments,
  pool: Pool,
): Record<string, Json> | undefined {
  const media = bound && body?.content.find(({ mediaType }) => mediaType === bound.mediaType);
  const whole = [media?.example ?? exampleOfSchema(media?.schema ?? true, pool)];
  const examples: [string, Json][] = [];
  for (const { argument, name, in: place, parameter, schema, required, hidden } of list) {
    const [given] =
      place === 'body'
        ? findBodyExamples(whole, bound?.argument === undefined ? name : undefined)
        : [parameter?.example];
    const example = given ?? (required ? (schema.examples?.[0] ?? exampleOfSchema(schema, pool)) : undefined);
    if (hidden === true || example === undefined) continue;
    if (typeof example !== 'object' || JSON.stringify(example).length <= longestExample)
      examples.push([argument, example]);
  }
  return examples.length === 0 ? undefined : Object.fromEntries(examples);
}

const mostParts = 100;

/** An object of several parts has the members of their examples. `seen` bounds parts that are shared many times. */
function exampleOfSchema(schema: JsonSchema, pool: Pool, seen = new Set<JsonSchema>()): Json | undefined {
  const target = followRefs(schema, pool);
  if (!isSchemaObject(schema) || target === undefined || seen.has(target)) return undefined;
  const example = schema.example ?? target.example;
  if (example !== undefined || seen.size > mostParts) return example as Json | undefined;
  seen.add(target);
  const parts = (target.allOf ?? []).map((part) => exampleOfSchema(part, pool, seen)).filter(isObject);
  return parts.length === 0 ? undefined : Object.assign({}, ...parts);
}
