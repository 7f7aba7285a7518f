/** Schemas that a codec carries, to tell the alternatives of a union: what accepts or refuses, without words. */
import { mapSubschemas, refName } from '../../../model/schema-walk.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { member, setMember } from '../../../../templates/runtime/contract/json-value.ts';
import type { NotedUnion } from './form.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Makes the copies, anew each time: names may have changed. */
export function fillCopies({ definitions, alternatives }: NotedUnion, schemas: Schemas): void {
  clear(definitions);
  for (const { schema, copy } of alternatives) {
    clear(copy);
    Object.assign(copy, deciding(schema, schemas, definitions));
  }
}

function clear(holder: object): void {
  for (const name of Object.keys(holder)) Reflect.deleteProperty(holder, name);
}

/** Adds the referenced schemas to `found`. */
function deciding(
  schema: JsonSchemaObject,
  schemas: Schemas,
  found: Record<string, JsonSchema>,
): JsonSchemaObject {
  const kept = Object.entries(schema).filter(([keyword, value]) => decides(keyword, value, schemas));
  const name = refName(schema.$ref);
  const target = name === undefined ? undefined : (member(schemas, name) as JsonSchema | undefined);
  const copySchema = (part: JsonSchema): JsonSchema =>
    typeof part === 'boolean' ? part : deciding(part, schemas, found);
  if (name !== undefined && target !== undefined && !Object.hasOwn(found, name)) {
    // The schema may refer to itself.
    setMember(found, name, true);
    setMember(found, name, copySchema(target));
  }
  return mapSubschemas(Object.fromEntries(kept), copySchema);
}

const idle = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['format', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['$schema', '$id', '$anchor', '$comment', '$defs', '$dynamicRef', '$dynamicAnchor'],
]);

/** A reference that a person wrote into `@schema` may lead elsewhere: then it says nothing here. */
function decides(keyword: string, value: unknown, schemas: Schemas): boolean {
  if (keyword === '$ref') return Object.hasOwn(schemas, refName(value) ?? '');
  return !idle.has(keyword) && !keyword.startsWith('x-');
}
