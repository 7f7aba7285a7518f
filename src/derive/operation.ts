import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Tool } from '../model/server-model.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import { argumentExamples } from './arguments/argument-examples.ts';
import { deriveAnnotations } from './annotations.ts';
import type { BodyChoice } from './body/body-choice.ts';
import { type ArgumentsContext, deriveArguments, type ToolArguments } from './arguments/arguments.ts';
import { deriveHttpBinding } from './http-binding.ts';
import { deriveInputSchema } from './arguments/input-schema.ts';
import type { DeriveSettings } from './options.ts';
import type { OutputSchemas } from './schema/output-schema.ts';
import type { SchemaViews } from './schema/schema-views.ts';
import { deriveScopes } from './security/scopes.ts';
import { deriveToolText, type ToolText } from './text/tool-text.ts';
import { definedMembers } from '../util/defined-members.ts';

export interface DeriveContext extends ArgumentsContext {
  source: SourceModel;
  settings: DeriveSettings;
  nameOf: (operation: Operation) => string;
  bodyMediaOf: BodyChoice;
  views: SchemaViews;
  outputs: OutputSchemas;
  diagnostics: DiagnosticCollector;
}

/** The fields that a tool and a resource of one operation share. */
export interface Prepared {
  operation: Operation;
  name: string;
  text: ToolText;
  args: ToolArguments;
  scopes: string[];
}

export function prepareOperation(operation: Operation, context: DeriveContext): Prepared {
  const { source, settings, nameOf } = context;
  const args = deriveArguments(operation, context);
  return {
    operation,
    name: nameOf(operation),
    text: deriveToolText(operation, args.notes, settings.descriptionBudget),
    args,
    scopes: deriveScopes(operation, source),
  };
}

export function deriveTool(prepared: Prepared, context: DeriveContext): Tool {
  const { operation, name, text, args, scopes } = prepared;
  const { source, views, outputs } = context;
  const output = outputs.derive(operation);
  if (output.kind === 'too-large') reportTooLarge(operation, name, context);
  const { icons } = operation.xMcp ?? {};
  const examples = argumentExamples(operation, args, source.schemas);
  return {
    name,
    ...text,
    ...definedMembers({ icons }),
    inputSchema: deriveInputSchema(args.list, views.input),
    ...definedMembers({ examples }),
    ...(output.kind === 'schema' ? { outputSchema: output.schema } : {}),
    annotations: deriveAnnotations(operation, source.xMcp?.annotations),
    binding: deriveHttpBinding(prepared, output.kind === 'schema' && output.wrapped),
    scopes,
    tags: operation.tags,
    origin: operation.origin,
  };
}

function reportTooLarge(operation: Operation, tool: string, { settings, diagnostics }: DeriveContext): void {
  const at = operation.origin;
  diagnostics.report('output-schema-too-large', { tool, limit: settings.outputSchemaLimit }, { at });
}
