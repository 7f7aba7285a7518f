/** Derives example values of arguments for calls that try a tool out. Clients never see them. */
import type { Json, JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject, refName } from '../../model/schema-walk.ts';
import type { MediaType, Operation, SourceModel } from '../../model/source-model.ts';
import type { ToolArguments } from './arguments.ts';
import type { ToolArgument } from './argument-names.ts';

/** Limit of one example's JSON, in UTF-16 code units. */
export const longestExample = 4 * 1024;

type Pool = SourceModel['schemas'];

/**
 * Examples by argument: the parameter's or body's own, else that of the schema of a required argument. They are not
 * validated.
 */
export function argumentExamples(
  { body }: Operation,
  { list, body: bound }: ToolArguments,
  pool: Pool,
): Record<string, Json> | undefined {
  const media = bound && body?.content.find(({ mediaType }) => mediaType === bound.mediaType);
  const ofBody = media === undefined ? () => undefined : bodyExamples(media, bound?.argument, pool);
  const found: [string, Json][] = [];
  for (const each of list) {
    const example = each.in === 'body' ? ofBody(each) : parameterExample(each, pool);
    if (example !== undefined && isShort(example)) found.push([each.argument, example]);
  }
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function parameterExample({ parameter, required }: ToolArgument, pool: Pool): Json | undefined {
  return parameter?.example ?? (required && parameter ? schemaExample(parameter.schema, pool) : undefined);
}

/** Looks up examples in the body's example: for the one argument that is the whole body, or for each property. */
function bodyExamples(
  { schema, example: own }: MediaType,
  whole: string | undefined,
  pool: Pool,
): (argument: ToolArgument) => Json | undefined {
  const example = own ?? schemaExample(schema, pool);
  if (whole !== undefined) return () => example;
  const members = typeof example === 'object' && example !== null && !Array.isArray(example) ? example : {};
  const properties = bodyProperties(schema, pool);
  return ({ name, required }) => {
    if (Object.hasOwn(members, name)) return members[name];
    const property = required && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property === undefined ? undefined : schemaExample(property, pool);
  };
}

function bodyProperties(schema: JsonSchema, pool: Pool): Record<string, JsonSchema> {
  const target = resolved(schema, pool);
  return isSchemaObject(target) ? (target.properties ?? {}) : {};
}

function schemaExample(schema: JsonSchema, pool: Pool): Json | undefined {
  const target = resolved(schema, pool);
  return isSchemaObject(target) ? (target.example as Json | undefined) : undefined;
}

/** References to references were resolved where they were read, so one step is enough. */
function resolved(schema: JsonSchema, pool: Pool): JsonSchema | undefined {
  const name = isSchemaObject(schema) ? refName(schema.$ref) : undefined;
  if (name === undefined) return schema;
  return Object.hasOwn(pool, name) ? pool[name] : undefined;
}

function isShort(example: Json): boolean {
  return typeof example !== 'object' || JSON.stringify(example).length <= longestExample;
}
