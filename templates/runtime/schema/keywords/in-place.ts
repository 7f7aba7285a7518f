// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Keywords about the value itself (Core, section 10.2), and about its type, text or number (Validation, sections 6.1
 * to 6.3 and 7).
 */
import { type Json, type JsonType, allowsNothing, allowsOnlyNull } from '../../contract/json-schema.ts';
import { isEqual, isMultiple, getOwnMember, getJsonType } from '../../contract/json-value.ts';
import { suggestNearest } from '../../contract/feature.ts';
import { makePattern } from '../../contract/patterns.ts';
import {
  type Check,
  type FormatTest,
  type Run,
  alternativesReader,
  createAssertionCheck,
  countNoun,
  reportFailure,
  passesQuietly,
  MOST_LISTED,
  formatList,
  printLiteral,
  describeMisfit,
  describeValue,
  compileSizeCheck,
} from '../run.ts';
import type { SchemaNode } from '../schema-set.ts';

type Checks<T = unknown> = (Check<T> | undefined)[];

export function compileInPlaceChecks(node: SchemaNode, tracked: boolean): Checks {
  return [
    ...node.nodesInList('allOf').map((each) => createNodeCheck(each, tracked)),
    compileAlternativesCheck(node, 'anyOf', tracked),
    compileAlternativesCheck(node, 'oneOf', tracked),
    compileNotCheck(node),
    compileConditionCheck(node, tracked),
  ];
}

/** Evaluates a node that may not be compiled yet; `tracked` reports the evaluated members. */
export function createNodeCheck(node: SchemaNode, tracked: boolean): Check {
  return tracked ? (value, run) => node.checkTracked(value, run) : (value, run) => node.check(value, run);
}

function compileAlternativesCheck(
  node: SchemaNode,
  keyword: 'anyOf' | 'oneOf',
  tracked: boolean,
): Check | undefined {
  const branches = node
    .nodesInList(keyword)
    .map((each) => ({ node: each, check: createNodeCheck(each, tracked) }));
  if (branches.length === 0) return undefined;
  const one = keyword === 'oneOf';
  return (value, run) => {
    const reader = run.findings && alternativesReader();
    if (reader !== undefined) {
      const holding = reader.checkAlternatives({ node, keyword, branches }, value, run);
      return one ? holding === 1 : holding > 0;
    }
    let found = 0;
    for (const { check } of branches) {
      if (!passesQuietly(check, value, run)) continue;
      found++;
      // With `tracked`, every branch that holds has evaluated members to report.
      if (!tracked && (!one || found > 1)) break;
    }
    if (found === 1 || (found > 1 && !one)) return true;
    const [only, ...others] = branches.filter((each) => !allowsOnlyNull(each.node.schema));
    if (found === 0 && only !== undefined && others.length === 0) return only.check(value, run);
    const words =
      found === 0
        ? `matches none of ${countNoun(branches.length, 'alternative')}`
        : `must match exactly one of ${countNoun(branches.length, 'alternative')}`;
    return reportFailure(run, node, keyword, { words });
  };
}

function compileNotCheck(node: SchemaNode): Check | undefined {
  const negated = node.getSubnode('not');
  if (negated === undefined) return undefined;
  return (value, run) =>
    !passesQuietly(negated.check, value, run) ||
    reportFailure(run, node, 'not', { words: `must not be ${describeNot(node)}` });
}

function describeNot({ keywords }: SchemaNode): string {
  const refused = keywords.not;
  if (typeof refused !== 'object' || allowsNothing(keywords)) return 'given';
  if (Array.isArray(refused.enum)) return formatList(refused.enum.map(printLiteral));
  if (refused.const !== undefined) return printLiteral(refused.const);
  if (typeof refused.type === 'string') return `of type ${refused.type}`;
  return 'what the schema excludes with `not`';
}

function compileConditionCheck(node: SchemaNode, tracked: boolean): Check | undefined {
  const [condition, then, otherwise] = ['if', 'then', 'else'].map((keyword) => {
    const found = node.getSubnode(keyword);
    return found && createNodeCheck(found, tracked);
  });
  if (condition === undefined) return undefined;
  return (value, run) => {
    const next = passesQuietly(condition, value, run) ? then : otherwise;
    return next === undefined || next(value, run);
  };
}

/** JSON Schema Core, section 8.2.3. */
export function compileReferences({ ref, dynamicRef }: SchemaNode, tracked: boolean): Checks {
  return [
    ref && createNodeCheck(ref, tracked),
    dynamicRef &&
      ((value, run) =>
        createNodeCheck(findOutermostAnchor(run, dynamicRef.anchor) ?? dynamicRef.node, tracked)(value, run)),
  ];
}

function findOutermostAnchor({ scope }: Run, anchor: string | undefined): SchemaNode | undefined {
  if (anchor === undefined) return undefined;
  return scope.find(({ dynamicAnchors }) => dynamicAnchors.has(anchor))?.dynamicAnchors.get(anchor);
}

const tests: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  number: (value) => (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'bigint',
  integer: (value) => Number.isInteger(value) || typeof value === 'bigint',
  string: (value) => typeof value === 'string',
};

export function compileValueChecks(node: SchemaNode): Checks {
  return [compileTypeCheck(node), compileEnumCheck(node), compileConstCheck(node)];
}

function isType(type: unknown): type is JsonType {
  return typeof type === 'string' && Object.hasOwn(tests, type);
}

