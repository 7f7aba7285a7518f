// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Finds the part of a tool's arguments that a path leads to. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { Schema, SchemaObject } from '../../types.ts';
import { nearest, resolveReference } from '../../validate.ts';

/** Each step looks at all alternatives of a schema, which may contain itself. */
const MAX_STEPS = 40;
const MAX_NAMES = 40;

/** Follows a JSON Pointer (RFC 6901) over arguments, in which `*` is any item or any other member. A text: why it leads nowhere. */
export function findArgumentPart(root: SchemaObject, path: string): Schema | string {
  const steps = path.split('/').filter((step) => step !== '');
  if (steps.length > MAX_STEPS) return `A path has at most ${MAX_STEPS} steps.`;
  let schemas = new Set<Schema>([root]);
  for (const [at, step] of steps.entries()) {
    const parts = alternativesOf(schemas, root);
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    schemas = new Set(parts.flatMap((part) => schemasBehind(part, name)));
    if (schemas.size > 0) continue;
    const place = steps.slice(0, at).map((before) => `/${before}`);
    const names = [...new Set(parts.flatMap(stepsOf))];
    const suggestion = nearest(name, names);
    const hint =
      suggestion === undefined
        ? ''
        : ` Did you mean ${place.join('')}/${suggestion.replaceAll('~', '~0').replaceAll('/', '~1')}?`;
    return `There is nothing at ${path}.${hint} At ${place.join('') || '/'}: ${names.slice(0, MAX_NAMES).join(', ') || 'nothing'}.`;
  }
  const [first = true] = schemas;
  return schemas.size > 1 ? { anyOf: [...schemas] } : first;
}

/** The schemas and the parts that describe the same value, each once. */
function alternativesOf(schemas: Iterable<Schema>, root: SchemaObject): SchemaObject[] {
  const all = new Set(schemas);
  // The loop reaches what is added on the way.
  for (const schema of all) {
    if (typeof schema === 'boolean') continue;
    const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema as Record<string, Schema[] | string>;
    for (const part of [allOf, anyOf, oneOf].flat() as Schema[]) all.add(part);
    const target = typeof $ref === 'string' ? resolveReference(root, $ref) : undefined;
    if (isRecord(target)) all.add(target as SchemaObject);
  }
  return [...all].filter((schema) => typeof schema !== 'boolean');
}

function schemasBehind(part: SchemaObject, step: string): Schema[] {
  const property = ownMember(part.properties, step);
  if (property !== undefined) return [property];
  if (step === '*') return othersOf(part);
  if (!/^\d+$/.test(step)) return [];
  const item = ((part['prefixItems'] ?? []) as Schema[])[Number(step)];
  return item === undefined ? othersOf({ ...part, prefixItems: [] }) : [item];
}

/** The items, and the members whose names the schema does not list. */
function othersOf({ items, prefixItems = [], patternProperties = {}, additionalProperties }: SchemaObject) {
  const named = Object.values(patternProperties as Record<string, Schema>);
  const rest = [items, additionalProperties].filter((schema) => isRecord(schema)) as SchemaObject[];
  return [...(prefixItems as Schema[]), ...named, ...rest];
}

const stepsOf = (part: SchemaObject): string[] => [
  ...Object.keys(part.properties ?? {}),
  ...(othersOf(part).length === 0 ? [] : ['*']),
];
