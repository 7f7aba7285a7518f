// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Finds the part of a tool's arguments that a path leads to. */
import {
  type JsonSchema,
  type JsonSchemaObject,
  escapePointerToken,
  unescapePointerToken,
} from '../contract/json-schema.ts';
import { getOwnMember, isRecord } from '../contract/json-value.ts';
import { findDefinition } from './signature.ts';

/** `step` is the one that leads nowhere from `at`. */
export type Found = { schema: JsonSchema } | { known: string[]; at: string; step: string };

/** Follows a JSON Pointer over arguments, in which `*` is any item or any other member. */
export function findArgumentPart(root: JsonSchemaObject, path: string): Found {
  const steps = path
    .split('/')
    .slice(path.startsWith('/') ? 1 : 0)
    .filter((step) => step !== '');
  let at: JsonSchema[] = [root];
  let place = '';
  for (const step of steps.map(unescapePointerToken)) {
    const next = at.flatMap((schema) => schemasBehindStep(schema, step, root, 0));
    if (next.length === 0)
      return { known: [...new Set(at.flatMap((schema) => listSteps(schema, root, 0)))], at: place, step };
    at = next;
    place += `/${escapePointerToken(step)}`;
  }
  const [first = true] = at;
  return { schema: at.length > 1 ? { anyOf: at } : first };
}

const MOST_NESTING = 16;

/** A schema and the parts that describe the same value. */
function schemasOfSameValue(schema: JsonSchema, root: JsonSchemaObject, nesting: number): JsonSchemaObject[] {
  if (typeof schema === 'boolean' || nesting > MOST_NESTING) return [];
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  const parts = [...allOf, ...anyOf, ...oneOf, ...($ref === undefined ? [] : [findDefinition(root, $ref)])];
  return [schema, ...parts.flatMap((part) => schemasOfSameValue(part, root, nesting + 1))];
}

function schemasBehindStep(
  schema: JsonSchema,
  step: string,
  root: JsonSchemaObject,
  nesting: number,
): JsonSchema[] {
  return schemasOfSameValue(schema, root, nesting).flatMap((part) => {
    const own = getOwnMember(part.properties ?? {}, step);
    if (own !== undefined) return [own];
    if (step === '*') return listOthers(part);
    if (!/^\d+$/.test(step)) return [];
    const item = part.prefixItems?.[Number(step)];
    return item === undefined ? listOthers({ ...part, prefixItems: [] }) : [item];
  });
}

/** `*` stands for the items, and for the members whose names the schema does not list. */
function listOthers({
  items,
  prefixItems = [],
  patternProperties = {},
  additionalProperties: others,
}: JsonSchemaObject): JsonSchema[] {
  return [
    ...prefixItems,
    ...(items === undefined || items === false ? [] : [items]),
    ...Object.values(patternProperties),
    ...(isRecord(others) ? [others] : []),
  ];
}

function listSteps(schema: JsonSchema, root: JsonSchemaObject, nesting: number): string[] {
  return schemasOfSameValue(schema, root, nesting).flatMap((part) => [
    ...Object.keys(part.properties ?? {}),
    ...(listOthers(part).length === 0 ? [] : ['*']),
  ]);
}
