/** Derives a tool, a resource or template, or both, for each selected operation. */
import type { CompletionBinding, OperationBinding } from '../model/bindings.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import { operationKey } from '../model/operation-key.ts';
import type { Resource, ResourceTemplate, Tool } from '../model/server-model.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import { omitUndefined, groupBy } from '../util/collections.ts';
import {
  type ArgumentsContext,
  type ToolArguments,
  argumentExamples,
  deriveArguments,
  deriveInputSchema,
} from './arguments/arguments.ts';
import { deriveAnnotations, reportDoubtfulHints } from './annotations.ts';
import { type AnswerRules, deriveAnswerRules, addFieldsArgument } from './answer-rules.ts';
import { deriveHttpBinding } from './http-binding.ts';
import type { DeriveSettings } from './options.ts';
import { makeTemplateCompletions } from './prompts.ts';
import { type NotReadable, type ReadableShape, bindResource, deriveReadableShape } from './resources.ts';
import type { OutputSchemas } from './schema/output-schema.ts';
import type { SchemaViews } from './schema/schema-views.ts';
import { deriveScopes } from './security/auth-rules.ts';
import type { Selected } from './selection.ts';
import { collectSurroundingWords } from './text/schema-words.ts';
import { listNeeds } from './text/tool-facts.ts';
import { type ToolText, deriveToolText } from './text/tool-text.ts';
import { findStricterConfirm } from './tool-rules.ts';

interface OperationSurface {
  tools: Tool[];
  resources: Resource[];
  resourceTemplates: ResourceTemplate[];
  completions: CompletionBinding[];
}

interface Item {
  selected: Selected;
  prepared: Prepared;
  shape: ReadableShape | NotReadable;
}

export function deriveOperations(
  selected: readonly Selected[],
  scheme: string,
  context: DeriveContext,
): OperationSurface {
  const surface: OperationSurface = { tools: [], resources: [], resourceTemplates: [], completions: [] };
  const items = selected.map((each): Item => {
    const prepared = prepareOperation(each.operation, context);
    return { selected: each, prepared, shape: chooseReadableShape(each, prepared, scheme, context) };
  });
  refuseDuplicateUris(items);
  for (const item of items) {
    reportUnreadable(item, context);
    const { selected: operation, prepared, shape } = item;
    const isReadable = 'uri' in shape;
    const tool = operation.tool || !isReadable ? deriveTool(prepared, context) : undefined;
    if (tool !== undefined) surface.tools.push(tool);
    if (isReadable) addResourceOrTemplate(surface, prepared, shape, tool);
  }
  return surface;
}

/** Binds operations that only code calls. Their diagnostics are dropped, since clients never see them. */
export function bindUnlistedOperations(
  operations: readonly Operation[],
  context: DeriveContext,
): Record<string, OperationBinding> {
  const quiet = { ...context, diagnostics: new DiagnosticCollector() };
  const entries = operations.map((operation): [string, OperationBinding] => {
    const prepared = prepareOperation(operation, quiet);
    const input = deriveInputSchema(prepared.args.list, quiet.views.input);
    const { operationId = prepared.name } = operation;
    const { scopes } = prepared;
    return [
      operationId,
      { do: deriveHttpBinding(prepared, false), input, ...(scopes.length > 0 && { scopes }) },
    ];
  });
  return Object.fromEntries(entries);
}

function chooseReadableShape(
  { operation, tool, resource }: Selected,
  { args, annotations, calling }: Prepared,
  scheme: string,
  { views }: DeriveContext,
): ReadableShape | NotReadable {
  if (resource === 'no') return { because: '' };
  if (!tool && calling.confirm === 'always') return { because: 'the user is asked before each call' };
  const shape = deriveReadableShape(operation, args.list, scheme, views.input);
  // Clients read resources without asking anybody. The hints of a tool guard its resource; a resource alone has none.
  const isGuarded = tool && resource === 'wanted';
  return 'because' in shape || isGuarded || annotations.readOnlyHint
    ? shape
    : { because: 'it may change something', isExpected: true };
}

/** Several operations may have one URI, whatever its variables are called. The first by method and path keeps it. */
function refuseDuplicateUris(items: readonly Item[]): void {
  const readable = items.filter(({ shape }) => 'uri' in shape);
  for (const group of groupBy(readable, ({ shape }) =>
    'uri' in shape ? shape.uri.replace(/\{[^?&}]*\}/g, '{}') : '',
  ).values()) {
    if (group.length < 2) continue;
    const [first, ...moreItems] = group.toSorted((a, b) => (operationKeyOf(a) < operationKeyOf(b) ? -1 : 1));
    if (first === undefined) continue;
    for (const other of moreItems)
      other.shape = { because: `\`${operationKeyOf(first)}\` has the same URI`, isExpected: true };
  }
}

function operationKeyOf({ selected }: Item): string {
  return operationKey(selected.operation);
}

