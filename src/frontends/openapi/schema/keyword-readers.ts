import type { Json, JsonSchema, JsonSchemaObject, JsonType } from '../../../../templates/runtime/schema/json-schema.ts';
import { isRecord, setOwn } from '../document/record.ts';
import { wordsOf } from '../document/text.ts';
import { childOf, originOf } from '../reference/source-node.ts';
import { readPattern } from './pattern.ts';
import { type SchemaScope, convertMember, reportKeyword } from './schema-scope.ts';

/** Puts one keyword into the converted schema. What has no reader is dropped: OAS-only keywords, examples, `x-*`. */
export type KeywordReader = (value: unknown, keyword: string, scope: SchemaScope) => void;

const types = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);
const longestDefault = 1000;

const readType: KeywordReader = (value, _keyword, scope) => {
  const { out } = scope;
  if (value === 'file') {
    out.type = 'string';
    out.format = 'binary';
    return;
  }
  const wanted: unknown[] = Array.isArray(value) ? value : [value];
  const known = [...new Set(wanted)].filter(isType);
  const unknown = wanted.find((type) => !isType(type));
  if (unknown !== undefined || known.length === 0) {
    const at = originOf(childOf(scope.node, 'type', value));
    scope.report('unknown-type', { type: JSON.stringify(unknown ?? value) ?? '' }, { at });
    scope.open = true;
    return;
  }
  const [only] = known;
  out.type = known.length === 1 && only !== undefined ? only : known;
};

function isType(value: unknown): value is JsonType {
  return types.has(value);
}

const readWords: KeywordReader = (value, keyword, { out }) => {
  const words = wordsOf(value);
  if (words !== undefined) out[keyword] = words;
};

/** A title that only repeats the name of its schema or property tells a model nothing. */
const readTitle: KeywordReader = (value, _keyword, { out, node }) => {
  const words = wordsOf(value);
  const name = node.pointer.slice(node.pointer.lastIndexOf('/') + 1);
  if (words !== undefined && plain(words) !== plain(name)) out.title = words;
};

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const readText: KeywordReader = (value, keyword, scope) => {
  if (typeof value === 'string') scope.out[keyword] = value;
  else reportKeyword(scope, keyword, 'text');
};

const readFormat: KeywordReader = (value, keyword, scope) => {
  if (value === 'byte') scope.out.contentEncoding = 'base64';
  else if (value !== '') readText(value, keyword, scope);
};

const readPatternKeyword: KeywordReader = (value, keyword, scope) => {
  if (typeof value !== 'string') {
    reportKeyword(scope, keyword, 'a regular expression');
    return;
  }
  const pattern = usablePattern(value, keyword, scope);
  if (pattern !== undefined) scope.out.pattern = pattern;
};

function usablePattern(pattern: string, keyword: string, scope: SchemaScope): string | undefined {
  const reading = readPattern(pattern);
  const at = originOf(childOf(scope.node, keyword, undefined));
  switch (reading.kind) {
    case 'valid':
      return pattern;
    case 'rewritten':
      scope.report('rewritten-pattern', { pattern, rewritten: reading.pattern }, { at });
      return reading.pattern;
    case 'invalid':
      scope.report('invalid-pattern', { pattern, problem: reading.problem }, { at });
      return undefined;
  }
}

const readNumber: KeywordReader = (value, keyword, scope) => {
  if (typeof value === 'number' && Number.isFinite(value)) scope.out[keyword] = value;
  else reportKeyword(scope, keyword, 'a finite number');
};

/** `exclusiveMinimum: true` is the spelling of OpenAPI 3.0; see `finishBounds`. */
const readExclusive: KeywordReader = (value, keyword, scope) => {
  if (typeof value !== 'boolean') readNumber(value, keyword, scope);
};

const readMultipleOf: KeywordReader = (value, keyword, scope) => {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) scope.out.multipleOf = value;
  else reportKeyword(scope, keyword, 'a number above zero');
};

const readCount: KeywordReader = (value, keyword, scope) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    reportKeyword(scope, keyword, 'a whole number, zero or above');
  } else if (value > 0 || !keyword.startsWith('min') || keyword === 'minContains') {
    scope.out[keyword] = value;
  }
};

const readTrue: KeywordReader = (value, keyword, scope) => {
  if (value === true) scope.out[keyword] = true;
  else if (value !== false) reportKeyword(scope, keyword, 'true or false');
};

const readData: KeywordReader = (value, keyword, { out }) => {
  out[keyword] = value;
};

const readDefault: KeywordReader = (value, _keyword, { out }) => {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object' || JSON.stringify(value).length <= longestDefault) out.default = value as Json;
};

const readEnum: KeywordReader = (value, keyword, scope) => {
  if (!Array.isArray(value) || value.length === 0) {
    reportKeyword(scope, keyword, 'a list with at least one value');
    return;
  }
  const seen = new Set<string>();
  scope.out.enum = (value as Json[]).filter((member) => {
    const text = JSON.stringify(member);
    if (seen.has(text)) {
      const at = originOf(childOf(scope.node, keyword, value));
      scope.report('duplicate-enum-member', { member: text }, { at });
      return false;
    }
    seen.add(text);
    return true;
  });
};

/** A boolean is judged where the property stands: it speaks of the object above. */
const readRequired: KeywordReader = (value, keyword, scope) => {
  if (typeof value === 'boolean') return;
  if (!Array.isArray(value)) {
    reportKeyword(scope, keyword, 'a list of names');
    return;
  }
  const names = value.filter((name): name is string => typeof name === 'string');
  if (names.length < value.length) reportKeyword(scope, keyword, 'a list of names');
  addRequired(scope.out, names);
};

function addRequired(out: JsonSchemaObject, names: readonly string[]): void {
  if (names.length > 0) out.required = [...new Set([...(out.required ?? []), ...names])];
}

