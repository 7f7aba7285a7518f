/** Derives tools, resources, templates, prompts and completions from annotated functions. */
import type { CompletionBinding, FunctionBinding } from '../../model/bindings.ts';
import type { Json, JsonSchema, JsonSchemaObject, ObjectSchema } from '../../util/json-schema.ts';
import { fillInHints } from '../../model/listed-items.ts';
import { makeSample } from '../../../templates/runtime/features/mock/sample.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { composition, inlineReference } from '../../model/schema-walk.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from '../../model/server-model.ts';
import type {
  Capability,
  FunctionPrompt,
  FunctionResource,
  FunctionTool,
  SourceModel,
} from '../../model/source-model.ts';
import { makeSchemaTest } from '../../util/check-values.ts';
import { omitUndefined } from '../../util/collections.ts';
import { estimateTokens } from '../../util/estimate-tokens.ts';
import { listTemplateVariables } from '../../util/uri-template.ts';
import type { DeriveSettings } from '../options.ts';
import { OutputSchemas } from '../schema/output-schema.ts';
import { type SchemaRewrite, SchemaView } from '../schema/schema-view.ts';
import { loosenOutputSchema } from '../schema/schema-views.ts';
import { htmlToPlainText, appendWithinBudget, trimText } from '../text/plain-text.ts';
import { describeFunctionFact } from '../text/tool-facts.ts';
import { reportRefusedNames } from '../names/tool-names.ts';
import { applyParameterRules } from '../tool-rules.ts';
import { toSentenceCase, addFactIfUseful } from '../text/tool-text.ts';
import { deriveCompletions } from './completions.ts';
import {
  type FunctionsContext,
  deriveFunctionArguments,
  deriveItemName,
  addReachedDefs,
  prependDeprecation,
} from './context.ts';

interface FunctionSurface {
  tools: Tool[];
  resources: Resource[];
  resourceTemplates: ResourceTemplate[];
  prompts: Prompt[];
  completions: CompletionBinding[];
  started: FunctionBinding[];
}

export function deriveFunctions(
  source: SourceModel,
  settings: DeriveSettings,
  diagnostics: DiagnosticCollector,
): FunctionSurface {
  const { functionOutputSchema: outputSchema, outputSchemaLimit } = settings;
  const brief = makeDescriptionTrimmer(settings.argumentBudget);
  const view = new SchemaView(source.schemas, brief);
  const outputView =
    outputSchema === 'loose'
      ? new SchemaView(source.schemas, (schema) => brief(loosenOutputSchema(schema)))
      : view;
  const outputs = new OutputSchemas(outputView, { outputSchema, outputSchemaLimit });
  const context = { settings, view, outputs, diagnostics };
  const selectCapabilities = <K extends Capability['kind']>(kind: K): Extract<Capability, { kind: K }>[] =>
    source.capabilities.filter(
      (capability): capability is Extract<Capability, { kind: K }> => capability.kind === kind,
    );
  const readable = selectCapabilities('function-resource');
  const resources = readable.filter(({ uri }) => !uri.includes('{'));
  const templates = readable
    .filter(({ uri }) => uri.includes('{'))
    .map((of) => ({ of, template: { uriTemplate: of.uri, ...deriveResourceMembers(of, context) } }));
  const prompts = selectCapabilities('function-prompt').map((capability) => ({
    of: capability,
    prompt: derivePrompt(capability, context),
  }));
  const tools = selectCapabilities('function-tool').map((capability) => deriveTool(capability, context));
  if (settings.toolNames !== 'spec') reportRefusedNames(tools, diagnostics);
  for (const tool of tools) reportCostlyTool(tool, context);
  return {
    tools,
    resources: resources.map((resource) => ({
      uri: resource.uri,
      ...deriveResourceMembers(resource, context),
    })),
    resourceTemplates: templates.map(({ template }) => template),
    prompts: prompts.map(({ prompt }) => prompt),
    completions: deriveCompletions(
      selectCapabilities('function-completion'),
      { prompts, templates },
      context,
    ),
    started: selectCapabilities('function-start').map(({ binding }) => binding),
  };
}

/** Makes descriptions plain text for models, within the budget of an argument. */
function makeDescriptionTrimmer(budget: number): SchemaRewrite {
  return (schema) => {
    if (typeof schema !== 'object' || typeof schema.description !== 'string') return schema;
    const description = trimText(htmlToPlainText(schema.description), budget);
    return description === schema.description ? schema : { ...schema, description };
  };
}

/** A tool of more tokens takes more of a model's attention than most whole servers. */
const MOST_TOKENS = 4_000;

