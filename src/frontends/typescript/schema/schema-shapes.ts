import { KEYWORDS_WITH_SCHEMAS, listSubschemas } from '../../../model/schema-walk.ts';
import { type JsonSchema, escapePointerToken, isSchema } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { classifyPattern } from '../../../util/classify-pattern.ts';

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isType = (value: unknown): boolean => TYPES.includes(String(value));

/** The runtime accepts everything for an invalid or dangerous pattern. */
function isUsablePattern(source: unknown): boolean {
  try {
    return (
      isText(source) && !!new RegExp(String(source), 'u') && classifyPattern(String(source)) !== 'unsafe'
    );
  } catch {
    return false;
  }
}

const SHAPES: readonly [keywords: string, fits: (value: unknown) => boolean][] = [
  [
    'type',
    (value) =>
      Array.isArray(value)
        ? value.length > 0 && value.every(isType) && new Set(value).size === value.length
        : isType(value),
  ],
  ['enum examples', Array.isArray],
  [
    'title description format contentEncoding contentMediaType $schema $id $ref $anchor $dynamicRef $dynamicAnchor $comment',
    isText,
  ],
  ['deprecated readOnly writeOnly uniqueItems', (value) => typeof value === 'boolean'],
  ['minimum maximum exclusiveMinimum exclusiveMaximum', isNumber],
  ['multipleOf', (value) => isNumber(value) && Number(value) > 0],
  [
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  ],
  ['pattern', isUsablePattern],
  ['required', isNames],
  ['dependentRequired', (value) => isRecord(value) && Object.values(value).every(isNames)],
];

function isWellShaped(keyword: string, value: unknown): boolean {
  switch (KEYWORDS_WITH_SCHEMAS.get(keyword)) {
    case 'schema':
      return isSchema(value);
    case 'list':
      return Array.isArray(value) && value.length > 0 && value.every(isSchema);
    case 'map':
      if (!isRecord(value) || !Object.values(value).every(isSchema)) return false;
      return keyword !== 'patternProperties' || Object.keys(value).every(isUsablePattern);
    case undefined:
      return SHAPES.every(([keywords, fits]) => !keywords.split(' ').includes(keyword) || fits(value));
  }
}

export function findMisshapen(schema: JsonSchema, path = ''): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const odd = Object.entries(schema).find(([keyword, value]) => !isWellShaped(keyword, value));
  if (odd !== undefined)
    return `\`${path}/${escapePointerToken(odd[0])}\` has a value that is not allowed there`;
  for (const { step, schema: inner } of listSubschemas(schema)) {
    const problem = findMisshapen(inner, path + step);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export function findRoundedNumber(value: unknown): string | undefined {
  if (typeof value === 'bigint') return `${value} is an integer that would be rounded`;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const problem = findRoundedNumber(member);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
