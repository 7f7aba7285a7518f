import {
  type JsonSchema,
  KEYWORDS_WITH_SCHEMAS,
  escapePointerToken,
  isSchema,
  listSubschemas,
} from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { classifyPattern } from '../../../util/regex/classify-pattern.ts';

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isType = (value: unknown): boolean => TYPES.includes(String(value));

/** What a keyword's value is: the words end the sentence "`minLength` must be …". */
const shapes: readonly [keywords: string, expected: string, fits: (value: unknown) => boolean][] = [
  [
    'type',
    `one or a list of ${TYPES.map((name) => `"${name}"`).join(', ')}`,
    (value) =>
      Array.isArray(value)
        ? value.length > 0 && value.every(isType) && new Set(value).size === value.length
        : isType(value),
  ],
  ['enum examples', 'a list', Array.isArray],
  [
    'title description format contentEncoding contentMediaType $schema $id $ref $anchor $dynamicRef $dynamicAnchor $comment',
    'a text',
    isText,
  ],
  ['deprecated readOnly writeOnly uniqueItems', '`true` or `false`', (value) => typeof value === 'boolean'],
  ['minimum maximum exclusiveMinimum exclusiveMaximum', 'a number that a double holds exactly', isNumber],
  ['multipleOf', 'a number above 0', (value) => isNumber(value) && Number(value) > 0],
  [
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
    'a whole number from 0',
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  ],
  ['pattern', 'a regular expression that can be run safely', isUsablePattern],
  ['required', 'a list of names', isNames],
  [
    'dependentRequired',
    'an object whose members are lists of names',
    (value) => isRecord(value) && Object.values(value).every(isNames),
  ],
];

/** The runtime accepts everything for an invalid or dangerous pattern, so it is reported here. */
function isUsablePattern(source: unknown): boolean {
  try {
    return (
      typeof source === 'string' &&
      new RegExp(source, 'u') instanceof RegExp &&
      classifyPattern(source) !== 'unsafe'
    );
  } catch {
    return false;
  }
}

function findExpected(keyword: string, value: unknown): string | undefined {
  const isFine = (list: unknown[]): boolean => list.every(isSchema);
  switch (KEYWORDS_WITH_SCHEMAS.get(keyword)) {
    case 'schema':
      return isSchema(value) ? undefined : 'a schema: an object, `true` or `false`';
    case 'list':
      return Array.isArray(value) && value.length > 0 && isFine(value)
        ? undefined
        : 'a list of one or more schemas';
    case 'map':
      if (!isRecord(value) || !isFine(Object.values(value))) return 'an object whose members are schemas';
      return keyword !== 'patternProperties' || Object.keys(value).every(isUsablePattern)
        ? undefined
        : 'an object of schemas by regular expressions';
    case undefined:
      return shapes.find(([keywords, , fits]) => keywords.split(' ').includes(keyword) && !fits(value))?.[1];
  }
}

export function findMisshapen(schema: JsonSchema, path = ''): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    const expected = findExpected(keyword, value);
    if (expected !== undefined) return `\`${path}/${escapePointerToken(keyword)}\` must be ${expected}`;
  }
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
