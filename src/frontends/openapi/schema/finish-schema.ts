import type { Json, JsonSchema, JsonSchemaObject } from '../../../util/json-schema.ts';
import {
  ANNOTATIONS,
  IN_PLACE,
  isSchemaObject,
  definitionNameOf,
  subschemasOf,
} from '../../../model/schema-walk.ts';
import { makeNullable } from '../../../model/with-null.ts';
import { convertToType, isOfType, findNumberText } from '../document/document-value.ts';
import type { Rec } from '../document/record.ts';
import { type SourceNode, childNode, nodeOrigin } from '../reference/source-node.ts';
import { type SchemaScope, isTrue, reportInvalidKeyword } from './value-keywords.ts';

export function finishSchema(scope: SchemaScope): JsonSchemaObject {
  applyExclusiveFlag(scope, 'minimum', 'exclusiveMinimum');
  applyExclusiveFlag(scope, 'maximum', 'exclusiveMaximum');
  if (!scope.isTest) addMissingType(scope.out);
  // Generators often put `uniqueItems` on every parameter; on a scalar it has no effect and costs bytes.
  if (typeof scope.out.type === 'string' && scope.out.type !== 'array') delete scope.out.uniqueItems;
  convertEnumToType(scope);
  convertDefaultToType(scope);
  const out = unwrapSingleAllOf(scope.out);
  const finished = applyNullable(scope.raw, out);
  const [example, second] = scope.examples ?? [];
  if (example !== undefined) finished.example = example;
  if (example !== undefined && second !== undefined) finished.examples = [example, second];
  return finished;
}

type Bound = 'minimum' | 'maximum';
type ExclusiveBound = 'exclusiveMinimum' | 'exclusiveMaximum';

/** OpenAPI 3.0 and 2.0: `exclusiveMinimum: true` makes `minimum` exclusive. */
function applyExclusiveFlag(scope: SchemaScope, bound: Bound, exclusive: ExclusiveBound): void {
  if (scope.raw[exclusive] !== true) return;
  const { out } = scope;
  const limit = out[bound];
  if (limit === undefined) {
    reportInvalidKeyword(scope, exclusive, `a number, or be beside ${bound}`);
    return;
  }
  // Deleting in place keeps the order of keywords.
  Reflect.deleteProperty(out, bound);
  out[exclusive] = limit;
}

/** A missing `type` is the most common omission, and models need it. */
function addMissingType(out: JsonSchemaObject): void {
  if (out.type !== undefined || out.$ref !== undefined || out.enum !== undefined || 'const' in out) return;
  if (out.format === 'binary' || out.contentEncoding !== undefined) out.type = 'string';
  else if (out.oneOf !== undefined || out.anyOf !== undefined || out.allOf !== undefined) return;
  else if (out.properties !== undefined) out.type = 'object';
  else if (out.items !== undefined) out.type = 'array';
}

/** `enum: [1, 2]` under `type: string` means texts; as written no value is valid. */
function convertEnumToType(scope: SchemaScope): void {
  const { out } = scope;
  if (out.enum === undefined || typeof out.type !== 'string') return;
  const { type } = out;
  const odd = out.enum.find((member) => convertToType(member, type) !== undefined);
  if (odd === undefined) return;
  const at = nodeOrigin(childNode(scope.node, 'enum', undefined));
  const enumNode = childNode(scope.node, 'enum', scope.raw['enum']);
  const convertMember = (member: Json) =>
    convertToDeclaredType(makeEnumMemberNode(enumNode, member), member, type);
  const suggestion = JSON.stringify(convertMember(odd));
  scope.report(
    'value-of-other-type',
    { what: 'enum member', value: JSON.stringify(odd), type, fate: `read as ${suggestion}` },
    { at },
  );
  const members = out.enum.map((member) => convertMember(member) ?? member);
  out.enum = members.filter((member, index) => members.indexOf(member) === index);
}

function makeEnumMemberNode(list: SourceNode, member: Json): SourceNode {
  const index = Array.isArray(list.value) ? list.value.indexOf(member) : -1;
  return childNode(list, index, member);
}

/** Numbers that stand for text are read as written: `1.10`. */
function convertToDeclaredType(node: SourceNode, value: Json, type: string): Json | undefined {
  const converted = convertToType(value, type);
  return typeof converted === 'string' && typeof value === 'number'
    ? (findNumberText(node) ?? converted)
    : converted;
}

