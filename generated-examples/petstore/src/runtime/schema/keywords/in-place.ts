// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Keywords about the value itself, not its members: those that apply schemas to it, such as `allOf`, `not` and `if` (Core, section 10.2), and
 * those about its type, text or number.
 */
import {
  type Json,
  type JsonType,
  type Subschema,
  allowsNothing,
  subschemaAt,
  subschemaList,
} from '../../contract/json-schema.ts';
import { isEqual, isMultiple, member, readJsonType } from '../../contract/json-value.ts';
import { readPattern } from '../../contract/patterns.ts';
import { type Alternatives, reportAlternatives } from '../alternatives.ts';
import { type Check, type FormatTest, assertion, count, fail, holds, list, literal, show } from '../run.ts';
import type { Resource, SchemaNode, SchemaSet } from '../schema-set.ts';

export function inPlaceChecks(node: SchemaNode, set: SchemaSet, tracked: boolean): Check[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  const evaluate = tracked ? trackedCall : call;
  const branch = ({ schema: child, step }: Subschema): Check => evaluate(set.node(child, node, step));
  const alternatives = (keyword: 'anyOf' | 'oneOf'): Alternatives => {
    const nodes = subschemaList(schema, keyword).map((found) => set.node(found.schema, node, found.step));
    return { node, keyword, set, branches: nodes.map((each) => ({ check: evaluate(each), node: each })) };
  };
  return [
    ...subschemaList(schema, 'allOf').map(branch),
    ...anyOfCheck(alternatives('anyOf'), tracked),
    ...oneOfCheck(alternatives('oneOf'), tracked),
    ...subschemaAt(schema, 'not').map((child) =>
      notCheck(node, call(set.node(child.schema, node, child.step))),
    ),
    ...conditionCheck(
      ...(['if', 'then', 'else'] as const).map((keyword) => subschemaAt(schema, keyword).map(branch)[0]),
    ),
  ];
}

function anyOfCheck(of: Alternatives, tracked: boolean): Check[] {
  const branches = of.branches.map(({ check }) => check);
  if (branches.length === 0) return [];
  return [
    (value, run) => {
      if (run.findings !== undefined) return reportAlternatives(of, value, run) > 0;
      let found = false;
      for (const branch of branches) {
        if (!branch(value, run)) continue;
        // Every branch that holds has evaluated members to report.
        if (!tracked) return true;
        found = true;
      }
      return found;
    },
  ];
}

function oneOfCheck(of: Alternatives, tracked: boolean): Check[] {
  const branches = of.branches.map(({ check }) => check);
  if (branches.length === 0) return [];
  return [
    (value, run) => {
      if (run.findings !== undefined) return reportAlternatives(of, value, run) === 1;
      let found = 0;
      for (const branch of branches) {
        if (branch(value, run) && ++found > 1 && !tracked) return false;
      }
      return found === 1;
    },
  ];
}

function notCheck(node: SchemaNode, negated: Check): Check {
  return (value, run) =>
    !holds(negated, value, run) || fail(run, node, 'not', { words: `must not be ${refusedBy(node)}` });
}

/** Describes the values that `not` refuses, if they are a type or a single value. */
function refusedBy(node: SchemaNode): string {
  const refused = typeof node.schema === 'object' ? node.schema.not : undefined;
  if (typeof refused !== 'object' || allowsNothing(node.schema)) return 'given';
  if (Array.isArray(refused.enum)) return list(refused.enum.map(literal));
  if (refused.const !== undefined) return literal(refused.const);
  if (typeof refused.type === 'string') return `of type ${refused.type}`;
  return 'what the schema excludes with `not`';
}

function conditionCheck(condition?: Check, then?: Check, otherwise?: Check): Check[] {
  if (condition === undefined) return [];
  return [
    (value, run) => {
      const next = holds(condition, value, run) ? then : otherwise;
      return next === undefined || next(value, run);
    },
  ];
}

