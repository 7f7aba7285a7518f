/** Makes a sentence about a tool where its document says no more than its title: what comes back, or what it needs. */
import { mediaTypeEssence, isJsonType } from '../../util/http-syntax.ts';
import type { BodyBinding, ResultBinding } from '../../model/bindings.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import {
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  allowsNothing,
} from '../../util/json-schema.ts';
import { type SchemaPool, followRefs } from '../../model/schema-walk.ts';
import type { Operation } from '../../model/source-model.ts';
import { formatNameList } from '../../util/collections.ts';
import { successContent, successResponses } from '../body/success-response.ts';
import { htmlToPlainLine } from './plain-text.ts';

/** The part of an answer that is kept. */
export type Kept = Pick<ResultBinding, 'select' | 'drop'>;

/** Says which arguments a call must give, by the names that clients see: the required ones, and enough properties of the body. */
export function listNeeds(required: readonly string[], body?: BodyBinding): string[] {
  const { properties = [], minProperties = 0 } = body ?? {};
  const ofBody = properties.filter(({ argument }) => required.includes(argument));
  return [
    ...required.map(quoteName),
    ...(ofBody.length < minProperties ? ['a property of the request body'] : []),
  ];
}

export function describeOperationFact(
  operation: Operation,
  needed: readonly string[],
  pool: SchemaPool,
  answerRules: Kept = {},
): string {
  return describeReturned(operation, pool, answerRules) ?? describeNeeded(needed);
}

/** States what a function returns, else which arguments it needs. */
export function describeFunctionFact(
  result: JsonSchema | undefined,
  { required = [] }: JsonSchemaObject,
  pool: SchemaPool,
): string {
  const form = result === undefined ? undefined : describeSchemaKind(result, pool);
  return form === undefined ? describeNeeded(required.map(quoteName)) : `Returns ${form}.`;
}

function describeReturned(operation: Operation, pool: SchemaPool, answerRules: Kept): string | undefined {
  const [response] = successResponses(operation);
  if (response === undefined) return undefined;
  const [content] = successContent(operation);
  const { mediaType = '', schema } = content ?? {};
  const form =
    isJsonType(mediaType) && schema !== undefined ? describeSchemaKind(schema, pool, answerRules) : undefined;
  if (form !== undefined) return `Returns ${form}.`;
  const responseText = htmlToPlainLine(response.description ?? '').replace(/\.$/, '');
  if (responseText.split(' ').length >= FEWEST_WORDS) return `Returns: ${responseText}.`;
  // A response other than 204 often has content that its document does not describe.
  if (content === undefined) return response.status === '204' ? 'Returns no content.' : undefined;
  return mediaTypeEssence(mediaType).includes('*') ? undefined : `Returns ${mediaTypeEssence(mediaType)}.`;
}

/** Shorter descriptions of responses say "OK" or "successful operation". */
const FEWEST_WORDS = 4;

function describeNeeded(needed: readonly string[]): string {
  return needed.length === 0 ? 'Needs no arguments.' : `Needs ${formatNameList(needed, MOST)}.`;
}

/** Most names that one sentence lists. */
const MOST = 6;

function describeSchemaKind(given: JsonSchema, pool: SchemaPool, answerRules: Kept = {}): string | undefined {
  const schema = followRefs(given, pool);
  if (schema === undefined) return undefined;
  const type = findOnlyType(schema);
  if (type === 'array') {
    const items = schema.items === undefined ? undefined : describeItemsKind(schema.items, pool, answerRules);
    return items === undefined ? 'a list' : `a list of ${items}`;
  }
  if (type !== undefined && type !== 'object') return SCALARS[type];
  const names = listKeptMembers(schema, pool, answerRules);
  if (names.length > 0) return `an object with ${formatNameList(names, MOST)}`;
  return type === 'object' ? 'an object' : undefined;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

const PLURALS: Readonly<Record<string, string>> = {
  string: 'texts',
  integer: 'whole numbers',
  number: 'numbers',
  object: 'objects',
};

function describeItemsKind(items: JsonSchema, pool: SchemaPool, answerRules: Kept): string | undefined {
  const schema = followRefs(items, pool);
  if (schema === undefined) return undefined;
  const names = listKeptMembers(schema, pool, answerRules);
  if (names.length > 0) return `objects with ${formatNameList(names, MOST)}`;
  const type = findOnlyType(schema);
  return type === undefined ? undefined : PLURALS[type];
}

/** Finds the type beside null; a text or a number is neither. */
function findOnlyType({ type }: JsonSchemaObject): JsonType | undefined {
  const [only, ...moreTypes] = [type ?? []].flat().filter((typeName) => typeName !== 'null');
  return moreTypes.length === 0 ? only : undefined;
}

/** Deeper compositions are rare. */
const DEEPEST = 8;

/** Lists the names of what is kept, in quotes. */
function listKeptMembers(schema: JsonSchemaObject, pool: SchemaPool, { select, drop }: Kept): string[] {
  const isKeptMember = (name: string): boolean =>
    (select === undefined || Object.hasOwn(select, name)) && ownMember(drop ?? {}, name) !== true;
  return listProperties(schema, pool).filter(isKeptMember).map(quoteName);
}

/** Lists the names of the object and of what it consists of (`allOf`). */
function listProperties(schema: JsonSchemaObject, pool: SchemaPool, depth = 0): string[] {
  const members = Object.entries(schema.properties ?? {});
  const memberNames = members.filter(([, member]) => !allowsNothing(member)).map(([name]) => name);
  if (depth > DEEPEST) return memberNames;
  const parts = (schema.allOf ?? []).flatMap((part) => {
    const target = followRefs(part, pool);
    return target === undefined ? [] : listProperties(target, pool, depth + 1);
  });
  return [...new Set([...parts, ...memberNames])];
}

function quoteName(name: string): string {
  return `\`${htmlToPlainLine(name).replaceAll('`', '')}\``;
}
