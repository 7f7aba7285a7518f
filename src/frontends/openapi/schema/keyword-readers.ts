import type { JsonSchema } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { KEYWORDS_WITH_SCHEMAS, keywordsThatJudge } from '../../../model/schema-walk.ts';
import { setOwnMember } from '../document/record.ts';
import {
  type RecordNode,
  childNode,
  isRecordNode,
  listItemNodes,
  listMemberNodes,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';
import {
  type KeywordReader,
  type SchemaScope,
  addRequired,
  checkNullable,
  convertSubschema,
  readCount,
  readJsonKeyword,
  readDefault,
  readEnum,
  readExampleKeyword,
  readExclusive,
  readFormat,
  readMultipleOf,
  readNames,
  readNumber,
  readPatternKeyword,
  readRequired,
  readTextKeyword,
  readTitle,
  readBooleanKeyword,
  readTypeKeyword,
  isTrue,
  readTitleOrDescription,
  reportInvalidKeyword,
  reportNoBoolean,
  usablePattern,
} from './value-keywords.ts';

const readSchema: KeywordReader = (value, keyword, scope) => {
  const isText = value === 'true' || value === 'false';
  if (isText) reportNoBoolean(value, keyword, scope);
  scope.out[keyword] = convertSubschema(scope, keyword, isText ? isTrue(value) : value);
};

/** Other keywords use the result of `if` and `not`, so nothing may be added to them. */
const readTest: KeywordReader = (value, keyword, scope) => {
  const schema = scope.convertTest(childNode(scope.node, keyword, value), scope.depth + 1);
  // A schema with a fault accepts anything, so its negation would refuse everything.
  if (keyword === 'not' && isEmptySchema(schema) && !isEmptySchema(value)) return;
  scope.out[keyword] = schema;
};

function isEmptySchema(schema: unknown): boolean {
  return schema === true || (isRecord(schema) && Object.keys(schema).length === 0);
}

const readItems: KeywordReader = (value, keyword, scope) => {
  if (!Array.isArray(value)) {
    scope.out.items = convertSubschema(scope, keyword, value);
    return;
  }
  readSchemaList(value, 'prefixItems', scope, keyword);
  const { additionalItems } = scope.raw;
  if (additionalItems !== undefined)
    scope.out.items = convertSubschema(scope, 'additionalItems', additionalItems);
};

function readSchemaList(
  value: unknown,
  keyword: string,
  scope: SchemaScope,
  reportedKeyword = keyword,
): void {
  if (!Array.isArray(value) || value.length === 0) {
    reportInvalidKeyword(scope, reportedKeyword, 'a list with at least one schema');
    return;
  }
  const convert = keyword === 'allOf' ? scope.convertExtended : scope.convert;
  const members = listItemNodes(childNode(scope.node, reportedKeyword, value));
  scope.out[keyword] = members.map((member) => convert(member, scope.depth + 1, scope.node));
}

const readSchemaMap: KeywordReader = (value, keyword, scope) => {
  if (isRecord(value)) scope.out[keyword] = convertMembers(childNode(scope.node, keyword, value), scope);
  else reportInvalidKeyword(scope, keyword, 'an object of schemas');
};

function convertMembers(map: RecordNode, scope: SchemaScope): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  for (const [name, member] of listMemberNodes(map))
    setOwnMember(schemas, name, scope.convert(member, scope.depth + 1));
  return schemas;
}

const readProperties: KeywordReader = (value, keyword, scope) => {
  // JSON Schema has no reference here, and documents that are split into files have some.
  if (isRecord(value) && typeof value['$ref'] === 'string') {
    const { $ref, ...beside } = value;
    const map = scope.followReference(childNode(scope.node, keyword, { $ref }));
    const members = map !== undefined && isRecordNode(map) ? convertMembers(map, scope) : {};
    const others = convertMembers(childNode(scope.node, keyword, beside), scope);
    scope.out.properties = { ...members, ...others };
    return;
  }
  readSchemaMap(value, keyword, scope);
  if (!isRecord(value)) return;
  for (const [name, property] of Object.entries(value)) {
    if (!isRecord(property) || property['required'] !== true) continue;
    const node = childNode(childNode(scope.node, keyword, value), name, property);
    const problem = `of the property ${name} is a boolean, as in JSON Schema draft 3. It applies to the parent object`;
    const fix = 'List required properties in `required` beside `properties`.';
    const at = nodeOrigin(memberNode(node, 'required'));
    scope.report('invalid-keyword', { keyword: 'required', problem, fix }, { at });
    addRequired(scope.out, [name]);
  }
};

