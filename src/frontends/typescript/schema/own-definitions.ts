/** `$defs` of a `@schema` that stands within a tool's schema: there, `#/$defs` are the types of the program. */
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/schema/json-schema.ts';
import { member } from '../../../../templates/runtime/schema/json-value.ts';
import { mapSubschemas, refName } from '../../../model/schema-walk.ts';
import type { NotedSchema } from './check-references.ts';

/** Puts what they name in the place of each reference, but for what refers to itself. `tops` are a tool's whole schema. */
export function resolveOwnDefinitions(
  noted: readonly NotedSchema[],
  tops: ReadonlySet<JsonSchemaObject>,
): void {
  for (const each of noted) {
    const { schema } = each;
    const { $defs, ...given } = each.given;
    if (tops.has(schema) || $defs === undefined || given.$id !== undefined) continue;
    const resolved = resolve(given, $defs, []);
    if (typeof resolved !== 'object') continue;
    // What a tag says beside it wins.
    for (const [keyword, value] of Object.entries(each.given))
      if (schema[keyword] === value) Reflect.deleteProperty(schema, keyword);
    Object.assign(schema, { ...resolved, ...schema });
    each.given = resolved;
  }
}

/** Undefined where it contains itself. `open` are the names that it stands in. */
function resolve(
  given: JsonSchema,
  definitions: Record<string, JsonSchema>,
  open: readonly string[],
): JsonSchema | undefined {
  if (typeof given === 'boolean') return given;
  let isEndless = false;
  const mapped = mapSubschemas(given, (inner, keyword) => {
    const resolved = keyword === '$defs' ? inner : resolve(inner, definitions, open);
    isEndless ||= resolved === undefined;
    return resolved ?? inner;
  });
  const name = refName(mapped.$ref);
  const target = name === undefined ? undefined : (member(definitions, name) as JsonSchema | undefined);
  if (isEndless || name === undefined || target === undefined) return isEndless ? undefined : mapped;
  const put = open.includes(name) ? undefined : resolve(target, definitions, [...open, name]);
  if (put === undefined) return undefined;
  const others = { ...mapped };
  delete others.$ref;
  return Object.keys(others).length === 0 ? put : { ...others, allOf: [...(others.allOf ?? []), put] };
}