function reportCostlyTool(tool: Tool, { diagnostics }: FunctionsContext): void {
  const { name, description, inputSchema, outputSchema, origin } = tool;
  const tokens = estimateTokens(JSON.stringify({ name, description, inputSchema, outputSchema }));
  if (tokens > MOST_TOKENS) diagnostics.report('tool-dear', { tool: name, tokens }, { at: origin });
}

function deriveTool(annotated: FunctionTool, context: FunctionsContext): Tool {
  const { tools } = context.settings;
  const name = deriveItemName(annotated, context);
  const tool = tools.changeFunction(annotated, name);
  const { input: whole, binding: bare } = deriveFunctionArguments(tool, context);
  const input = applyParameterRules(whole, tools.argumentsOf({ name }));
  const binding = { ...bare, ...omitUndefined({ confirm: tool.confirm }) };
  const output = deriveOutput(tool, name, context);
  const keyword = composition.find((keyword) => input[keyword] !== undefined);
  if (keyword !== undefined)
    context.diagnostics.report('choice-at-top', { tool: name, keyword }, { at: tool.origin });
  const text = addFactIfUseful(tool.description ?? '', [tool.title ?? toSentenceCase(tool.name), name], () =>
    describeFunctionFact(tool.output, tool.input, context.view.pool),
  );
  const description = trimText(prependDeprecation(tool, text), context.settings.descriptionBudget);
  return {
    name,
    title: tool.title ?? (toSentenceCase(tool.name) || name),
    ...(description === '' ? {} : { description }),
    ...omitUndefined({ icons: tool.icons, _meta: tool._meta }),
    inputSchema: addReachedDefs(input, context.view),
    ...omitUndefined({ outputSchema: output?.schema }),
    annotations: fillInHints(tool.annotations),
    // The preparing function gets the tool's arguments under their listed names.
    ...(tool.prepare && {
      prepare:
        binding.properties === undefined ? tool.prepare : { ...tool.prepare, properties: binding.properties },
    }),
    ...omitUndefined({ execution: tool.execution }),
    binding:
      output?.wrapped === true ? { ...binding, result: { ...binding.result, wrapped: true } } : binding,
    scopes: tool.scopes,
    ...(tool.pin === true && { pin: true }),
    tags: [],
    origin: tool.origin,
  };
}

function deriveOutput(
  { output, optional, origin }: FunctionTool,
  tool: string,
  { settings, outputs, diagnostics }: FunctionsContext,
): { schema: ObjectSchema; wrapped: boolean } | undefined {
  if (output === undefined) return undefined;
  const derived = outputs.deriveForFunction(output, optional);
  if (derived.kind === 'schema') return derived;
  if (derived.kind === 'too-large')
    diagnostics.report('output-schema-left-out', { tool, limit: settings.outputSchemaLimit }, { at: origin });
  return undefined;
}

/** Derives all members that a resource and a resource template share; the caller adds the URI. */
function deriveResourceMembers(
  resource: FunctionResource,
  context: FunctionsContext,
): Omit<Resource, 'uri'> & Omit<ResourceTemplate, 'uriTemplate'> {
  // Arguments of a resource appear only in its URI, so they keep the function's names.
  const { title, mimeType, icons, annotations, scopes, origin, input, binding, _meta } = resource;
  const description = prependDeprecation(resource, resource.description ?? '');
  const name = deriveItemName(resource, context);
  const properties = Object.entries(input.properties ?? {});
  return {
    name,
    title: title ?? (toSentenceCase(resource.name) || name),
    ...(description === '' ? {} : { description }),
    ...omitUndefined({ mimeType, icons, annotations, _meta }),
    binding: {
      do: {
        ...addSample(binding, resource, context),
        ...(properties.length === 0 ? {} : { input: addReachedDefs(input, context.view) }),
      },
      ...omitUndefined({ list: resource.list }),
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(resource.uri.includes('{')
        ? { schemas: deriveVariableSchemas(resource.uri, properties, context) }
        : {}),
    },
    origin,
  };
}

const LONGEST_SAMPLE = 2_000;

/** Nothing else of the server says what the JSON of a resource looks like. */
function addSample(
  binding: FunctionBinding,
  { output }: FunctionResource,
  { view }: FunctionsContext,
): FunctionBinding {
  if (typeof output !== 'object') return binding;
  const $defs = Object.fromEntries(view.collectReached([output]));
  const compile = (schema: JsonSchemaObject) => makeSchemaTest(schema, schema.$defs);
  const full = makeSample({ ...output, $defs }, { full: true, compile });
  const isLong = JSON.stringify(full ?? null).length > LONGEST_SAMPLE;
  const sample = isLong ? makeSample({ ...output, $defs }, { compile }) : full;
  return sample === undefined
    ? binding
    : { ...binding, result: { ...binding.result, sample: sample as Json } };
}