/** `$ref` and `$dynamicRef` (Core, section 8.2.3). */
export function referenceChecks(node: SchemaNode, set: SchemaSet, tracked: boolean): Check[] {
  const checks: Check[] = [];
  const target = set.target(node, '$ref');
  if (target !== undefined) checks.push(tracked ? trackedCall(target.node) : call(target.node));
  const dynamic = set.target(node, '$dynamicRef');
  if (dynamic !== undefined) checks.push(dynamicCall(dynamic.node, dynamic.dynamicAnchor, tracked));
  return checks;
}

/** Evaluates a node that may not be compiled yet. */
export function call(node: SchemaNode): Check {
  return (value, run) => node.check(value, run);
}

/** Does the same as `call`, and reports the evaluated members. */
export function trackedCall(node: SchemaNode): Check {
  return (value, run) => node.checkTracked(value, run);
}

function dynamicCall(initial: SchemaNode, anchor: string | undefined, tracked: boolean): Check {
  return (value, run) => {
    const node = (anchor === undefined ? undefined : outermost(run.scope, anchor)) ?? initial;
    return tracked ? node.checkTracked(value, run) : node.check(value, run);
  };
}

function outermost(scope: readonly Resource[], anchor: string): SchemaNode | undefined {
  for (const resource of scope) {
    const node = resource.dynamicAnchors.get(anchor);
    if (node !== undefined) return node;
  }
  return undefined;
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

const names: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  number: 'a number',
  integer: 'an integer',
  string: 'a string',
};

/** `type`, `enum` and `const` (Validation, section 6.1). */
export function valueChecks(node: SchemaNode): Check[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  return [...typeCheck(node, schema.type), ...enumCheck(node, schema.enum), ...constCheck(node)];
}

function isType(type: unknown): type is JsonType {
  return typeof type === 'string' && Object.hasOwn(tests, type);
}

function typeCheck(node: SchemaNode, type: unknown): Check[] {
  const types = (Array.isArray(type) ? (type as unknown[]) : [type]).filter(isType);
  const [only] = types;
  if (only === undefined) return [];
  const test =
    types.length === 1 ? tests[only] : (value: unknown) => types.some((name) => tests[name](value));
  const wanted = list(types.map((name) => names[name]));
  return [
    assertion(node, 'type', test, (value) => ({
      words: `must be ${wanted} but is ${show(value)}`,
      params: { type: types, actual: readJsonType(value) ?? typeof value },
    })),
  ];
}

function enumCheck(node: SchemaNode, values: unknown): Check[] {
  if (!Array.isArray(values)) return [];
  const simple = new Set<unknown>(values.filter((value) => typeof value !== 'object' || value === null));
  const composite = values.filter((value) => typeof value === 'object' && value !== null) as Json[];
  const test = (value: unknown): boolean => {
    if (simple.has(value)) return true;
    if (typeof value === 'bigint')
      return simple.has(Number(value)) && values.some((item) => isEqual(item, value));
    return typeof value === 'object' && composite.some((item) => isEqual(item, value));
  };
  return [
    assertion(node, 'enum', test, (value) => ({
      words: `must be one of ${list((values as Json[]).map(literal))} but is ${show(value)}`,
      params: { allowedValues: values as Json[] },
    })),
  ];
}

function constCheck(node: SchemaNode): Check[] {
  if (typeof node.schema === 'boolean') return [];
  const wanted = member(node.schema, 'const');
  if (wanted === undefined) return [];
  return [
    assertion(
      node,
      'const',
      (value) => isEqual(wanted, value),
      (value) => ({
        words: `must be ${literal(wanted)} but is ${show(value)}`,
        params: { allowedValue: wanted as Json },
      }),
    ),
  ];
}

/** Length, `pattern` and `format` (Validation, sections 6.3 and 7). */
export function stringChecks(
  node: SchemaNode,
  formats: Readonly<Record<string, FormatTest>>,
): Check<string>[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  return [
    ...lengthChecks(node, schema.minLength, schema.maxLength),
    ...patternCheck(node, schema.pattern),
    ...formatCheck(node, schema.format, formats),
  ];
}

