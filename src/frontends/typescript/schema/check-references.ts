/** Checks the references of `@schema`, which may name any type of the program. */
import { compileSchema, SchemaDefect } from '../../../../templates/runtime/schema/index.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { reachedFrom, refName, refsIn } from '../../../model/schema-walk.ts';
import type { NotedSchema, TellAt } from './form.ts';

/** `tops` are the schemas of whole tools. */
export function checkReferences(
  noted: readonly NotedSchema[],
  tops: ReadonlySet<JsonSchemaObject>,
  schemas: Record<string, JsonSchema>,
  tell: TellAt,
): void {
  for (const { schema, given, tag } of noted) {
    const isTop = tops.has(schema);
    const problem = (isTop ? undefined : findMisplaced(given)) ?? findDefect(given, isTop, schemas);
    if (problem !== undefined) tell('bad-schema', { problem }, tag);
  }
}

/** In a tool's schema `#` is the whole, and `#/$defs` are the named types. A schema with `$id` has its own. */
function findMisplaced(given: JsonSchemaObject): string | undefined {
  if (given.$id !== undefined) return undefined;
  const isOdd = (ref: string): boolean => {
    const name = refName(ref);
    return ref.startsWith('#') && (name === undefined || Object.hasOwn(given.$defs ?? {}, name));
  };
  const odd = [...refsIn(given)].find(isOdd);
  return odd === undefined
    ? undefined
    : `its \`$ref\` ${JSON.stringify(odd)} starts at the top of the tool's schema, and this one stands within it`;
}

function findDefect(
  given: JsonSchemaObject,
  isTop: boolean,
  schemas: Record<string, JsonSchema>,
): string | undefined {
  try {
    if (isTop) compileSchema({ ...given, $defs: { ...schemas, ...given.$defs } });
    else compileSchema({ $defs: reachedFrom(given, schemas), items: given });
    return undefined;
  } catch (error) {
    if (error instanceof SchemaDefect) return error.message.replace('#/items', '#');
    throw error;
  }
}