function convertDefaultToType(scope: SchemaScope): void {
  const { default: defaultValue, type } = scope.out;
  if (defaultValue === undefined || type === undefined) return;
  const types = Array.isArray(type) ? type : [type];
  if (types.some((type) => isOfType(defaultValue, type))) return;
  const node = childNode(scope.node, 'default', defaultValue);
  const suggestion = types
    .map((type) => convertToDeclaredType(node, defaultValue, type))
    .find((value) => value !== undefined);
  const at = nodeOrigin(node);
  const value = JSON.stringify(defaultValue);
  const fate = suggestion === undefined ? 'left out' : `read as ${JSON.stringify(suggestion)}`;
  scope.report('value-of-other-type', { what: 'default', value, type: types.join(' or '), fate }, { at });
  if (suggestion === undefined) Reflect.deleteProperty(scope.out, 'default');
  else scope.out.default = suggestion;
}

/** An `allOf` with one member only adds words to a reference; since 2019-09 they may stand beside it. */
function unwrapSingleAllOf(out: JsonSchemaObject): JsonSchemaObject {
  if (out.allOf?.length !== 1) return out;
  const [only] = out.allOf;
  if (only === undefined || typeof only === 'boolean') return out;
  if (Object.keys(only).some((keyword) => keyword in out && !replaced.has(keyword))) return out;
  if (!Object.keys(out).every((keyword) => keyword === 'allOf' || ANNOTATIONS.has(keyword))) return out;
  if (only.$ref !== undefined && Object.keys(only).length > 1) return out;
  Reflect.deleteProperty(out, 'allOf');
  // The pool fills in the reference's text later, so its object must stay the same.
  return Object.assign(only, out);
}

const replaced = new Set(['title', 'description', 'xml', 'example']);

/** `nullable` of OpenAPI 3.0, which documents of every version use, and Swagger's `x-nullable`. */
export function applyNullable(raw: Rec, out: JsonSchemaObject): JsonSchemaObject {
  return isTrue(raw.nullable) || isTrue(raw['x-nullable']) ? makeNullable(out) : out;
}

interface Visit {
  name: string;
  /** References that are not followed yet, by the schemas that have them; the last one followed is `holder`. */
  openSchemas: JsonSchemaObject[];
  holder: JsonSchemaObject | undefined;
  /** Of the longest chain of references below it. */
  length: number;
}

/** The runtime nests at most 1,000 schemas for one value. */
const LONGEST_CHAIN = 500;

/**
 * Removes each `$ref` that leads a schema back to itself without a step into the value (`Pet: oneOf [Cat]`, `Cat:
 * allOf [Pet]`), which JSON Schema Core, section 9.4.1, forbids, and those that make a chain too long. Names are visited in
 * order, so the document's order does not matter.
 */
export function cutEndlessReferences(
  schemas: Record<string, JsonSchema>,
  report: (name: string, isCircle: boolean) => void,
): void {
  const lengths = new Map<string, number>();
  const cut = (visit: Visit, isCircle: boolean): void => {
    if (visit.holder !== undefined) Reflect.deleteProperty(visit.holder, '$ref');
    report(visit.name, isCircle);
  };
  const addLength = (visit: Visit, length: number): void => {
    if (length >= LONGEST_CHAIN) cut(visit, false);
    else visit.length = Math.max(visit.length, length + 1);
  };
  for (const start of Object.keys(schemas).sort()) {
    const open = new Set<string>();
    const path: Visit[] = [];
    const enterSchema = (name: string): void => {
      open.add(name);
      const openSchemas = Object.hasOwn(schemas, name) ? referencesInPlace(schemas[name]) : [];
      path.push({ name, openSchemas, holder: undefined, length: 0 });
    };
    if (!lengths.has(start)) enterSchema(start);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      visit.holder = visit.openSchemas.pop();
      const target = definitionNameOf(visit.holder?.$ref);
      if (visit.holder === undefined) {
        path.pop();
        open.delete(visit.name);
        lengths.set(visit.name, visit.length);
        const above = path.at(-1);
        if (above !== undefined) addLength(above, visit.length);
      } else if (target !== undefined && open.has(target)) cut(visit, true);
      else if (target !== undefined && lengths.has(target)) addLength(visit, lengths.get(target) ?? 0);
      else if (target !== undefined) enterSchema(target);
    }
  }
}

function referencesInPlace(schema: JsonSchema | undefined): JsonSchemaObject[] {
  if (!isSchemaObject(schema)) return [];
  const ownSchemas = schema.$ref === undefined ? [] : [schema];
  return [...ownSchemas, ...subschemasOf(schema, IN_PLACE).flatMap(referencesInPlace)];
}
