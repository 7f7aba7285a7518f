/** What is served of functions: tools, resources and templates, prompts, and the completions of their arguments. */
import type { CompletionBinding, FunctionBinding } from '../../templates/runtime/bindings.ts';
import type {
  JsonSchema,
  JsonSchemaObject,
  ObjectSchema,
} from '../../templates/runtime/schema/json-schema.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from '../model/server-model.ts';
import type {
  Capability,
  FunctionCompletion,
  FunctionPrompt,
  FunctionResource,
  FunctionTool,
  SourceModel,
} from '../model/source-model.ts';
import { asSchemaObject } from '../model/schema-walk.ts';
import { byteSize } from './byte-size.ts';
import { cleanName, fitName } from './clean-name.ts';
import { functionArguments } from './function-arguments.ts';
import { nearest } from './nearest.ts';
import type { DeriveSettings } from './options.ts';
import { SchemaView } from './schema-view.ts';
import { trimText } from './trim-text.ts';
import { sentenceOf } from './words.ts';

export interface FunctionSurface {
  tools: Tool[];
  resources: Resource[];
  resourceTemplates: ResourceTemplate[];
  prompts: Prompt[];
  completions: CompletionBinding[];
}

interface FunctionsContext {
  settings: DeriveSettings;
  /** The shared schemas as they are. */
  view: SchemaView;
  diagnostics: DiagnosticCollector;
}

export function deriveFunctions(
  { capabilities, schemas }: SourceModel,
  settings: DeriveSettings,
  diagnostics: DiagnosticCollector,
): FunctionSurface {
  const context = { settings, view: new SchemaView(schemas, (schema) => schema), diagnostics };
  const of = <K extends Capability['kind']>(kind: K): Extract<Capability, { kind: K }>[] =>
    capabilities.filter((each): each is Extract<Capability, { kind: K }> => each.kind === kind);
  const tools = of('function-tool').map((each) => deriveTool(each, context));
  const readable = of('function-resource');
  const resources = readable.filter(({ uri }) => !uri.includes('{'));
  const templates = readable.filter(({ uri }) => uri.includes('{'));
  const prompts = of('function-prompt');
  const surface: FunctionSurface = {
    tools,
    resources: resources.map((each) => ({ uri: each.uri, ...deriveReadable(each, context) })),
    resourceTemplates: templates.map((each) => ({ uriTemplate: each.uri, ...deriveReadable(each, context) })),
    prompts: prompts.map((each) => derivePrompt(each, context)),
    completions: [],
  };
  surface.completions = completionsOf(of('function-completion'), surface, context);
  return surface;
}

function deriveTool(tool: FunctionTool, context: FunctionsContext): Tool {
  const { settings, view } = context;
  const name = nameOf(tool, context);
  const { input, binding } = argumentsOf(tool, context);
  const output = outputOf(tool, name, context);
  const description = trimText(
    `${tool.deprecated === true ? 'Deprecated. ' : ''}${textOf(tool)}`,
    settings.descriptionBudget,
  );
  return {
    name,
    title: tool.title ?? (sentenceOf(tool.name) || name),
    ...(description === '' ? {} : { description }),
    ...(tool.icons === undefined ? {} : { icons: tool.icons }),
    inputSchema: withDefs(input, view),
    ...(output === undefined ? {} : { outputSchema: output.schema }),
    ...(Object.keys(tool.annotations).length === 0 ? {} : { annotations: tool.annotations }),
    ...(tool.execution === undefined ? {} : { execution: tool.execution }),
    binding:
      output?.wrapped === true ? { ...binding, result: { ...binding.result, wrapped: true } } : binding,
    scopes: tool.scopes,
    tags: [],
    origin: tool.origin,
  };
}

function textOf({ description = '', title = '', name }: FunctionTool): string {
  return description || title || sentenceOf(name);
}