const readPatternProperties: KeywordReader = (value, keyword, scope) => {
  readSchemaMap(value, keyword, scope);
  const schemas = scope.out.patternProperties;
  if (schemas === undefined) return;
  const usable: Record<string, JsonSchema> = {};
  for (const [pattern, schema] of Object.entries(schemas)) {
    const rewritten = usablePattern(pattern, keyword, scope);
    if (rewritten !== undefined) setOwnMember(usable, rewritten, schema);
  }
  scope.out.patternProperties = usable;
};

/** `dependencies` of older drafts mixes names and schemas. */
const readDependencies: KeywordReader = (value, keyword, scope) => {
  if (!isRecord(value)) {
    reportInvalidKeyword(scope, keyword, 'an object');
    return;
  }
  for (const [name, member] of listMemberNodes(childNode(scope.node, keyword, value))) {
    if (Array.isArray(member.value)) {
      setOwnMember((scope.out.dependentRequired ??= {}), name, readNames(member));
    } else if (keyword === 'dependencies') {
      const schema = scope.convert(member, scope.depth + 1);
      setOwnMember((scope.out.dependentSchemas ??= {}), name, schema);
    } else {
      reportInvalidKeyword(scope, keyword, 'an object of lists of names');
    }
  }
};

const nodeTypes: readonly unknown[] = ['element', 'attribute', 'text', 'cdata', 'none'];
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const xmlMembers = new Map<string, (value: unknown) => boolean>([
  ['nodeType', (value) => nodeTypes.includes(value)],
  ['name', isText],
  ['prefix', isText],
  ['namespace', isText],
  ['attribute', isBoolean],
  ['wrapped', isBoolean],
]);

const readXml: KeywordReader = (value, keyword, scope) => {
  const given = isRecord(value) ? Object.entries(value).filter(([name]) => xmlMembers.has(name)) : [];
  const fit = given.filter(([name, member]) => xmlMembers.get(name)?.(member) === true);
  if (!isRecord(value) || fit.length < given.length)
    reportInvalidKeyword(scope, keyword, `an XML Object of ${[...xmlMembers.keys()].join(', ')}`);
  if (fit.length > 0) scope.out.xml = Object.fromEntries(fit);
};

const schemaReaders = { schema: readSchema, list: readSchemaList, map: readSchemaMap };

const readers: [keywords: string, reader: KeywordReader][] = [
  ...[...KEYWORDS_WITH_SCHEMAS].map(([keyword, holds]): [string, KeywordReader] => [
    keyword,
    schemaReaders[holds],
  ]),
  ['properties', readProperties],
  ['patternProperties', readPatternProperties],
  ['items', readItems],
  [keywordsThatJudge('test').join(' '), readTest],
  ['type', readTypeKeyword],
  ['format', readFormat],
  ['title', readTitle],
  ['description', readTitleOrDescription],
  ['default', readDefault],
  ['nullable x-nullable', checkNullable],
  ['deprecated readOnly writeOnly uniqueItems', readBooleanKeyword],
  ['enum', readEnum],
  ['const', readJsonKeyword],
  ['pattern', readPatternKeyword],
  ['minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains', readCount],
  ['minimum maximum', readNumber],
  ['exclusiveMinimum exclusiveMaximum', readExclusive],
  ['multipleOf', readMultipleOf],
  ['required', readRequired],
  ['dependentRequired dependencies', readDependencies],
  ['contentEncoding contentMediaType', readTextKeyword],
  ['xml', readXml],
  ['example examples', readExampleKeyword],
  // A schema is read when a reference to it is.
  ['$defs', () => undefined],
];

/** Keywords without a reader are dropped: OpenAPI-only keywords, and `x-*`. */
export const keywordReaders: ReadonlyMap<string, KeywordReader> = new Map(
  readers.flatMap(([keywords, reader]) => keywords.split(' ').map((keyword) => [keyword, reader])),
);
