/**
 * A schema that leads back to itself without a step into the value (`Pet: oneOf [Cat]`, `Cat: allOf [Pet]`) has no
 * end: JSON Schema Core, section 9.4.1, forbids it, and a validator can only refuse it.
 */
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject, refName } from '../../../model/schema-walk.ts';

const LISTS = ['allOf', 'anyOf', 'oneOf'] as const;
const SINGLES = ['not', 'if', 'then', 'else'] as const;

interface Visit {
  name: string;
  left: JsonSchemaObject[];
}

/**
 * Removes the `$ref` that closes such a circle; the rest of its schema stays. Names are visited in order, so the
 * document's order does not matter.
 */
export function cutEndless(schemas: Record<string, JsonSchema>, report: (name: string) => void): void {
  const done = new Set<string>();
  for (const start of Object.keys(schemas).sort()) {
    const open = new Set<string>();
    const path: Visit[] = [];
    const enter = (name: string): void => {
      open.add(name);
      path.push({ name, left: Object.hasOwn(schemas, name) ? referencesInPlace(schemas[name]) : [] });
    };
    if (!done.has(start)) enter(start);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const holder = visit.left.pop();
      const target = refName(holder?.$ref);
      if (holder === undefined) {
        path.pop();
        open.delete(visit.name);
        done.add(visit.name);
      } else if (target !== undefined && open.has(target)) {
        Reflect.deleteProperty(holder, '$ref');
        report(visit.name);
      } else if (target !== undefined && !done.has(target)) {
        enter(target);
      }
    }
  }
}

/** Collects the schemas with a `$ref` that apply to the same value. */
function referencesInPlace(schema: JsonSchema | undefined): JsonSchemaObject[] {
  if (!isSchemaObject(schema)) return [];
  const own = schema.$ref === undefined ? [] : [schema];
  const lists = LISTS.flatMap((keyword) => schema[keyword] ?? []);
  const singles = SINGLES.map((keyword) => schema[keyword]);
  const dependent = Object.values(schema.dependentSchemas ?? {});
  return [...own, ...[...lists, ...singles, ...dependent].flatMap(referencesInPlace)];
}
