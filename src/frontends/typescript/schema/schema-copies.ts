/** Codecs contain schemas without words, to tell the alternatives of a union. */
import { mapSubschemas, refName } from '../../../model/schema-walk.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { member, setMember } from '../../../../templates/runtime/contract/json-value.ts';
import type { NotedUnion } from './form.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Copies anew each time, since names may have changed. */
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
    // The schema may be recursive.
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

/** A reference in a `@schema` may lead elsewhere, so it is not used here. */
function decides(keyword: string, value: unknown, schemas: Schemas): boolean {
  if (keyword === '$ref') return Object.hasOwn(schemas, refName(value) ?? '');
  return !idle.has(keyword) && !keyword.startsWith('x-');
}
