// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Finds the part of a tool's arguments that a path leads to. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import {
  escapeStep,
  findDefinition,
  type JsonSchema,
  type JsonSchemaObject,
  unescapeStep,
} from './signature.ts';

/** `step` is the one that leads nowhere from `at`; `tooDeep` a place that was not looked into. */
export type Found =
  { schema: JsonSchema } | { known: string[]; at: string; step: string } | { tooDeep: string };

/** Schemas that all steps of a path may lead through: a thousand alternatives that contain each other are so many at each. */
const MOST_SCHEMAS = 20_000;

/** Follows a JSON Pointer over arguments, in which `*` is any item or any other member. */
export function findArgumentPart(root: JsonSchemaObject, path: string): Found {
  const steps = path
    .split('/')
    .slice(path.startsWith('/') ? 1 : 0)
    .filter((step) => step !== '');
  // A recursive schema leads to the same candidates again and again, so each counts once.
  let at = new Set<JsonSchema>([root]);
  let place = '';
  let looked = 0;
  for (const step of steps.map(unescapeStep)) {
    const parts = schemasOfSameValue(at, root);
    looked += parts.length;
    if (looked > MOST_SCHEMAS) return { tooDeep: place };
    const next = new Set(parts.flatMap((part) => schemasBehindStep(part, step)));
    if (next.size === 0) return { known: [...new Set(parts.flatMap(listSteps))], at: place, step };
    at = next;
    place += `/${escapeStep(step)}`;
  }
  const [first = true] = at;
  return { schema: at.size > 1 ? { anyOf: [...at] } : first };
}

/** The schemas and the parts that describe the same value, each once. */
function schemasOfSameValue(schemas: Iterable<JsonSchema>, root: JsonSchemaObject): JsonSchemaObject[] {
  const found = new Set(schemas);
  // The loop reaches what is added on the way.
  for (const schema of found) {
    if (typeof schema === 'boolean') continue;
    const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
    for (const part of [...allOf, ...anyOf, ...oneOf]) found.add(part);
    if ($ref !== undefined) found.add(findDefinition(root, $ref));
  }
  return [...found].filter((schema) => typeof schema !== 'boolean');
}

function schemasBehindStep(part: JsonSchemaObject, step: string): JsonSchema[] {
  const own = ownMember(part.properties, step);
  if (own !== undefined) return [own];
  if (step === '*') return listOthers(part);
  if (!/^\d+$/.test(step)) return [];
  const item = part.prefixItems?.[Number(step)];
  return item === undefined ? listOthers({ ...part, prefixItems: [] }) : [item];
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

function listSteps(part: JsonSchemaObject): string[] {
  return [...Object.keys(part.properties ?? {}), ...(listOthers(part).length === 0 ? [] : ['*'])];
}
