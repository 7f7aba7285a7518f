import type { Json, JsonSchema, JsonSchemaObject, JsonType } from '../../../util/json-schema.ts';
import { classifyPattern } from '../../../util/classify-pattern.ts';
import { normalizeLetters } from '../../../model/letters.ts';
import {
  readExampleValue,
  hasBoundedSize,
  readAsWritten,
  findUnfitNumber,
} from '../document/document-value.ts';
import { type Rec, readCleanText } from '../document/record.ts';
import {
  type RecordNode,
  type SourceNode,
  childNode,
  listItemNodes,
  nodeOrigin,
} from '../reference/source-node.ts';
import type { Report } from '../report.ts';
import { examinePattern } from './pattern.ts';

export interface SchemaScope {
  node: RecordNode;
  raw: Rec;
  out: JsonSchemaObject;
  depth: number;
  report: Report;
  convert: (node: SourceNode, depth: number) => JsonSchema;
  /** Converts members of `owner`'s `allOf`, where a discriminated parent stands for itself only. */
  convertExtended: (node: SourceNode, depth: number, owner: RecordNode) => JsonSchema;
  /** Converts the schemas of `if` and `not`: see `#convertTest` of `SchemaReader`. */
  convertTest: (node: SourceNode, depth: number) => JsonSchema;
  /** Undefined after a report. */
  followReference: (node: SourceNode) => SourceNode | undefined;
  isTest: boolean;
  examples?: Json[];
}

export type KeywordReader = (value: unknown, keyword: string, scope: SchemaScope) => void;

export function reportInvalidKeyword(scope: SchemaScope, keyword: string, expected: string): void {
  const at = nodeOrigin(childNode(scope.node, keyword, undefined));
  const problem = `should be ${expected}. It is removed, so the schema accepts more`;
  scope.report('invalid-keyword', { keyword, problem }, { at });
}

export function convertSubschema(scope: SchemaScope, keyword: string, value: unknown): JsonSchema {
  return scope.convert(childNode(scope.node, keyword, value), scope.depth + 1);
}

const types = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);
const longestDefault = 1000;

export const readTypeKeyword: KeywordReader = (value, _keyword, scope) => {
  const { out } = scope;
  if (isType(value)) {
    out.type = value;
    return;
  }
  if (value === 'file') {
    out.type = 'string';
    out.format = 'binary';
    return;
  }
  // An unquoted `null` of YAML is the type.
  const typeNames: unknown[] = [value].flat().map((type) => (type === null ? 'null' : type));
  const knownTypes = [...new Set(typeNames)].filter(isType);
  const unknown = typeNames.find((type) => !isType(type));
  if (unknown !== undefined || knownTypes.length === 0) {
    const at = nodeOrigin(childNode(scope.node, 'type', value));
    const type = JSON.stringify(unknown ?? value) ?? '';
    const problem = `has ${type}, which is not a JSON Schema type. It is left out, so the schema accepts more`;
    const fix =
      'Types are string, number, integer, boolean, object, array and null. Dates are strings with a format.';
    scope.report('invalid-keyword', { keyword: 'type', problem, fix }, { at });
    return;
  }
  const [only] = knownTypes;
  out.type = knownTypes.length === 1 && only !== undefined ? only : knownTypes;
};

function isType(value: unknown): value is JsonType {
  return types.has(value);
}

export const readTitleOrDescription: KeywordReader = (value, keyword, { out }) => {
  const text = readCleanText(value);
  if (text !== undefined) out[keyword] = text;
};

export const readExampleKeyword: KeywordReader = (value, keyword, scope) => {
  if (scope.isTest || (keyword === 'examples' && scope.raw.example !== undefined)) return;
  const exampleValues: unknown[] =
    keyword === 'example' ? [value] : Array.isArray(value) ? value.slice(0, 2) : [];
  const read = exampleValues.map((exampleValue) => readExampleValue(exampleValue, scope.node.document));
  scope.examples = read.filter((example) => example !== undefined);
};

/** A title that repeats the schema's or property's name is dropped. */
export const readTitle: KeywordReader = (value, _keyword, { out, node }) => {
  const text = readCleanText(value);
  const name = node.pointer.slice(node.pointer.lastIndexOf('/') + 1);
  if (text !== undefined && normalizeLetters(text) !== normalizeLetters(name)) out.title = text;
};

export const readTextKeyword: KeywordReader = (value, keyword, scope) => {
  if (typeof value === 'string') scope.out[keyword] = value;
  else reportInvalidKeyword(scope, keyword, 'text');
};

export const readFormat: KeywordReader = (value, keyword, scope) => {
  if (value === 'byte') scope.out.contentEncoding = 'base64';
  else if (value !== '') readTextKeyword(value, keyword, scope);
};

export const readPatternKeyword: KeywordReader = (value, keyword, scope) => {
  if (typeof value !== 'string') {
    reportInvalidKeyword(scope, keyword, 'a regular expression');
    return;
  }
  const pattern = usablePattern(value, keyword, scope);
  if (pattern !== undefined) scope.out.pattern = pattern;
};

