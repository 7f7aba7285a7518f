import { type JsonSchema, escapePointerToken, listSubschemas, isSchema } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { classifyPattern } from '../../../util/regex/classify-pattern.ts';

interface Shape {
  /** Ends the sentence "`minLength` must be …". */
  expected: string;
  fits: (value: unknown) => boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isListOf = (value: unknown, fits: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);
const isRecordOf = (value: unknown, fits: (item: unknown) => boolean): boolean =>
  isRecord(value) && Object.values(value).every(fits);
const isNames = (value: unknown): boolean => isListOf(value, isText);

const typeNames = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];
const isType = (value: unknown): boolean => isText(value) && typeNames.includes(value);

const text: Shape = { expected: 'a text', fits: isText };
const flag: Shape = { expected: '`true` or `false`', fits: (value) => typeof value === 'boolean' };
const number: Shape = { expected: 'a number that a double holds exactly', fits: isNumber };
const count: Shape = {
  expected: 'a whole number from 0',
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const schema: Shape = { expected: 'a schema: an object, `true` or `false`', fits: isSchema };
const schemas: Shape = {
  expected: 'a list of one or more schemas',
  fits: (value) => isListOf(value, isSchema) && Array.isArray(value) && value.length > 0,
};
const schemaMap: Shape = {
  expected: 'an object whose members are schemas',
  fits: (value) => isRecordOf(value, isSchema),
};
const list: Shape = { expected: 'a list', fits: Array.isArray };
const pattern: Shape = {
  expected: 'a regular expression that can be run safely',
  fits: (value) => isText(value) && isUsablePattern(value),
};

const shapes = new Map<string, Shape>([
  [
    'type',
    {
      expected: `one or a list of ${typeNames.map((name) => `"${name}"`).join(', ')}`,
      fits: (value) =>
        Array.isArray(value)
          ? value.length > 0 && isListOf(value, isType) && new Set(value).size === value.length
          : isType(value),
    },
  ],
  ...mapKeywordsToShape(['enum', 'examples'], list),
  ...mapKeywordsToShape(['title', 'description', 'format', 'contentEncoding', 'contentMediaType'], text),
  ...mapKeywordsToShape(
    ['$schema', '$id', '$ref', '$anchor', '$dynamicRef', '$dynamicAnchor', '$comment'],
    text,
  ),
  ...mapKeywordsToShape(['deprecated', 'readOnly', 'writeOnly', 'uniqueItems'], flag),
  ...mapKeywordsToShape(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], number),
  ['multipleOf', { expected: 'a number above 0', fits: (value) => isNumber(value) && value > 0 }],
  ...mapKeywordsToShape(
    ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
    count,
  ),
  ...mapKeywordsToShape(['minContains', 'maxContains'], count),
  ['pattern', pattern],
  ['required', { expected: 'a list of names', fits: isNames }],
  [
    'dependentRequired',
    { expected: 'an object whose members are lists of names', fits: (value) => isRecordOf(value, isNames) },
  ],
  ...mapKeywordsToShape(['items', 'contains', 'additionalProperties', 'propertyNames'], schema),
  ...mapKeywordsToShape(['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'], schema),
  ...mapKeywordsToShape(['not', 'if', 'then', 'else'], schema),
  ...mapKeywordsToShape(['prefixItems', 'allOf', 'anyOf', 'oneOf'], schemas),
  ...mapKeywordsToShape(['$defs', 'properties', 'dependentSchemas'], schemaMap),
  [
    'patternProperties',
    {
      expected: 'an object of schemas by regular expressions',
      fits: (value) => schemaMap.fits(value) && isRecord(value) && Object.keys(value).every(isUsablePattern),
    },
  ],
]);

function mapKeywordsToShape(keywords: readonly string[], shape: Shape): [string, Shape][] {
  return keywords.map((keyword) => [keyword, shape]);
}

/** The runtime accepts everything for an invalid or dangerous pattern, so it is reported here. */
function isUsablePattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp && classifyPattern(source) !== 'unsafe';
  } catch {
    return false;
  }
}

export function findMisshapen(schema: JsonSchema, path = ''): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = shapes.get(keyword);
    if (shape !== undefined && !shape.fits(value))
      return `\`${path}/${escapePointerToken(keyword)}\` must be ${shape.expected}`;
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