const readSchema: KeywordReader = (value, keyword, scope) => {
  scope.out[keyword] = convertMember(scope, keyword, value);
};

const readItems: KeywordReader = (value, keyword, scope) => {
  if (!Array.isArray(value)) {
    scope.out.items = convertMember(scope, keyword, value);
    return;
  }
  readSchemas(value, 'prefixItems', scope, keyword);
  const { additionalItems } = scope.raw;
  if (additionalItems !== undefined) scope.out.items = convertMember(scope, 'additionalItems', additionalItems);
};

function readSchemas(value: unknown, keyword: string, scope: SchemaScope, written = keyword): void {
  if (!Array.isArray(value) || value.length === 0) {
    reportKeyword(scope, written, 'a list with at least one schema');
    return;
  }
  const list = childOf(scope.node, written, value);
  scope.out[keyword] = value.map((member: unknown, index) =>
    scope.convert(childOf(list, index, member), scope.depth + 1),
  );
}

const readAllOf: KeywordReader = (value, keyword, scope) => {
  if (!Array.isArray(value) || value.length === 0) {
    reportKeyword(scope, keyword, 'a list with at least one schema');
    return;
  }
  const list = childOf(scope.node, keyword, value);
  scope.out.allOf = value.map((member: unknown, index) =>
    scope.convertExtended(childOf(list, index, member), scope.depth + 1),
  );
};

function readSchemaMap(value: unknown, keyword: string, scope: SchemaScope): Record<string, JsonSchema> | undefined {
  if (!isRecord(value)) {
    reportKeyword(scope, keyword, 'an object of schemas');
    return undefined;
  }
  const map = childOf(scope.node, keyword, value);
  const schemas: Record<string, JsonSchema> = {};
  for (const name of Object.keys(value)) {
    setOwn(schemas, name, scope.convert(childOf(map, name, value[name]), scope.depth + 1));
  }
  return schemas;
}

const readProperties: KeywordReader = (value, keyword, scope) => {
  const schemas = readSchemaMap(value, keyword, scope);
  if (schemas === undefined || !isRecord(value)) return;
  scope.out.properties = schemas;
  for (const name of Object.keys(value)) {
    const property = value[name];
    if (!isRecord(property) || property.required !== true) continue;
    const at = originOf(childOf(childOf(childOf(scope.node, keyword, value), name, property), 'required', true));
    scope.report('boolean-required', { property: name }, { at });
    addRequired(scope.out, [name]);
  }
};

const readPatternProperties: KeywordReader = (value, keyword, scope) => {
  const schemas = readSchemaMap(value, keyword, scope);
  if (schemas === undefined) return;
  const usable: Record<string, JsonSchema> = {};
  for (const [pattern, schema] of Object.entries(schemas)) {
    const rewritten = usablePattern(pattern, keyword, scope);
    if (rewritten !== undefined) setOwn(usable, rewritten, schema);
  }
  scope.out.patternProperties = usable;
};

const readDependentSchemas: KeywordReader = (value, keyword, scope) => {
  const schemas = readSchemaMap(value, keyword, scope);
  if (schemas !== undefined) scope.out.dependentSchemas = schemas;
};

/** `dependencies` of older drafts holds both kinds. */
const readDependencies: KeywordReader = (value, keyword, scope) => {
  if (!isRecord(value)) {
    reportKeyword(scope, keyword, 'an object');
    return;
  }
  const map = childOf(scope.node, keyword, value);
  for (const [name, dependency] of Object.entries(value)) {
    if (Array.isArray(dependency)) {
      const names = dependency.filter((item): item is string => typeof item === 'string');
      setOwn((scope.out.dependentRequired ??= {}), name, names);
    } else if (keyword === 'dependencies') {
      const schema = scope.convert(childOf(map, name, dependency), scope.depth + 1);
      setOwn((scope.out.dependentSchemas ??= {}), name, schema);
    } else {
      reportKeyword(scope, keyword, 'an object of lists of names');
    }
  }
};

export const keywordReaders: ReadonlyMap<string, KeywordReader> = new Map<string, KeywordReader>([
  ['type', readType],
  ['format', readFormat],
  ['title', readTitle],
  ['description', readWords],
  ['default', readDefault],
  ['deprecated', readTrue],
  ['readOnly', readTrue],
  ['writeOnly', readTrue],
  ['enum', readEnum],
  ['const', readData],
  ['pattern', readPatternKeyword],
  ...counts(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']),
  ...counts(['minContains', 'maxContains']),
  ['minimum', readNumber],
  ['maximum', readNumber],
  ['exclusiveMinimum', readExclusive],
  ['exclusiveMaximum', readExclusive],
  ['multipleOf', readMultipleOf],
  ['uniqueItems', readTrue],
  ['required', readRequired],
  ['properties', readProperties],
  ['patternProperties', readPatternProperties],
  ['additionalProperties', readSchema],
  ['propertyNames', readSchema],
  ['unevaluatedProperties', readSchema],
  ['items', readItems],
  ['prefixItems', readSchemas],
  ['contains', readSchema],
  ['unevaluatedItems', readSchema],
  ['allOf', readAllOf],
  ['anyOf', readSchemas],
  ['oneOf', readSchemas],
  ['not', readSchema],
  ['if', readSchema],
  ['then', readSchema],
  ['else', readSchema],
  ['dependentRequired', readDependencies],
  ['dependentSchemas', readDependentSchemas],
  ['dependencies', readDependencies],
  ['contentEncoding', readText],
  ['contentMediaType', readText],
  ['contentSchema', readSchema],
]);

function counts(keywords: readonly string[]): [string, KeywordReader][] {
  return keywords.map((keyword) => [keyword, readCount]);
}