/** The output schema is that of an object: any other value stands under `result`. */
function outputOf(
  { output, origin }: FunctionTool,
  tool: string,
  { settings, view, diagnostics }: FunctionsContext,
): { schema: ObjectSchema; wrapped: boolean } | undefined {
  if (output === undefined || settings.outputSchema === 'off') return undefined;
  const object = objectOf(output, view);
  const schema: ObjectSchema = withDefs(
    object ?? { type: 'object', properties: { result: asSchemaObject(output) }, required: ['result'] },
    view,
  );
  if (byteSize(schema) <= settings.outputSchemaLimit) return { schema, wrapped: object === undefined };
  diagnostics.report('output-schema-too-large', { tool, limit: settings.outputSchemaLimit }, { at: origin });
  return undefined;
}

/** The schema written out at the top, when it is a plain object's. */
function objectOf(schema: JsonSchema, view: SchemaView): ObjectSchema | undefined {
  const target = typeof schema === 'object' && schema.$ref !== undefined ? view.target(schema.$ref) : schema;
  if (typeof target !== 'object' || target.type !== 'object') return undefined;
  if (target.oneOf !== undefined || target.anyOf !== undefined || target.allOf !== undefined)
    return undefined;
  return { ...target, type: 'object' };
}

function withDefs(schema: JsonSchemaObject & ObjectSchema, view: SchemaView): ObjectSchema {
  const seen = view.of(schema) as ObjectSchema;
  const defs = view.reach([seen]);
  return defs.size === 0 ? seen : { ...seen, $defs: Object.fromEntries(defs) };
}

function deriveReadable(
  resource: FunctionResource,
  context: FunctionsContext,
): Omit<Resource, 'uri'> & Omit<ResourceTemplate, 'uriTemplate'> {
  const { title, description, mimeType, icons, annotations, scopes, origin } = resource;
  const { input, binding } = argumentsOf(resource, context);
  const name = nameOf(resource, context);
  const properties = Object.entries(input.properties ?? {});
  return {
    name,
    title: title ?? (sentenceOf(resource.name) || name),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(icons === undefined ? {} : { icons }),
    ...(annotations === undefined ? {} : { annotations }),
    binding: {
      do: properties.length === 0 ? binding : { ...binding, input: withDefs(input, context.view) },
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(resource.uri.includes('{') ? { schemas: schemasOf(resource.uri, properties, context) } : {}),
    },
    origin,
  };
}

/** Of the variables alone, written out: they say how texts are read. */
function schemasOf(
  uri: string,
  properties: [string, JsonSchema][],
  { view }: FunctionsContext,
): Record<string, JsonSchema> {
  const entries = properties
    .filter(([name]) => new RegExp(`[{,+#./;?&]${name}[}*:,]`).test(uri))
    .map(([name, schema]): [string, JsonSchema] => [name, typeOnly(schema, view)]);
  return Object.fromEntries(entries);
}

function typeOnly(schema: JsonSchema, view: SchemaView): JsonSchema {
  const target = typeof schema === 'object' && schema.$ref !== undefined ? view.target(schema.$ref) : schema;
  if (typeof target !== 'object') return {};
  const { type, items } = target;
  return {
    ...(type === undefined ? {} : { type }),
    ...(items === undefined ? {} : { items: typeOnly(items, view) }),
  };
}

function derivePrompt(prompt: FunctionPrompt, context: FunctionsContext): Prompt {
  const { title, description, icons, origin } = prompt;
  const { input, binding } = argumentsOf(prompt, context);
  const name = nameOf(prompt, context);
  const { properties = {}, required = [] } = input;
  const args = Object.entries(properties).map(([argument, schema]) => ({
    name: argument,
    ...textsOf(schema),
    ...(required.includes(argument) ? { required: true } : {}),
  }));
  return {
    name,
    title: title ?? (sentenceOf(prompt.name) || name),
    ...(description === undefined ? {} : { description }),
    ...(icons === undefined ? {} : { icons }),
    ...(args.length === 0 ? {} : { arguments: args }),
    binding:
      args.length === 0
        ? binding
        : { ...binding, input: withDefs(inlined(input, context.view), context.view) },
    origin,
  };
}

