import type { KeywordReader } from './schema-scope.ts';
import { readSchema, readTest, readItems, readSchemas, readAllOf, readProperties, readPatternProperties, readDependentSchemas, readDependencies } from './schema-keywords.ts';
import { readType, readWords, readTitle, readText, readFormat, readPatternKeyword, readNumber, readExclusive, readMultipleOf, readCount, readTrue, readData, readDefault, readEnum, readRequired } from './value-keywords.ts';

/** The keywords that are read. What has no reader is dropped: OAS-only keywords, examples, `x-*`. */
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
  ['not', readTest],
  ['if', readTest],
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
