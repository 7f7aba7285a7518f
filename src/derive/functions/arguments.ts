/** Renames a function's arguments that clients would refuse. */
import type { FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema, ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { cleanName, fitName, nameFault, withSuffix } from '../names/clean-name.ts';
import { definedMembers } from '../../util/defined-members.ts';

const longestName = 64;

/** The binding maps new names back; `renamed` is called for each. */
export function functionArguments(
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
