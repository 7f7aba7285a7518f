/** Rules that tools, resources and prompts made of functions share. */
import type { FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { FunctionPrompt, FunctionResource, FunctionTool } from '../../model/source-model.ts';
import { cleanName, fitName, nameFault } from '../names/clean-name.ts';
import type { DeriveSettings } from '../options.ts';
import type { OutputSchemas } from '../schema/output-schema.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { functionArguments } from './arguments.ts';

export interface FunctionsContext {
  settings: DeriveSettings;
  view: SchemaView;
  outputs: OutputSchemas;
  diagnostics: DiagnosticCollector;
}

type Item = FunctionTool | FunctionResource | FunctionPrompt;

/** The item's own name, unless clients refuse it. */
export function nameOf(item: Item, { settings, diagnostics }: FunctionsContext): string {
  const { prefix, maxNameLength } = settings;
  const from = `${prefix}${item.name}`;
  const why = nameFault(from, maxNameLength);
  if (why === undefined) return from;
  const to = fitName(`${prefix}${cleanName(item.name) || 'item'}`, maxNameLength);
  const way =
    item.kind === 'function-resource' ? 'Rename the function' : 'Write a name of your own behind the tag';
  diagnostics.report('name-cleaned', { from, to, why, way }, { at: item.origin });
  return to;
}

/** A deprecation note comes first. */
export function withDeprecation({ deprecated = '' }: Item, text: string): string {
  return `${deprecated} ${text}`.trim();
}

export function argumentsOf(
  { input, binding, origin, argumentOrigins = {} }: FunctionTool | FunctionPrompt,
  { diagnostics }: FunctionsContext,
): { input: ObjectSchema; binding: FunctionBinding } {
  return functionArguments(input, binding, (from, to, why) => {
    const at = Object.hasOwn(argumentOrigins, from) ? argumentOrigins[from] : undefined;
    diagnostics.report('name-cleaned', { from, to, why, way: 'Rename the parameter' }, { at: at ?? origin });
  });
}

export function withDefs(schema: ObjectSchema, view: SchemaView): ObjectSchema {
  const seen = view.of(schema) as ObjectSchema;
  const defs = view.reach([seen]);
  return defs.size === 0 ? seen : { ...seen, $defs: Object.fromEntries(defs) };
}
