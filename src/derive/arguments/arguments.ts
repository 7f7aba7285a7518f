/**
 * A tool's arguments: the operation's parameters, and beside them the properties of its body or the body as
 * one argument `body`. Each keeps the name it has on the wire.
 */
import type { BodyBinding, PartBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { isXml } from '../../../templates/runtime/contract/media-type.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Operation, Parameter, RequestBody } from '../../model/source-model.ts';
import { nameArguments, type ToolArgument } from './argument-names.ts';
import { describedSchema, emptyAllowed, withExample } from './argument-schema.ts';
import type { BodyChoice } from '../body/body-choice.ts';
import { bindBody, bodyNotes } from '../body/body-binding.ts';
import { type BodyShape, shapeOfBody, textSchema } from '../body/body.ts';
import { bytesSchema, type PartRules, reachesBytes } from '../body/bytes-schema.ts';
import { listSchema } from '../body/encodings.ts';
import { operationKey } from '../operation-key.ts';
import { bindPart, hasSeveralTypes, isMultipartType, partRules, wordsOfParts } from '../body/parts.ts';
import { reportBody, reportChoice } from '../body/report-body.ts';
import { inTurn } from '../text/sentences.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import type { SchemaViews } from '../schema/schema-views.ts';
import type { XmlSource } from '../body/xml-binding.ts';

export interface ToolArguments {
  list: ToolArgument[];
  body?: BodyBinding;
  /** Sentences for the tool's description, about rules that the input schema cannot express. */
  notes: string[];
}

type Unnamed = Omit<ToolArgument, 'argument'>;

export interface ArgumentsContext {
  source: XmlSource;
  views: Pick<SchemaViews, 'input'>;
  bodyMediaOf: BodyChoice;
  diagnostics: DiagnosticCollector;
}

export function deriveArguments(operation: Operation, context: ArgumentsContext): ToolArguments {
  const { source, views, bodyMediaOf, diagnostics } = context;
  const view = views.input;
  const { body: offered } = operation;
  const wanted = bodyMediaOf(operation);
  const shape = offered === undefined ? undefined : shapeOfBody(offered, wanted, source, view);
  const unnamed = [...deriveParameters(operation, view), ...bodyArguments(operation, shape, view)];
  const names = nameArguments(unnamed);
  const list = unnamed.map((each, index) => ({ argument: names[index]?.argument ?? each.name, ...each }));
  const clashing = list.filter((_each, index) => names[index]?.clashes);
  reportRenames(operation, list, clashing, diagnostics);
  if (shape === undefined) return { list, notes: [] };
  if (wanted === undefined) reportChoice(operation, shape, diagnostics);
  reportBody(operation, shape, list, view, diagnostics);
  const body = bindBody(operation, shape, list);
  return { list, body, notes: bodyNotes(shape, body) };
}

function deriveParameters({ parameters }: Operation, view: SchemaView): Unnamed[] {
  let known = parameterArguments.get(view);
  if (known === undefined) parameterArguments.set(view, (known = new Map()));
  const made = known;
  return parameters.map((parameter) => {
    const argument = made.get(parameter) ?? deriveArgument(parameter, view);
    made.set(parameter, argument);
    return argument;
  });
}

/** Caches the arguments of parameters that operations share. */
const parameterArguments = new WeakMap<SchemaView, Map<Parameter, Unnamed>>();

function deriveArgument(parameter: Parameter, view: SchemaView): Unnamed {
  const seen = view.of(parameter.schema);
  // The example of a parameter with a media type is serialised text, so the schema does not list it.
  const own =
    parameter.mediaType === undefined
      ? withExample(seen, parameter)
      : writtenIn(parameter.mediaType, seen, view);
  const schema = mayBeEmpty(parameter) ? emptyAllowed(own, view) : own;
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required || parameter.in === 'path',
    schema: describedSchema(parameter.name, schema, parameter),
    parameter,
  };
}

/** Only bodies are written as XML by the runtime; an XML parameter arrives as text. */
function writtenIn(mediaType: string, schema: JsonSchema, view: SchemaView): JsonSchema {
  return isXml(mediaType) ? textSchema(schema, view, 'An XML document.') : schema;
}

/** A parameter with `content` has its own empty value. */
function mayBeEmpty({ in: place, allowEmptyValue, mediaType }: Parameter): boolean {
  return place === 'query' && allowEmptyValue === true && mediaType === undefined;
}

function bodyArguments({ body }: Operation, shape: BodyShape | undefined, view: SchemaView): Unnamed[] {
  if (body === undefined || shape === undefined) return [];
  if (shape.kind === 'flat') return deriveProperties(shape, body.required, view);
  const schema = describedSchema('body', shape.schema, { description: bodyWords(body, shape) });
  const binary = shape.written === 'binary' ? { binary: true } : {};
  return [{ name: 'body', in: 'body', required: body.required, schema, ...binary }];
}

function bodyWords(
  { description = '' }: RequestBody,
  { schema, parts }: BodyShape & { kind: 'whole' },
): string {
  if (parts === undefined) return description;
  const own = typeof schema === 'object' ? schema.description : undefined;
  const isList = typeof schema === 'object' && schema.type === 'array';
  return inTurn(description === '' ? own : description, wordsOfParts(parts, isList));
}

/** Properties of an optional body are optional too; the binding knows which of them belong together. */
function deriveProperties(
  { media, object, encodings: { encoding = {} } }: BodyShape & { kind: 'flat' },
  bodyRequired: boolean,
  view: SchemaView,
): Unnamed[] {
  return [...object.properties].map(([name, property]) => {
    const rules = partRules(media, name);
    const part = media.kind === 'multipart' ? bindPart(property, rules, view) : {};
    const own = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
    const list = isMultipartType(rules.contentType)
      ? listSchema(property, own ?? {}, rules.untyped, view)
      : property;
    const bytes = part.binary === true ? bytesSchema(property, rules, view) : undefined;
    const written = bytes ?? (own?.allowEmptyValue === true ? emptyAllowed(list, view) : list);
    return {
      name,
      in: 'body',
      required: bodyRequired && object.required.has(name),
      schema: describedSchema(name, written, partWords(property, part, rules, view)),
      ...part,
    };
  });
}

/** Explains to the model how a file differs from text. */
function partWords(
  property: JsonSchema,
  part: PartBinding,
  rules: PartRules,
  view: SchemaView,
): { description?: string } {
  if (part.mayBeFile !== true || !(hasSeveralTypes(rules) || reachesBytes(property, view))) return {};
  const own = typeof property === 'object' ? property.description : undefined;
  return { description: inTurn(own, 'A data: URI is sent as a file.') };
}

function reportRenames(
  operation: Operation,
  list: readonly ToolArgument[],
  clashing: readonly ToolArgument[],
  diagnostics: DiagnosticCollector,
): void {
  for (const each of list) {
    const { argument, name, in: place, parameter } = each;
    if (argument === name) continue;
    const at = parameter?.origin ?? operation.body?.origin ?? operation.origin;
    const kind = clashing.includes(each) ? 'argument-name-clash' : 'argument-renamed';
    diagnostics.report(kind, { from: name, to: argument, place, operation: operationKey(operation) }, { at });
  }
}