function lengthChecks(node: SchemaNode, least: unknown, most: unknown): Check<string>[] {
  const checks: Check<string>[] = [];
  const failure = (sign: string, limit: number) => (value: string) => ({
    words: `must have ${sign} ${count(limit, 'character')} but has ${codePoints(value)}`,
    params: { limit },
  });
  if (typeof least === 'number') {
    const test = (value: string): boolean => value.length >= least * 2 || codePoints(value) >= least;
    checks.push(assertion(node, 'minLength', test, failure('at least', least)));
  }
  if (typeof most === 'number') {
    const test = (value: string): boolean => value.length <= most || codePoints(value) <= most;
    checks.push(assertion(node, 'maxLength', test, failure('at most', most)));
  }
  return checks;
}

/** Length in characters as RFC 8259 counts them: a surrogate pair is one. */
function codePoints(text: string): number {
  let length = text.length;
  for (let index = 0; index + 1 < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) continue;
    length--;
    index++;
  }
  return length;
}

function patternCheck(node: SchemaNode, source: unknown): Check<string>[] {
  if (typeof source !== 'string') return [];
  const pattern = readPattern(source);
  const params = { pattern: source };
  return [
    (value, run) => {
      const most = run.limits.maxPatternInput;
      if (value.length > most) {
        const words = `is too long to be matched against a pattern (at most ${count(most, 'character')})`;
        return fail(run, node, 'pattern', { words, params });
      }
      if (pattern.test(value, run)) return true;
      if (run.findings === undefined) return false;
      return fail(run, node, 'pattern', {
        words: `must match the pattern ${source} but is ${show(value)}`,
        params,
      });
    },
  ];
}

function formatCheck(
  node: SchemaNode,
  format: unknown,
  formats: Readonly<Record<string, FormatTest>>,
): Check<string>[] {
  const test = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (typeof format !== 'string' || test === undefined) return [];
  return [
    assertion(node, 'format', test, (value) => ({
      words: `must be a valid ${format} but is ${show(value)}`,
      params: { format },
    })),
  ];
}

/** Bounds and `multipleOf` (Validation, section 6.2). */
const bounds = {
  minimum: { sign: '≥', test: (bound: number) => (value: number | bigint) => value >= bound },
  maximum: { sign: '≤', test: (bound: number) => (value: number | bigint) => value <= bound },
  exclusiveMinimum: { sign: '>', test: (bound: number) => (value: number | bigint) => value > bound },
  exclusiveMaximum: { sign: '<', test: (bound: number) => (value: number | bigint) => value < bound },
} as const;

export function numberChecks(node: SchemaNode): Check<number | bigint>[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;
  const checks = keywords.flatMap((keyword) => boundCheck(node, keyword, schema[keyword]));
  return [...checks, ...multipleCheck(node, schema.multipleOf)];
}

function boundCheck(
  node: SchemaNode,
  keyword: keyof typeof bounds,
  bound: unknown,
): Check<number | bigint>[] {
  if (typeof bound !== 'number') return [];
  const { sign, test } = bounds[keyword];
  return [
    assertion(node, keyword, test(bound), (value) => ({
      words: `must be ${sign} ${bound} but is ${show(value)}`,
      params: { limit: bound },
    })),
  ];
}

function multipleCheck(node: SchemaNode, divisor: unknown): Check<number | bigint>[] {
  if (typeof divisor !== 'number' || !(divisor > 0) || !Number.isFinite(divisor)) return [];
  return [
    assertion(
      node,
      'multipleOf',
      (value: number | bigint) => isMultiple(value, divisor),
      (value) => ({
        words: `must be a multiple of ${divisor} but is ${show(value)}`,
        params: { multipleOf: divisor },
      }),
    ),
  ];
}