function compileTypeCheck(node: SchemaNode): Check | undefined {
  const types = [node.keywords.type].flat().filter(isType);
  const [only, ...others] = types;
  if (only === undefined) return undefined;
  const test =
    others.length === 0 ? tests[only] : (value: unknown) => types.some((name) => tests[name](value));
  const addArticle = (type: JsonType): string => (/^[aio]/.test(type) ? `an ${type}` : `a ${type}`);
  const wanted = formatList(types.map((type) => (type === 'null' ? type : addArticle(type))));
  return createAssertionCheck(node, 'type', test, (value) => ({
    words: `must be ${wanted}${isBeyondDoubles(value) ? ' within ±1.8e308' : ''} but is ${describeValue(value)}`,
    params: { type: types, actual: getJsonType(value) ?? typeof value },
  }));
}

/** `readJson` makes a text of such a number. */
function isBeyondDoubles(value: unknown): boolean {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d/.test(value));
  return isNumber && Math.abs(Number(value)) === Infinity;
}

function compileEnumCheck(node: SchemaNode): Check | undefined {
  const values = node.keywords.enum;
  if (!Array.isArray(values)) return undefined;
  const simple = new Set<unknown>(values.filter((value) => typeof value !== 'object' || value === null));
  const test = (value: unknown): boolean =>
    simple.has(value) ||
    ((typeof value === 'object' || typeof value === 'bigint') && values.some((item) => isEqual(item, value)));
  return createAssertionCheck(node, 'enum', test, (value) => ({
    words: `must be one of ${formatList(values.map(printLiteral))} but is ${describeValue(value)}${suggestValue(values, value)}`,
    params: { allowedValues: values },
  }));
}

/** Names the nearest value where the message does not name all. */
function suggestValue(values: readonly unknown[], value: unknown): string {
  if (typeof value !== 'string' || values.length <= MOST_LISTED) return '';
  const nearest = suggestNearest(
    value,
    values.filter((each) => typeof each === 'string'),
  );
  return nearest === undefined ? '' : `; did you mean ${printLiteral(nearest)}?`;
}

function compileConstCheck(node: SchemaNode): Check | undefined {
  const wanted = getOwnMember(node.keywords, 'const') as Json | undefined;
  if (wanted === undefined) return undefined;
  const test = (value: unknown): boolean => isEqual(wanted, value);
  return createAssertionCheck(node, 'const', test, (value) => ({
    words: `must be ${printLiteral(wanted)} but is ${describeValue(value)}`,
    params: { allowedValue: wanted },
  }));
}

export function compileStringChecks(
  node: SchemaNode,
  formats: Readonly<Record<string, FormatTest>>,
): Checks<string> {
  return [
    compileSizeCheck(node, 'minLength', 'character', countCodePoints),
    compileSizeCheck(node, 'maxLength', 'character', countCodePoints),
    compilePatternCheck(node),
    compileFormatCheck(node, formats),
  ];
}

/** A surrogate pair is one character (RFC 8259). */
function countCodePoints(text: string): number {
  let length = text.length;
  for (let index = 0; index + 1 < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) continue;
    length--;
    index++;
  }
  return length;
}

function compilePatternCheck(node: SchemaNode): Check<string> | undefined {
  const source = node.keywords.pattern;
  if (typeof source !== 'string') return undefined;
  const pattern = makePattern(source);
  return (value, run) => {
    const most = run.limits.maxPatternInput;
    const isLong = value.length > most;
    if (!isLong && pattern.test(value, run)) return true;
    if (run.findings === undefined) return false;
    const words = isLong
      ? `is too long to be matched against a pattern (at most ${countNoun(most, 'character')})`
      : `must match the pattern ${source} but is ${describeValue(value)}`;
    return reportFailure(run, node, 'pattern', { words, params: { pattern: source } });
  };
}

function compileFormatCheck(
  node: SchemaNode,
  formats: Readonly<Record<string, FormatTest>>,
): Check<string> | undefined {
  const { format } = node.keywords;
  const test = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (format === undefined || test === undefined) return undefined;
  return createAssertionCheck(node, 'format', test, describeMisfit(`a valid ${format}`, { format }));
}

export function compileNumberChecks(node: SchemaNode): Checks<number | bigint> {
  return [
    compileBoundCheck(node, 'minimum', '≥', (value, bound) => value >= bound),
    compileBoundCheck(node, 'maximum', '≤', (value, bound) => value <= bound),
    compileBoundCheck(node, 'exclusiveMinimum', '>', (value, bound) => value > bound),
    compileBoundCheck(node, 'exclusiveMaximum', '<', (value, bound) => value < bound),
    compileMultipleOfCheck(node),
  ];
}

function compileBoundCheck(
  node: SchemaNode,
  keyword: string,
  sign: string,
  test: (value: number | bigint, bound: number) => boolean,
): Check<number | bigint> | undefined {
  const bound = node.keywords[keyword];
  if (typeof bound !== 'number') return undefined;
  const isWithin = (value: number | bigint): boolean => test(value, bound);
  return createAssertionCheck(node, keyword, isWithin, describeMisfit(`${sign} ${bound}`, { limit: bound }));
}

function compileMultipleOfCheck(node: SchemaNode): Check<number | bigint> | undefined {
  const { multipleOf } = node.keywords;
  if (typeof multipleOf !== 'number' || !(multipleOf > 0) || !Number.isFinite(multipleOf)) return undefined;
  const test = (value: number | bigint): boolean => isMultiple(value, multipleOf);
  const describe = describeMisfit(`a multiple of ${multipleOf}`, { multipleOf });
  return createAssertionCheck(node, 'multipleOf', test, describe);
}
