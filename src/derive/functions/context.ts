/** Rules that tools, resources and prompts made of functions share. */
import type { FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema, ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { FunctionPrompt, FunctionResource, FunctionTool } from '../../model/source-model.ts';
import { definedMembers } from '../../util/collections.ts';
import { cleanName, fitName, nameFault, withSuffix } from '../names/clean-name.ts';
import type { DeriveSettings } from '../options.ts';
import type { OutputSchemas } from '../schema/output-schema.ts';
import type { SchemaView } from '../schema/schema-view.ts';

export interface FunctionsContext {
  settings: DeriveSettings;
  view: SchemaView;
  outputs: OutputSchemas;
  diagnostics: DiagnosticCollector;
}

type Item = FunctionTool | FunctionResource | FunctionPrompt;

export function deriveItemName(item: Item, { settings, diagnostics }: FunctionsContext): string {
  const { prefix, maxNameLength } = settings;
  const from = `${prefix}${item.name}`;
  const why = nameFault(from, maxNameLength);
  if (why === undefined) return from;
  const to = fitName(`${prefix}${cleanName(item.name) || 'item'}`, maxNameLength);
  const fix =
    item.kind === 'function-resource' ? 'Rename the function' : 'Write a name of your own behind the tag';
  diagnostics.report('name-cleaned', { from, to, why, fix }, { at: item.origin });
  return to;
}

export function withDeprecation({ deprecated = '' }: Item, text: string): string {
  return `${deprecated} ${text}`.trim();
}

export function deriveFunctionArguments(
  { input, binding, origin, argumentOrigins = {} }: FunctionTool | FunctionPrompt,
  { diagnostics }: FunctionsContext,
): { input: ObjectSchema; binding: FunctionBinding } {
  return renameArguments(input, binding, (from, to, why) => {
    const at = Object.hasOwn(argumentOrigins, from) ? argumentOrigins[from] : undefined;
    diagnostics.report('name-cleaned', { from, to, why, fix: 'Rename the parameter' }, { at: at ?? origin });
  });
}

export function withDefs(schema: ObjectSchema, view: SchemaView): ObjectSchema {
  const seen = view.of(schema) as ObjectSchema;
  const defs = view.reach([seen]);
  return defs.size === 0 ? seen : { ...seen, $defs: Object.fromEntries(defs) };
}

const longestName = 64;

/**
 * Renames a function's arguments that clients would refuse. The binding maps new names back; `renamed` is called for
 * each.
 */
function renameArguments(
  input: ObjectSchema,
  binding: FunctionBinding,
  renamed: (from: string, to: string, why: string) => void,
): { input: ObjectSchema; binding: FunctionBinding } {
  const { properties = {}, required } = input;
  const names = new Map<string, string>();
  const all = Object.keys(properties);
  const taken = new Set(all.filter((name) => nameFault(name, longestName) === undefined));
  for (const name of all) {
    const why = nameFault(name, longestName);
    if (why === undefined) continue;
    const free = freeName(name, taken);
    taken.add(free);
    names.set(name, free);
    renamed(name, free, why);
  }
  if (names.size === 0) return { input, binding };
  const now = (name: string): string => names.get(name) ?? name;
  return {
    input: {
      ...input,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]): [string, JsonSchema] => [now(name), schema]),
      ),
      ...definedMembers({ required: required?.map(now) }),
    },
    binding: {
      ...binding,
      properties: Object.fromEntries([...names].map(([from, to]) => [to, from])),
    },
  };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const base = fitName(cleanName(name) || 'value', longestName);
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const numbered = withSuffix(base, String(number), longestName);
    if (!taken.has(numbered)) return numbered;
  }
}
