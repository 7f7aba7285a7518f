/** JSON Schema as libraries write it → schemas that a tool may hold: each `$ref` leads to a member of `$defs`. */
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { getOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import { isSchemaObject, mapSubschemas, definitionNameOf, collectRefs } from '../../../model/schema-walk.ts';
import { findFreeName } from '../../../util/free-name.ts';

/** Deeper schemas are refused; people write far flatter ones. */
const DEEPEST = 100;

export type LibraryJson = { schema: JsonSchemaObject } | { misfit: string };

/** Reads a library's schema. The root gets `name`, if a `$ref` leads to it. */
export function normalizeLibrarySchema(schema: unknown, name: string): LibraryJson {
  if (!isSchemaObject(schema)) return { misfit: 'it is no object' };
  if (isTooDeep(schema)) return { misfit: `it has more than ${DEEPEST} levels` };
  const { $schema: dialect, ...given } = schema;
  if (typeof dialect === 'string' && !dialect.includes('/draft/2020-12/'))
    return { misfit: `its dialect is ${dialect}, and not 2020-12` };
  const normalized = moveTargetsToDefs(given, name);
  return 'misfit' in normalized ? normalized : { schema: inlineRootReference(normalized.schema) };
}

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > 2 * DEEPEST) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** In a tool's schema `#` is the whole, so what a pointer names moves to `$defs`. */
function moveTargetsToDefs(given: JsonSchemaObject, name: string): LibraryJson {
  const pointers = [...collectRefs(given)].filter(
    (ref) => ref.startsWith('#') && definitionNameOf(ref) === undefined,
  );
  if (pointers.length === 0 || given.$id !== undefined) return { schema: given };
  const names = new Map<string, string>();
  for (const pointer of pointers) {
    const wish = pointer === '#' ? name : `${name}_${pointer.replaceAll(/\W+/g, '_').replace(/^_/, '')}`;
    names.set(
      pointer,
      findFreeName(wish, (free) => Object.hasOwn(given.$defs ?? {}, free)),
    );
  }
  const renameReferences = (schema: JsonSchema): JsonSchema => {
    if (typeof schema === 'boolean') return schema;
    const mapped = mapSubschemas(schema, renameReferences);
    const to = names.get(mapped.$ref ?? '');
    return to === undefined ? mapped : { ...mapped, $ref: `#/$defs/${to}` };
  };
  const renamed = renameReferences(given) as JsonSchemaObject;
  const moved: Record<string, JsonSchema> = {};
  for (const [pointer, to] of names) {
    const target = findPointerTarget(pointer, renamed);
    if (target === undefined) return { misfit: `its \`$ref\` ${JSON.stringify(pointer)} leads nowhere` };
    moved[to] = target;
  }
  return { schema: { ...renamed, $defs: { ...renamed.$defs, ...moved } } };
}

function findPointerTarget(pointer: string, schema: JsonSchemaObject): JsonSchema | undefined {
  if (pointer === '#') {
    const root = { ...schema };
    delete root.$defs;
    return root;
  }
  const steps = decodeURIComponent(pointer).slice(2).split('/');
  const target = steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null
      ? getOwnMember(value as Record<string, unknown>, key)
      : undefined;
  }, schema);
  return typeof target === 'boolean' || isSchemaObject(target) ? target : undefined;
}

/** Replaces a reference at the top by its target, since a tool's input schema must be an object there. */
function inlineRootReference(schema: JsonSchemaObject): JsonSchemaObject {
  const { $ref, ...rest } = schema;
  const name = definitionNameOf($ref);
  const target = name === undefined ? undefined : getOwnMember(schema.$defs ?? {}, name);
  return isSchemaObject(target) && definitionNameOf(target.$ref) === undefined
    ? { ...target, ...rest }
    : schema;
}
