/**
 * A tool's arguments: the operation's parameters, and beside them the properties of its body or the body as
 * one argument `body`. Each keeps the name it has on the wire.
 */
import type { BodyBinding } from '../../templates/runtime/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { MediaType, Operation, Parameter } from '../model/source-model.ts';
import { type ArgumentPlace, nameArguments } from './argument-names.ts';
import { describedSchema, emptyAllowed } from './argument-schema.ts';
import { bindBody, bodyNotes } from './body-binding.ts';
import { type BodyShape, shapeOfBody } from './body.ts';
import { bytesSchema, type PartRules } from './bytes-schema.ts';
import { operationKey } from './operation-key.ts';
import { reportBody } from './report-body.ts';
import type { SchemaView } from './schema-view.ts';

export interface ToolArgument {
  /** The tool's argument. */
  argument: string;
  /** The name on the wire. */
  name: string;
  in: ArgumentPlace;
  required: boolean;
  schema: JsonSchemaObject;
  /** Absent for what comes from the body. */
  parameter?: Parameter;
  /** The value is bytes. */
  binary?: boolean;
}

export interface ToolArguments {
  list: ToolArgument[];
  body?: BodyBinding;
  /** What the input schema cannot say, for the tool's description. */
  notes: string[];
}

type Unnamed = Omit<ToolArgument, 'argument'>;

export function deriveArguments(
  operation: Operation,
  view: SchemaView,
  diagnostics: DiagnosticCollector,
): ToolArguments {
  const shape = operation.body === undefined ? undefined : shapeOfBody(operation.body, view);
  const unnamed = [...parametersOf(operation, view), ...bodyArguments(operation, shape, view)];
  const names = nameArguments(unnamed);
  const list = unnamed.map((each, index) => ({ argument: names[index]?.argument ?? each.name, ...each }));
  const clashing = list.filter((_each, index) => names[index]?.clashes);
  reportRenames(operation, list, clashing, diagnostics);
  if (shape === undefined) return { list, notes: [] };
  reportBody(operation, shape, list, view, diagnostics);
  const body = bindBody(operation, shape, list);
  return { list, body, notes: bodyNotes(shape, body) };
}

function parametersOf({ parameters }: Operation, view: SchemaView): Unnamed[] {
  let known = parameterArguments.get(view);
  if (known === undefined) parameterArguments.set(view, (known = new Map()));
  const made = known;
  return parameters.map((parameter) => {
    const argument = made.get(parameter) ?? argumentOf(parameter, view);
    made.set(parameter, argument);
    return argument;
  });
}

/** Operations share parameters, and so share what is made of them. */
const parameterArguments = new WeakMap<SchemaView, Map<Parameter, Unnamed>>();

function argumentOf(parameter: Parameter, view: SchemaView): Unnamed {
  const own = view.of(parameter.schema);
  const schema = mayBeEmpty(parameter) ? emptyAllowed(own, view) : own;
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required || parameter.in === 'path',
    schema: describedSchema(parameter.name, schema, parameter),
    parameter,
  };
}

/** `content` has its own spelling of what is empty. */
function mayBeEmpty({ in: place, allowEmptyValue, mediaType }: Parameter): boolean {
  return place === 'query' && allowEmptyValue === true && mediaType === undefined;
}

function bodyArguments({ body }: Operation, shape: BodyShape | undefined, view: SchemaView): Unnamed[] {
  if (body === undefined || shape === undefined) return [];
  if (shape.kind === 'flat') return propertiesOf(shape, body.required, view);
  const schema = describedSchema('body', shape.schema, body);
  const binary = shape.written === 'binary' ? { binary: true } : {};
  return [{ name: 'body', in: 'body', required: body.required, schema, ...binary }];
}

/** The properties of an optional body are optional too: which go together is the binding's to say. */
function propertiesOf(
  { media, object }: BodyShape & { kind: 'flat' },
  bodyRequired: boolean,
  view: SchemaView,
): Unnamed[] {
  return [...object.properties].map(([name, property]) => {
    const bytes =
      media.kind === 'multipart' ? bytesSchema(property, partRules(media, name, property), view) : undefined;
    return {
      name,
      in: 'body',
      required: bodyRequired && object.required.has(name),
      schema: describedSchema(name, bytes ?? property, {}),
      ...(bytes === undefined ? {} : { binary: true }),
    };
  });
}

function partRules({ encoding, untypedParts }: MediaType, name: string, property: JsonSchema): PartRules {
  const own = encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  // What is required but described nowhere accepts anything (`true`), and bytes are not what is meant by that.
  const untyped = property === true ? undefined : untypedParts;
  return {
    ...(own?.contentType === undefined ? {} : { contentType: own.contentType }),
    ...(untyped === undefined ? {} : { untyped }),
  };
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
