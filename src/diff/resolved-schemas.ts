/** Resolves the references in the schemas of one tool. */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import {
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  definitionNameOf,
  isSchema,
} from '../util/json-schema.ts';
import { asSchemaObject, reachedDefinitions } from '../model/schema-walk.ts';

/** Returns the same object for a boolean each time, so that pairs can be compared by identity. */
const booleans = { true: asSchemaObject(true), false: asSchemaObject(false) };

export class ResolvedSchemas {
  readonly #defs: Record<string, JsonSchema>;
  readonly #resolved = new Map<JsonSchemaObject, JsonSchemaObject>();

  constructor(root: JsonSchemaObject) {
    this.#defs = root.$defs ?? {};
  }

  /** Returns the same object for the same schema, so that circles are found. Keywords beside a `$ref` win. */
  resolve(schema: JsonSchema): JsonSchemaObject {
    if (typeof schema === 'boolean') return booleans[`${schema}`];
    const existing = this.#resolved.get(schema);
    if (existing !== undefined) return existing;
    const resolved = foldNullIntoType(this.#followReference(schema), (branch) =>
      this.#followReference(asSchemaObject(branch)),
    );
    this.#resolved.set(schema, resolved);
    return resolved;
  }

  /** The schema with all definitions that it reaches, as text: equal texts have the same meaning. */
  printWithDefinitions(schema: JsonSchema): string {
    return JSON.stringify([schema, Object.entries(reachedDefinitions(schema, this.#defs)).sort()]);
  }

  #followReference(schema: JsonSchemaObject): JsonSchemaObject {
    const seen = new Set<string>();
    let current = schema;
    while (current.$ref !== undefined && !seen.has(current.$ref)) {
      const { $ref, ...beside } = current;
      const name = definitionNameOf($ref);
      const target = name === undefined ? undefined : ownMember(this.#defs, name);
      if (target === undefined) break;
      seen.add($ref);
      current = { ...asSchemaObject(target), ...beside };
    }
    return current;
  }
}

/** The types that `type` names; without it, those of the values in `enum` or `const`; `undefined`: any. */
export function listTypes({ type, enum: values, const: value, not }: JsonSchemaObject): string[] | undefined {
  if (not !== undefined && acceptsEverything(not)) return [];
  if (type !== undefined) return [type].flat();
  const all = value === undefined ? values : [value];
  return all === undefined ? undefined : [...new Set(all.map(findJsonType))];
}

function acceptsEverything(schema: JsonSchema): boolean {
  return typeof schema === 'boolean' ? schema : Object.keys(schema).length === 0;
}

function findJsonType(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** Makes a test of whether another type accepts all values of `type`: integers are numbers. */
export function makeTypeCoverageTest(type: string): (other: string) => boolean {
  return (other) => other === type || (type === 'integer' && other === 'number');
}

/** `anyOf: [X, null]` becomes `type: [X, null]`, which has the same meaning: documents of 3.0 and 3.1 differ in it. */
function foldNullIntoType(
  schema: JsonSchemaObject,
  follow: (branch: JsonSchema) => JsonSchemaObject,
): JsonSchemaObject {
  const keyword = schema.anyOf === undefined ? 'oneOf' : 'anyOf';
  const branches = (schema[keyword] ?? []).filter(isSchema).map(follow);
  const [value, ...moreBranches] = branches.filter(({ type }) => type !== 'null');
  if (branches.length !== 2 || moreBranches.length > 0 || value?.type === undefined) return schema;
  const beside = { ...schema, [keyword]: undefined };
  const types = [value.type].flat();
  return { ...value, ...beside, type: [...types.filter((type) => type !== 'null'), 'null'] };
}