/** Texts are revived by the type of each property, so that it must stand there. */
function inlined(input: ObjectSchema, view: SchemaView): ObjectSchema {
  const entries = Object.entries(input.properties ?? {}).map(([name, schema]): [string, JsonSchema] => {
    const target =
      typeof schema === 'object' && schema.$ref !== undefined ? view.target(schema.$ref) : undefined;
    if (typeof target !== 'object' || typeof schema !== 'object') return [name, schema];
    const { $ref, ...own } = schema;
    void $ref;
    return [name, { ...target, ...own }];
  });
  return { ...input, properties: Object.fromEntries(entries) };
}

function textsOf(schema: JsonSchema): { title?: string; description?: string } {
  const { title, description } = typeof schema === 'object' ? schema : {};
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

/** Written for what clients take; each name of a kind stands once. */
function nameOf(
  item: FunctionTool | FunctionResource | FunctionPrompt,
  { settings, diagnostics }: FunctionsContext,
): string {
  const name = fitName(cleanName(item.name) || 'item', settings.maxNameLength);
  if (name !== item.name)
    diagnostics.report('name-cleaned', { from: item.name, to: name }, { at: item.origin });
  return name;
}

function argumentsOf(
  item: FunctionTool | FunctionResource | FunctionPrompt,
  { diagnostics }: FunctionsContext,
): { input: ObjectSchema; binding: FunctionBinding } {
  return functionArguments(item.input, item.binding, (from, to) => {
    diagnostics.report('name-cleaned', { from, to }, { at: item.origin });
  });
}

/** Those of functions, and of arguments whose type leaves a choice. */
function completionsOf(
  sources: FunctionCompletion[],
  { prompts, resourceTemplates }: FunctionSurface,
  { diagnostics }: FunctionsContext,
): CompletionBinding[] {
  const targets = [
    ...prompts.map(({ name, binding, arguments: args = [] }) => ({
      ref: { kind: 'prompt' as const, name },
      names: [name],
      arguments: args.map((each) => each.name),
      input: binding.kind === 'function' ? binding.input : undefined,
    })),
    ...resourceTemplates.map(({ name, uriTemplate: uri, binding }) => ({
      ref: { kind: 'resource' as const, uri },
      names: [name, uri],
      arguments: Object.keys(binding.schemas ?? {}),
      input: binding.do.kind === 'function' ? binding.do.input : undefined,
    })),
  ];
  const made = sources.flatMap(({ of, argument, binding, origin }): CompletionBinding[] => {
    const target = targets.find(
      ({ names, arguments: args }) => names.includes(of) && args.includes(argument),
    );
    if (target !== undefined) return [{ ref: target.ref, argument, from: binding }];
    const known = targets.flatMap((each) => each.arguments.map((name) => `${each.names[0] ?? ''}.${name}`));
    const meant = nearest(`${of}.${argument}`, known) ?? '';
    diagnostics.report('completion-without-target', { target: `${of}.${argument}`, meant }, { at: origin });
    return [];
  });
  const fixed = targets.flatMap(({ ref, arguments: args, input }) =>
    args.flatMap((argument): CompletionBinding[] => {
      const isMade = made.some((each) => each.argument === argument && each.ref === ref);
      const values = isMade ? [] : choicesOf(input?.properties?.[argument], input);
      return values.length === 0 ? [] : [{ ref, argument, from: { kind: 'values', values } }];
    }),
  );
  return [...made, ...fixed];
}

function choicesOf(schema: JsonSchema | undefined, input: ObjectSchema | undefined): string[] {
  if (typeof schema !== 'object') return [];
  const name = schema.$ref?.replace('#/$defs/', '');
  const target = name === undefined ? schema : input?.$defs?.[name];
  if (typeof target !== 'object') return [];
  if (target.type === 'boolean') return ['true', 'false'];
  return (target.enum ?? []).filter((value) => typeof value !== 'object').map(String);
}
