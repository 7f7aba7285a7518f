/** The arguments of a function under names that clients take. */
import type { FunctionBinding } from '../../../templates/runtime/bindings.ts';
import type { JsonSchema, ObjectSchema } from '../../../templates/runtime/schema/json-schema.ts';
import { cleanName, fitName, withSuffix } from '../clean-name.ts';

const longestName = 64;

/** The binding maps new names back; `renamed` is told of each. */
export function functionArguments(
  input: ObjectSchema,
  binding: FunctionBinding,
  renamed: (from: string, to: string) => void,
): { input: ObjectSchema; binding: FunctionBinding } {
  const { properties = {}, required } = input;
  const names = new Map<string, string>();
  for (const name of Object.keys(properties)) {
    const free = freeName(name, new Set(names.values()));
    names.set(name, free);
    if (free !== name) renamed(name, free);
  }
  if ([...names].every(([from, to]) => from === to)) return { input, binding };
  const now = (name: string): string => names.get(name) ?? name;
  return {
    input: {
      ...input,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]): [string, JsonSchema] => [now(name), schema]),
      ),
      ...(required === undefined ? {} : { required: required.map(now) }),
    },
    binding: {
      ...binding,
      properties: Object.fromEntries(
        [...names].filter(([from, to]) => from !== to).map(([from, to]) => [to, from]),
      ),
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
