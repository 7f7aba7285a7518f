/** What the schema of an alternative says, compiled when it is first asked. */
import { compileTest, type Test } from '../schema/index.ts';
import type { JsonSchema, JsonSchemaObject } from '../contract/json-schema.ts';
import { isRecord, member } from '../contract/json-value.ts';
import type { CodecBranch, UnionCodec } from '../contract/codec.ts';

type Schemas = UnionCodec['schemas'];

const tests = new WeakMap<JsonSchemaObject, Test>();

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

/**
 * Whether a result is what can be seen of an alternative before it is written: how many items it has, and the members that are
 * JSON already (texts, numbers, truth values).
 */
export function acceptsPlainParts(value: object, { accepts }: CodecBranch, schemas: Schemas): boolean {
  const { properties = {}, minItems = 0, maxItems = Infinity } = objectSchema(accepts, schemas) ?? {};
  if (Array.isArray(value)) return value.length >= minItems && value.length <= maxItems;
  return Object.entries(properties).every(([name, schema]) => {
    const part = (value as Record<string, unknown>)[name];
    const isPlain = typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean';
    return !isPlain || isValid(part, schema, schemas);
  });
}

/** Whether a schema accepts a value; not, where that takes more work than a validation may. */
export function isValid(value: unknown, schema: JsonSchema, schemas: Schemas = {}): boolean {
  if (typeof schema === 'boolean') return schema;
  let test = tests.get(schema);
  if (test === undefined) tests.set(schema, (test = compileTest({ ...schema, $defs: schemas })));
  return test(value);
}

/** What a schema says of an object's members; undefined where that is more than one thing. */
export function objectSchema(
  schema: JsonSchema | undefined,
  schemas: Schemas = {},
): JsonSchemaObject | undefined {
  if (!isRecord(schema)) return undefined;
  const { $ref } = schema as JsonSchemaObject;
  if ($ref !== undefined)
    return objectSchema(member(schemas, $ref.slice('#/$defs/'.length)) as JsonSchema | undefined, schemas);
  return schema;
}
