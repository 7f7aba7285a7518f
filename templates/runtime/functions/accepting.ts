/** What the schema of an alternative says, compiled when it is first asked. */
import { compileSchema, type Validator } from '../schema/index.ts';
import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.ts';
import { isObject, member } from '../schema/json-value.ts';
import type { CodecBranch, UnionCodec } from './codec.ts';

type Schemas = UnionCodec['schemas'];

const validators = new WeakMap<JsonSchemaObject, Validator>();

/** The alternatives whose schema accepts a JSON value; all, where none does, since the whole was found valid. */
export function acceptingBranches(
  value: unknown,
  branches: readonly CodecBranch[],
  schemas: Schemas,
): readonly CodecBranch[] {
  if (branches.length < 2) return branches;
  const accepting = branches.filter(
    ({ accepts }) => accepts === undefined || isValid(value, accepts, schemas),
  );
  return accepting.length === 0 ? branches : accepting;
}

/** Whether the members that are JSON already (texts, numbers, truth values) are what an alternative says of them. */
export function acceptsPlainMembers(
  value: Record<string, unknown>,
  { accepts }: CodecBranch,
  schemas: Schemas,
): boolean {
  const { properties = {} } = objectSchema(accepts, schemas) ?? {};
  return Object.entries(properties).every(([name, schema]) => {
    const part = value[name];
    const isPlain = typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean';
    return !isPlain || typeof schema === 'boolean' || isValid(part, schema, schemas);
  });
}

function isValid(value: unknown, schema: JsonSchemaObject, schemas: Schemas = {}): boolean {
  let validate = validators.get(schema);
  if (validate === undefined)
    validators.set(schema, (validate = compileSchema({ ...schema, $defs: schemas })));
  return validate(value).length === 0;
}

/** What a schema says of an object's members; undefined where that is more than one thing. */
export function objectSchema(
  schema: JsonSchema | undefined,
  schemas: Schemas = {},
): JsonSchemaObject | undefined {
  if (!isObject(schema)) return undefined;
  const { $ref } = schema as JsonSchemaObject;
  if ($ref !== undefined)
    return objectSchema(member(schemas, $ref.slice('#/$defs/'.length)) as JsonSchema | undefined, schemas);
  return schema;
}
