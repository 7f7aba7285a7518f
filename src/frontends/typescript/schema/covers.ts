/** Whether one schema accepts everything that another accepts. */
import { isDeepStrictEqual } from 'node:util';
import { refName } from '../../../model/schema-walk.ts';
import type {
  Json,
  JsonSchema,
  JsonSchemaObject,
} from '../../../../templates/runtime/contract/json-schema.ts';
import { member } from '../../../../templates/runtime/contract/json-value.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;
type Inner = (general: JsonSchema | undefined, special: JsonSchema | undefined) => boolean;

/** True is certain; false may mean unknown. `schemas` are the targets of `$ref`. */
export function covers(
  general: JsonSchema,
  special: JsonSchema,
  schemas: Schemas,
  open: ReadonlySet<string> = new Set(),
): boolean {
  // A question in progress counts as true, unless another part fails.
  const question = [general, special]
    .map((each) => (typeof each === 'object' ? (each.$ref ?? '') : ''))
    .join(' ');
  if (question !== ' ' && open.has(question)) return true;
  const asked = new Set([...open, question]);
  const [all, some] = [resolveSchema(general, schemas), resolveSchema(special, schemas)];
  if (all === undefined || some === undefined) return false;
  const inner: Inner = (a = true, b = true) => covers(a, b, schemas, asked);
  const parts = some.anyOf ?? some.oneOf;
  if (parts !== undefined) return parts.every((part) => inner(all, part));
  return Object.keys(all).every((keyword) => implies(keyword, all, some, inner));
}

function implies(
  keyword: string,
  general: JsonSchemaObject,
  special: JsonSchemaObject,
  inner: Inner,
): boolean {
  const { properties = {}, required = [] } = special;
  switch (keyword) {
    case 'type':
      return (
        listTypes(special).length > 0 && listTypes(special).every((type) => listTypes(general).includes(type))
      );
    case 'anyOf':
    case 'oneOf':
      return general[keyword]?.some((part) => inner(part, special)) === true;
    case 'required':
      return general.required?.every((name) => required.includes(name)) === true;
    case 'properties':
      return Object.entries(general.properties ?? {}).every(([name, schema]) =>
        inner(schema, member(properties, name) as JsonSchema | undefined),
      );
    case 'additionalProperties':
      return [special.additionalProperties, ...Object.values(properties)].every((schema) =>
        inner(general.additionalProperties, schema),
      );
    case 'items':
      return inner(general.items, special.items);
    case 'const':
    case 'enum':
      return (
        listValues(special)?.every((value) =>
          listValues(general)?.some((each) => isDeepStrictEqual(each, value)),
        ) === true
      );
    default:
      return isDeepStrictEqual(general[keyword], special[keyword]);
  }
}

function resolveSchema(schema: JsonSchema, schemas: Schemas): JsonSchemaObject | undefined {
  if (typeof schema === 'boolean') return schema ? {} : undefined;
  const name = refName(schema.$ref);
  if (name === undefined) return schema;
  const target = member(schemas, name) as JsonSchema | undefined;
  return target === undefined ? undefined : resolveSchema(target, schemas);
}

function listTypes({ type }: JsonSchemaObject): string[] {
  const types: string[] = [type ?? []].flat();
  return types.includes('number') ? [...types, 'integer'] : types;
}

function listValues(schema: JsonSchemaObject): readonly Json[] | undefined {
  return 'const' in schema ? [schema.const as Json] : schema.enum;
}