/** Returns the pattern; undefined, after a report, if it cannot be used. */
export function usablePattern(pattern: string, keyword: string, scope: SchemaScope): string | undefined {
  const reading = examinePattern(pattern);
  const at = nodeOrigin(childNode(scope.node, keyword, undefined));
  if (reading.kind === 'invalid') {
    scope.report('pattern-removed', { pattern, problem: reading.problem }, { at });
    return undefined;
  }
  const usable = reading.kind === 'rewritten' ? reading.pattern : pattern;
  const guard = classifyPattern(usable);
  if (guard === 'guarded') scope.report('guarded-pattern', { pattern }, { at });
  if (guard !== 'unsafe') return usable;
  scope.report('pattern-removed', { unsafePattern: pattern }, { at });
  return undefined;
}

export const readNumber: KeywordReader = (value, keyword, scope) => {
  if (typeof value !== 'number' || !Number.isFinite(value))
    reportInvalidKeyword(scope, keyword, 'a finite number');
  else scope.out[keyword] = value;
};

/** `applyExclusiveFlag` handles `exclusiveMinimum: true` (OpenAPI 3.0). */
export const readExclusive: KeywordReader = (value, keyword, scope) => {
  if (typeof value !== 'boolean') readNumber(value, keyword, scope);
};

export const readMultipleOf: KeywordReader = (value, keyword, scope) => {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) scope.out.multipleOf = value;
  else reportInvalidKeyword(scope, keyword, 'a number above zero');
};

export const readCount: KeywordReader = (value, keyword, scope) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    reportInvalidKeyword(scope, keyword, 'a whole number, zero or above');
  else if (value > 0 || !keyword.startsWith('min') || keyword === 'minContains') {
    scope.out[keyword] = value;
  }
};

export const readBooleanKeyword: KeywordReader = (value, keyword, scope) => {
  if (isTrue(value)) scope.out[keyword] = true;
  if (typeof value !== 'boolean') reportNoBoolean(value, keyword, scope);
};

/** `finishSchema` applies it. */
export const checkNullable: KeywordReader = (value, keyword, scope) => {
  if (typeof value !== 'boolean') reportNoBoolean(value, keyword, scope);
};

/** A text is what it says, with a warning. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

export function reportNoBoolean(value: unknown, keyword: string, scope: SchemaScope): void {
  if (value !== 'true' && value !== 'false') {
    reportInvalidKeyword(scope, keyword, 'true or false');
    return;
  }
  const problem = `is the text "${value}". It is read as ${value}`;
  const at = nodeOrigin(childNode(scope.node, keyword, value));
  scope.report('invalid-keyword', { keyword, problem, fix: 'Remove the quotes.' }, { at });
}

export const readJsonKeyword: KeywordReader = (value, keyword, scope) => {
  if (checkJsonValue(value, keyword, scope)) scope.out[keyword] = value;
};

function reportAliasExpansion(scope: SchemaScope, keyword: string): void {
  reportInvalidKeyword(scope, keyword, 'data that its aliases do not make longer than a million characters');
}

/** Reports a value that JSON cannot hold, so that the caller leaves it out. */
function checkJsonValue(value: unknown, keyword: string, scope: SchemaScope): value is Json {
  if (!hasBoundedSize(value, scope.node.document)) {
    reportAliasExpansion(scope, keyword);
    return false;
  }
  const number = findUnfitNumber(value);
  // Numbers that stand for text are read as written: see `convertEnumToType` and `convertDefaultToType`.
  const isText = scope.raw.type === 'string' && keyword !== 'const';
  if (number === undefined || (isText && Number.isFinite(number))) return true;
  const at = nodeOrigin(childNode(scope.node, keyword, undefined));
  scope.report('unfit-number', { keyword, number }, { at });
  return false;
}

export const readDefault: KeywordReader = (value, keyword, scope) => {
  if (value === null || value === undefined || !checkJsonValue(value, keyword, scope)) return;
  if (typeof value !== 'object' || JSON.stringify(value).length <= longestDefault) scope.out.default = value;
};

export const readEnum: KeywordReader = (value, keyword, scope) => {
  if (!Array.isArray(value) || value.length === 0) {
    reportInvalidKeyword(scope, keyword, 'a list with at least one value');
    return;
  }
  const seen = new Set<string>();
  // An enum without one of its members would refuse valid values.
  if (!hasBoundedSize(value, scope.node.document)) {
    reportAliasExpansion(scope, keyword);
    return;
  }
  if (!value.every((member): member is Json => checkJsonValue(member, keyword, scope))) return;
  scope.out.enum = value.filter((member) => {
    const text = typeof member === 'string' ? `"${member}` : JSON.stringify(member);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
};

/** A boolean belongs to the property, so `readProperties` handles it. */
export const readRequired: KeywordReader = (value, keyword, scope) => {
  if (typeof value === 'boolean') return;
  if (!Array.isArray(value)) {
    reportInvalidKeyword(scope, keyword, 'a list of names');
    return;
  }
  const names = readNames(childNode(scope.node, keyword, value));
  if (names.length < value.length) reportInvalidKeyword(scope, keyword, 'a list of names');
  addRequired(scope.out, names);
};

/** Unquoted numbers, booleans and null of YAML are names as they are written. */
export function readNames(list: SourceNode): string[] {
  return listItemNodes(list)
    .map((node) => (node.value === null ? 'null' : readAsWritten(node)))
    .filter((name) => typeof name === 'string');
}

export function addRequired(out: JsonSchemaObject, names: readonly string[]): void {
  if (names.length > 0) out.required = [...new Set([...(out.required ?? []), ...names])];
}
