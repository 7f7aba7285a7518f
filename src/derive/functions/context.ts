/** Rules that tools, resources and prompts made of functions share. */
import type { FunctionBinding } from '../../model/bindings.ts';
import type { JsonSchema, ObjectSchema } from '../../util/json-schema.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { FunctionPrompt, FunctionResource, FunctionTool } from '../../model/source-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import { NAME_LENGTH } from '../../config/options/values.ts';
import { bindingKey } from '../../model/operation-key.ts';
import { cleanName, cleanPrefix, findNameFault } from '../names/clean-name.ts';
import { readLockedName } from '../names/name-locks.ts';
import { fitName, addSuffix, isMadeFrom } from '../names/shorter-name.ts';
import type { DeriveSettings } from '../options.ts';
import type { OutputSchemas } from '../schema/output-schema.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { htmlToPlainText } from '../text/plain-text.ts';
import { findFreeName } from '../../util/free-name.ts';

export interface FunctionsContext {
  settings: DeriveSettings;
  view: SchemaView;
  outputs: OutputSchemas;
  diagnostics: DiagnosticCollector;
}

type Item = FunctionTool | FunctionResource | FunctionPrompt;

export function deriveItemName(item: Item, { settings, diagnostics }: FunctionsContext): string {
  const isTool = item.kind === 'function-tool';
  const { prefix, toolNames } = settings;
  const limit = isTool ? settings.maxNameLength : settings.maxItemName;
  const alphabet = isTool ? toolNames : 'items';
  const from = `${prefix}${item.name}`;
  const why = findNameFault(from, limit, alphabet);
  if (why === undefined) return from;
  const locked = isTool ? findLockedName(item, from, settings) : undefined;
  if (locked !== undefined) return locked;
  const start = cleanPrefix(prefix, alphabet);
  const to = `${start}${fitName(cleanName(item.name, alphabet) || 'item', limit - start.length)}`;
  const fix =
    item.kind === 'function-resource' ? 'Rename the function' : 'Write a name of your own behind the tag';
  diagnostics.report('name-cleaned', { from, to, why, fix }, { at: item.origin });
  return to;
}

/** Finds the name in the lock, if it follows from the function's present name by the limit or alphabet of an earlier run. */
function findLockedName(
  { binding }: FunctionTool,
  name: string,
  { nameLock, rename }: DeriveSettings,
): string | undefined {
  const { name: locked } = readLockedName(nameLock, bindingKey(binding));
  if (rename || locked === undefined || findNameFault(locked, NAME_LENGTH.longest, 'spec') !== undefined)
    return undefined;
  return isMadeFrom(locked, name) ? locked : undefined;
}

/** Adds a deprecation to the description of an item, without HTML. */
export function prependDeprecation({ deprecated = '' }: Item, text: string): string {
  return htmlToPlainText(`${deprecated} ${text}`);
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

export function addReachedDefs(schema: ObjectSchema, view: SchemaView): ObjectSchema {
  const seen = view.rewriteSchema(schema) as ObjectSchema;
  const defs = view.collectReached([seen]);
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
  const takenNames = new Set(all.filter((name) => findNameFault(name, longestName) === undefined));
  for (const name of all) {
    const why = findNameFault(name, longestName);
    if (why === undefined) continue;
    const base = fitName(cleanName(name) || 'value', longestName);
    const free = findFreeName(
      base,
      (candidate) => takenNames.has(candidate),
      (number) => addSuffix(base, String(number), longestName),
    );
    takenNames.add(free);
    names.set(name, free);
    renamed(name, free, why);
  }
  if (names.size === 0) return { input, binding };
  const findNewName = (name: string): string => names.get(name) ?? name;
  return {
    input: {
      ...input,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]): [string, JsonSchema] => [findNewName(name), schema]),
      ),
      ...omitUndefined({ required: required?.map(findNewName) }),
    },
    binding: {
      ...binding,
      properties: Object.fromEntries([...names].map(([from, to]) => [to, from])),
    },
  };
}