/** Returns the schemas of the URI's variables without references, since the runtime reads texts by them. */
function deriveVariableSchemas(
  uri: string,
  properties: [string, JsonSchema][],
  { view }: FunctionsContext,
): Record<string, JsonSchema> {
  const variables = listTemplateVariables(uri);
  const entries = properties
    .filter(([name]) => variables.includes(name))
    .map(([name, schema]): [string, JsonSchema] => [name, pickKeywordsForTexts(schema, view)]);
  return Object.fromEntries(entries);
}

/** Keeps the keywords by which a server converts the texts of a URI; for a list, those of its items too. */
function pickKeywordsForTexts(schema: JsonSchema, view: SchemaView): JsonSchema {
  const target = inlineReference(schema, view);
  const { items } = typeof target === 'object' ? target : {};
  const itemsForm = items === undefined ? undefined : pickItemKeywordsForTexts(items, view);
  return { ...pickItemKeywordsForTexts(target, view), ...omitUndefined({ items: itemsForm }) };
}

function pickItemKeywordsForTexts(schema: JsonSchema, view: SchemaView): JsonSchemaObject {
  const target = inlineReference(schema, view);
  if (typeof target !== 'object') return {};
  const { type, enum: values, const: constant, format, anyOf } = target;
  return {
    ...omitUndefined({
      type,
      enum: values,
      const: constant,
      format,
      anyOf: anyOf?.map((branch) => pickItemKeywordsForTexts(branch, view)),
    }),
  };
}

function derivePrompt(prompt: FunctionPrompt, context: FunctionsContext): Prompt {
  const { title, icons, scopes, origin, _meta } = prompt;
  const description = prependDeprecation(prompt, prompt.description ?? '');
  const { input, binding } = deriveFunctionArguments(prompt, context);
  const name = deriveItemName(prompt, context);
  const { properties = {}, required = [] } = input;
  const args = Object.entries(properties).map(([argument, schema]) => ({
    name: argument,
    ...describePromptArgument(schema, context),
    ...(required.includes(argument) ? { required: true } : {}),
  }));
  return {
    name,
    title: title ?? (toSentenceCase(prompt.name) || name),
    ...(description === '' ? {} : { description }),
    ...omitUndefined({ icons, _meta }),
    ...(args.length === 0 ? {} : { arguments: args }),
    binding: {
      ...binding,
      // A prompt whose parameters are all hidden needs no input.
      ...(binding.parameters.length === 0
        ? {}
        : { input: addReachedDefs(inlinePropertyReferences(input, context.view), context.view) }),
      ...(scopes.length === 0 ? {} : { scopes }),
    },
    origin,
  };
}

/** The runtime decodes texts by each property's type, so references are resolved here. */
function inlinePropertyReferences(input: ObjectSchema, view: SchemaView): ObjectSchema {
  const entries = Object.entries(input.properties ?? {}).map(([name, schema]): [string, JsonSchema] => [
    name,
    inlineAlternatives(schema, view),
  ]);
  return { ...input, properties: Object.fromEntries(entries) };
}

function inlineAlternatives(schema: JsonSchema, view: SchemaView): JsonSchema {
  const target = inlineReference(schema, view);
  if (typeof target !== 'object' || target.anyOf === undefined) return target;
  return { ...target, anyOf: target.anyOf.map((branch) => inlineAlternatives(branch, view)) };
}

/** An argument of a prompt has no schema, so its choices and its default are said in words. */
function describePromptArgument(
  schema: JsonSchema,
  { settings, view }: FunctionsContext,
): { title?: string; description?: string } {
  const { title, description = '', default: standard } = typeof schema === 'object' ? schema : {};
  const choices = listChoices(schema, view);
  const facts = [
    ...(choices.length === 0 ? [] : [`One of: ${choices.join(', ')}.`]),
    ...(standard === undefined ? [] : [`Default: ${formatJsonValue(standard)}.`]),
  ];
  const words = appendWithinBudget(facts.join(' '), htmlToPlainText(description), settings.argumentBudget);
  return { ...omitUndefined({ title, description: words === '' ? undefined : words }) };
}

function listChoices(schema: JsonSchema, view: SchemaView): string[] {
  const target = inlineReference(schema, view);
  if (typeof target !== 'object') return [];
  if (target.const !== undefined) return [formatJsonValue(target.const)];
  return (target.enum ?? []).filter((value) => value !== null).map(formatJsonValue);
}

function formatJsonValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