/** Reports an operation that can't be a resource, if somebody asked for it or the rules suggest it. */
function reportUnreadable({ selected, shape }: Item, { diagnostics }: DeriveContext): void {
  if ('uri' in shape || selected.resource === 'no') return;
  const parameters = { operation: operationKey(selected.operation), because: shape.because };
  const at = selected.operation.origin;
  if (selected.resource === 'wanted') diagnostics.report('not-a-resource', parameters, { at });
  else if (shape.isExpected === true) diagnostics.report('resource-left-out', parameters, { at });
}

function addResourceOrTemplate(
  surface: OperationSurface,
  prepared: Prepared,
  shape: ReadableShape,
  tool: Tool | undefined,
): void {
  const { operation, name, text } = prepared;
  const work = tool === undefined ? deriveHttpBinding(prepared, false) : { kind: 'tool' as const, name };
  const { icons, _meta } = operation.xMcp ?? {};
  const listed = {
    name,
    ...text,
    ...omitUndefined({ mimeType: shape.mimeType, icons, _meta }),
    binding: bindResource(shape, work, prepared),
    origin: operation.origin,
  };
  if (shape.kind === 'resource') surface.resources.push({ uri: shape.uri, ...listed });
  else {
    surface.resourceTemplates.push({ uriTemplate: shape.uri, ...listed });
    surface.completions.push(...makeTemplateCompletions(shape.uri, shape.variables));
  }
}

export interface DeriveContext extends ArgumentsContext {
  source: SourceModel;
  settings: DeriveSettings;
  nameOf: (operation: Operation) => string;
  views: SchemaViews;
  outputs: OutputSchemas;
  /** Whether an operation of the API takes the version of what it changes (`If-Match`). */
  hasConditions: boolean;
  diagnostics: DiagnosticCollector;
}

type Prepared = ReturnType<typeof prepareOperation>;

function prepareOperation(operation: Operation, context: DeriveContext) {
  const { source, nameOf, keys } = context;
  const { xMcp: ofOperation = {} } = operation;
  const { xMcp: shared = {} } = source;
  const args = deriveArguments(operation, context);
  const sent = new Set(args.list.map((argument) => argument.in === 'header' && argument.name.toLowerCase()));
  const replaced = keys.fixedHeaders(operation).filter((header) => sent.has(header.toLowerCase()));
  return {
    operation,
    name: nameOf(operation),
    text: deriveOperationText(operation, args, context),
    args,
    annotations: deriveAnnotations(operation, source.xMcp?.annotations),
    ifSet: keys.ifSetFor(operation),
    hasConditions: context.hasConditions,
    scopes: deriveScopes(operation, source),
    /** How calls are made, beside what they send of arguments. */
    calling: omitUndefined({
      headers:
        replaced.length === 0
          ? ofOperation.headers
          : // Without a text, the header is not sent.
            { ...ofOperation.headers, ...Object.fromEntries(replaced.map((header) => [header, ''])) },
      timeoutMs: ofOperation.timeout ?? shared.timeout,
      confirm: shared.confirm
        ? findStricterConfirm(ofOperation.confirm, shared.confirm)
        : ofOperation.confirm,
    }),
  };
}

function deriveOperationText(
  operation: Operation,
  { notes, list, body }: ToolArguments,
  { source: { schemas }, settings, nameOf }: DeriveContext,
  answerRules?: AnswerRules,
): ToolText {
  const budget = settings.descriptionBudget;
  const required = list.filter((argument) => argument.required && argument.hidden !== true);
  const needs = listNeeds(
    required.map(({ argument }) => argument),
    body,
  );
  return deriveToolText(operation, { name: nameOf(operation), schemas, needs, notes, budget, answerRules });
}

function deriveTool(prepared: Prepared, context: DeriveContext): Tool {
  const { operation, name, text, args, annotations, scopes } = prepared;
  const { source, views, outputs, diagnostics } = context;
  reportDoubtfulHints(operation, source.xMcp?.annotations, diagnostics);
  const takenNames = new Set(args.list.map(({ argument }) => argument));
  const answerRules = deriveAnswerRules(operation, name, takenNames, context);
  const output = outputs.deriveForOperation(operation, answerRules);
  if (output.kind === 'too-large')
    diagnostics.report(
      'output-schema-left-out',
      { tool: name, limit: context.settings.outputSchemaLimit },
      { at: operation.origin },
    );
  const { icons, _meta } = operation.xMcp ?? {};
  const examples = argumentExamples(operation, args, source.schemas);
  const binding = deriveHttpBinding(prepared, output.kind === 'schema' && output.wrapped);
  return {
    name,
    // Resources return the whole answer, so a tool that selects members needs a text of its own.
    ...((answerRules.select ?? answerRules.drop) === undefined
      ? text
      : deriveOperationText(operation, args, context, answerRules)),
    ...omitUndefined({ icons, _meta }),
    inputSchema: addFieldsArgument(deriveInputSchema(args.list, views.input), answerRules),
    ...omitUndefined({ examples }),
    ...(output.kind === 'schema' ? { outputSchema: output.schema } : {}),
    annotations,
    binding:
      Object.keys(answerRules).length === 0
        ? binding
        : { ...binding, result: { ...binding.result, ...answerRules } },
    scopes,
    tags: operation.tags,
    about: collectSurroundingWords(operation, source),
    origin: operation.origin,
  };
}
