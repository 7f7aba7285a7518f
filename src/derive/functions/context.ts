/** What is alike in tools, resources and prompts made of functions. */
import type { FunctionBinding } from '../../../templates/runtime/bindings.ts';
import type { ObjectSchema } from '../../../templates/runtime/schema/json-schema.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { FunctionPrompt, FunctionResource, FunctionTool } from '../../model/source-model.ts';
import { cleanName, fitName } from '../clean-name.ts';
import type { DeriveSettings } from '../options.ts';
import type { OutputSchemas } from '../output-schema.ts';
import type { SchemaView } from '../schema-view.ts';
import { functionArguments } from './arguments.ts';

export interface FunctionsContext {
  settings: DeriveSettings;
  /** The shared schemas as they are: what a type says of arguments holds. */
  view: SchemaView;
  outputs: OutputSchemas;
  diagnostics: DiagnosticCollector;
}

type Item = FunctionTool | FunctionResource | FunctionPrompt;

/** Written for what clients take. */
export function nameOf(item: Item, { settings, diagnostics }: FunctionsContext): string {
  const { prefix, maxNameLength } = settings;
  const name = fitName(`${prefix}${cleanName(item.name) || 'item'}`, maxNameLength);
  const from = `${prefix}${item.name}`;
  if (name !== from) diagnostics.report('name-cleaned', { from, to: name }, { at: item.origin });
  return name;
}

/** That it is deprecated comes first. */
export function withDeprecation({ deprecated = '' }: Item, text: string): string {
  return `${deprecated} ${text}`.trim();
}

export function argumentsOf(
  { input, binding, origin }: Item,
  { diagnostics }: FunctionsContext,
): { input: ObjectSchema; binding: FunctionBinding } {
  return functionArguments(input, binding, (from, to) => {
    diagnostics.report('name-cleaned', { from, to }, { at: origin });
  });
}

/** With the shared schemas that it reaches. */
export function withDefs(schema: ObjectSchema, view: SchemaView): ObjectSchema {
  const seen = view.of(schema) as ObjectSchema;
  const defs = view.reach([seen]);
  return defs.size === 0 ? seen : { ...seen, $defs: Object.fromEntries(defs) };
}
