/** The arguments of a tool, with what their schemas tell a model. */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import type { Origin } from '../model/origin.ts';
import { asSchemaObject, definitionNameOf } from '../model/schema-walk.ts';
import type { Tool } from '../model/server-model.ts';
import type { FunctionTool, Operation } from '../model/source-model.ts';

export interface LintedArgument {
  name: string;
  /** The schema, with the target of a reference in its place. */
  schema: JsonSchemaObject;
  origin: Origin;
  /** `path`, `query` and so on. A member of a body also has the first words of the path, since only siblings mean the same by it. */
  place: string;
}

export function listLintedArguments(
  { inputSchema, origin, binding }: Tool,
  source?: Operation | FunctionTool,
): LintedArgument[] {
  const { properties = {}, $defs = {} } = inputSchema;
  const places = argumentOrigins(binding, source);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: resolveReferences(schema, $defs),
    origin: places.get(name) ?? origin,
    place: findArgumentLocation(name, binding),
  }));
}

function findArgumentLocation(name: string, binding: Tool['binding']): string {
  if (binding.kind !== 'http') return binding.kind;
  const parameter = binding.parameters.find((parameter) => parameter.argument === name);
  return parameter?.in ?? `body of ${binding.path.split('{', 1)[0] ?? ''}`;
}

/** Arguments may have other names than the source gives them. */
function argumentOrigins(
  binding: Tool['binding'],
  source?: Operation | FunctionTool,
): ReadonlyMap<string, Origin> {
  if (source?.kind === 'operation') {
    const bound = binding.kind === 'http' ? binding.parameters : [];
    return new Map(
      source.parameters.flatMap(({ name, in: place, origin }) => {
        const parameter = bound.find((candidate) => candidate.name === name && candidate.in === place);
        return parameter === undefined ? [] : [[parameter.argument, origin]];
      }),
    );
  }
  const { properties: renamed = {} } = binding.kind === 'function' ? binding : {};
  const names = new Map(Object.entries(renamed).map(([now, before]) => [before, now]));
  const origins = Object.entries(source?.argumentOrigins ?? {});
  return new Map(origins.map(([name, origin]) => [names.get(name) ?? name, origin]));
}

/** Chains of references are short; a circle ends at the limit. */
const MOST_STEPS = 10;

function resolveReferences(schema: JsonSchema, defs: Record<string, JsonSchema>): JsonSchemaObject {
  let target = asSchemaObject(schema);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { $ref, ...beside } = target;
    const name = definitionNameOf($ref);
    if (name === undefined || !Object.hasOwn(defs, name)) return target;
    target = { ...asSchemaObject(defs[name] ?? true), ...beside };
  }
  return target;
}

const TELLING = ['format', 'pattern', 'enum', 'const', 'default', 'properties', 'contentMediaType'] as const;

/** Whether the schema tells what to send, words aside. */
export function isInformative(schema: JsonSchemaObject): boolean {
  if (TELLING.some((keyword) => schema[keyword] !== undefined)) return true;
  if (schema.examples !== undefined && schema.examples.length > 0) return true;
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return parts.some((part) => typeof part === 'object' && (part.$ref !== undefined || isInformative(part)));
}
