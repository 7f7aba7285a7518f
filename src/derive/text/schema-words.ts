/** Words that say what an operation is about, though its own texts do not: of the schemas that it takes and returns, and of its tags. For the index of the search surface. */
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import { type SchemaPool, followRefs } from '../../model/schema-walk.ts';
import type { Operation, SourceModel } from '../../model/source-model.ts';
import { successContent } from '../body/success-response.ts';
import { htmlToPlainLine } from './plain-text.ts';

const MOST_CHARACTERS = 250;
const MOST_NAMES = 30;
const MOST_OF_TAG = 200;

export function collectSurroundingWords(
  operation: Operation,
  { schemas: pool, tagTexts }: Pick<SourceModel, 'schemas' | 'tagTexts'>,
): string {
  const [content] = successContent(operation);
  const answer = content?.schema === undefined ? undefined : findItemSchema(content.schema, pool);
  const media = operation.body?.content[0];
  const body = media && followRefs(media.schema, pool);
  const names =
    answer === undefined ? [] : [...collectSchemaMembers(answer, pool).keys()].slice(0, MOST_NAMES);
  const texts = [answer?.description ?? '', names.join(' '), body?.description ?? ''];
  const tags = operation.tags.map((tag) => (tagTexts?.get(tag) ?? '').slice(0, MOST_OF_TAG));
  return [...texts, ...tags]
    .map((text) => htmlToPlainLine(text.slice(0, MOST_CHARACTERS)))
    .filter((text) => text !== '')
    .join(' ');
}

/** How deep schemas are read: lists in objects, and objects in lists in objects. */
const DEEPEST = 3;
/** An object with more members is no envelope of a list. */
const MOST_OF_ENVELOPE = 8;
const LISTS = ['data', 'items', 'entries', 'results', 'value'];

/** Finds the schema of a single item in an answer that lists items. */
function findItemSchema(given: JsonSchema, pool: SchemaPool): JsonSchemaObject | undefined {
  let schema = followRefs(given, pool);
  for (let depth = 0; depth < DEEPEST && schema !== undefined; depth++) {
    const items: JsonSchema | undefined =
      schema.items ?? findItemsOfEnvelope(collectSchemaMembers(schema, pool), pool);
    const next = items === undefined ? undefined : followRefs(items, pool);
    if (next === undefined) return schema;
    schema = next;
  }
  return schema;
}

function findItemsOfEnvelope(
  members: ReadonlyMap<string, JsonSchema>,
  pool: SchemaPool,
): JsonSchema | undefined {
  const isSmall = members.size <= MOST_OF_ENVELOPE;
  const lists = [...members].flatMap(([name, schema]) => {
    const items = isSmall || LISTS.includes(name) ? followRefs(schema, pool)?.items : undefined;
    return items === undefined ? [] : { name, items };
  });
  const named = lists.find(({ name }) => LISTS.includes(name));
  const only = isSmall && lists.length === 1 ? lists[0] : undefined;
  return (named ?? only)?.items;
}

/** Collects members, with those that `allOf` adds. */
function collectSchemaMembers(
  schema: JsonSchemaObject,
  pool: SchemaPool,
  depth = 0,
): Map<string, JsonSchema> {
  const members = new Map(Object.entries(schema.properties ?? {}));
  for (const part of depth > DEEPEST ? [] : (schema.allOf ?? [])) {
    const target = followRefs(part, pool);
    for (const [name, member] of target === undefined ? [] : collectSchemaMembers(target, pool, depth + 1))
      if (!members.has(name)) members.set(name, member);
  }
  return members;
}
