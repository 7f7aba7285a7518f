/** Derives tools, resources, templates, prompts and completions from annotated functions. */
import type { CompletionBinding, FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from '../../model/server-model.ts';
import type { Capability, SourceModel } from '../../model/source-model.ts';
import { loosen } from '../schema/loosen.ts';
import type { DeriveSettings } from '../options.ts';
import { OutputSchemas } from '../schema/output-schema.ts';
import { SchemaView } from '../schema/schema-view.ts';
import { completionsOf } from './completions.ts';
import type { FunctionsContext } from './context.ts';
import { derivePrompt } from './prompt.ts';
import { deriveReadable } from './readable.ts';
import { deriveTool } from './tool.ts';

export interface FunctionSurface {
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
  const context = makeContext(source, settings, diagnostics);
  const of = <K extends Capability['kind']>(kind: K): Extract<Capability, { kind: K }>[] =>
    source.capabilities.filter((each): each is Extract<Capability, { kind: K }> => each.kind === kind);
  const readable = of('function-resource');
  const resources = readable.filter(({ uri }) => !uri.includes('{'));
  const templates = readable
    .filter(({ uri }) => uri.includes('{'))
    .map((of) => ({ of, template: { uriTemplate: of.uri, ...deriveReadable(of, context) } }));
  const prompts = of('function-prompt').map((each) => ({ of: each, prompt: derivePrompt(each, context) }));
  return {
    tools: of('function-tool').map((each) => deriveTool(each, context)),
    resources: resources.map((each) => ({ uri: each.uri, ...deriveReadable(each, context) })),
    resourceTemplates: templates.map(({ template }) => template),
    prompts: prompts.map(({ prompt }) => prompt),
    completions: completionsOf(of('function-completion'), { prompts, templates }, context),
    started: of('function-start').map(({ binding }) => binding),
  };
}

function makeContext(
  { schemas }: SourceModel,
  settings: DeriveSettings,
  diagnostics: DiagnosticCollector,
): FunctionsContext {
  const { functionOutputSchema: outputSchema, outputSchemaLimit } = settings;
  const view = new SchemaView(schemas, (schema) => schema);
  const outputView = outputSchema === 'loose' ? new SchemaView(schemas, loosen) : view;
  const outputs = new OutputSchemas(outputView, { outputSchema, outputSchemaLimit });
  return { settings, view, outputs, diagnostics };
}
