// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Keywords about members of objects (Core 10.3.2, Validation 6.5) and items of arrays (Core 10.3.1, Validation 6.4),
 * and `unevaluated…` of both (Core 11).
 */
import { suggestNearest } from '../../contract/feature.ts';
import {
  omitUndefined,
  hashJsonValue,
  isEqual,
  getOwnMember,
  memberNames,
} from '../../contract/json-value.ts';
import { type Pattern, makePattern } from '../../contract/patterns.ts';
import {
  type Check,
  type Failure,
  type Run,
  checkMember,
  countNoun,
  testEvery,
  reportFailure,
  passesQuietly,
  formatList,
  describeValue,
  compileSizeCheck,
} from '../run.ts';
import type { SchemaNode } from '../schema-set.ts';
import { createNodeCheck } from './in-place.ts';

type Members = Record<string, unknown>;
type MembersCheck = Check<Members> | undefined;

export function compileObjectChecks(node: SchemaNode): MembersCheck[] {
  const size = (value: Members): number => memberNames(value).length;
  return [
    compileRequiredCheck(node),
    compileSizeCheck(node, 'minProperties', 'property', size),
    compileSizeCheck(node, 'maxProperties', 'property', size),
    ...compileDependentRequiredChecks(node),
  ];
}

function compileRequiredCheck(node: SchemaNode): MembersCheck {
  const { required } = node.keywords;
  if (!Array.isArray(required)) return undefined;
  // Only inherited names such as `constructor` can be present without being a member.
  const wanted = keepStrings(required).map((name) => ({ name, inherited: name in Object.prototype }));
  return (value, run) => {
    let ok = true;
    for (const { name, inherited } of wanted) {
      if (value[name] !== undefined && (!inherited || Object.hasOwn(value, name))) continue;
      if (run.findings === undefined) return false;
      const words = 'is required but missing';
      ok = reportFailure(run, node, 'required', { member: name, words, params: { missingProperty: name } });
    }
    return ok;
  };
}

function keepStrings(value: readonly unknown[]): string[] {
  return value.filter((name) => typeof name === 'string');
}

function compileDependentRequiredChecks(node: SchemaNode): MembersCheck[] {
  return Object.entries(node.keywords.dependentRequired ?? {}).map(([trigger, wanted]: [string, unknown]) => {
    const required = Array.isArray(wanted) ? keepStrings(wanted) : [];
    return (value, run) =>
      getOwnMember(value, trigger) === undefined ||
      testEvery(required, run, (name) => {
        if (getOwnMember(value, name) !== undefined) return true;
        const params = { property: trigger, missingProperty: name };
        const words = `is required when ${describeValue(trigger)} is given`;
        return reportFailure(run, node, 'dependentRequired', { member: name, words, params });
      });
  });
}

export function compileMemberChecks(node: SchemaNode, tracked: boolean): MembersCheck[] {
  const properties = new Map(node.map('properties'));
  const patterns = node
    .map('patternProperties')
    .map(([source, child]) => ({ pattern: makePattern(source), child }));
  const additional = node.getSubnode('additionalProperties');
  const shape: Shape = { node, properties, patterns, additional };
  const isPlain = patterns.length === 0 && !tracked;
  return [
    compilePropertyNamesCheck(node),
    properties.size === 0 && patterns.length === 0 && additional === undefined
      ? undefined
      : isPlain
        ? compileFastPropertiesCheck(shape)
        : compilePropertiesCheck(shape, tracked),
    ...node.map('dependentSchemas').map(([name, child]): MembersCheck => {
      const check = createNodeCheck(child, tracked);
      return (value, run) => getOwnMember(value, name) === undefined || check(value, run);
    }),
  ];
}

interface Shape {
  node: SchemaNode;
  properties: ReadonlyMap<string, SchemaNode>;
  patterns: readonly { pattern: Pattern; child: SchemaNode }[];
  additional: SchemaNode | undefined;
}

/** A fast path for `properties` and `additionalProperties` alone: one lookup per member. */
function compileFastPropertiesCheck(shape: Shape): Check<Members> {
  const { properties, additional } = shape;
  return (value, run) => {
    let ok = true;
    for (const name of spendOnNames(value, run)) {
      const child = properties.get(name) ?? additional;
      if (child === undefined) continue;
      const item = value[name];
      if (item === undefined) continue;
      if (run.findings === undefined) {
        if (!child.check(item, run)) return false;
      } else if (!checkOrReportMember(child, shape, value, name, run)) ok = false;
    }
    return ok;
  };
}

/** Lists the names of members, `undefined` ones too. To list them counts as work, even if the first of them decides. */
function spendOnNames(value: Members, run: Run, perName = 1): string[] {
  const names = Object.keys(value);
  run.spendSteps(names.length * perName);
  return names;
}

function compilePropertiesCheck(shape: Shape, tracked: boolean): Check<Members> {
  return (value, run) =>
    testEvery(spendOnNames(value, run, 1 + shape.patterns.length), run, (name) => {
      if (value[name] === undefined) return true;
      const children = schemasOfMember(name, shape, run);
      if (tracked && children.length > 0) run.evaluated?.markPropertyEvaluated(name);
      return testEvery(children, run, (child) => checkOrReportMember(child, shape, value, name, run));
    });
}

function schemasOfMember(name: string, { properties, patterns, additional }: Shape, run: Run): SchemaNode[] {
  const isLong = name.length > run.limits.maxPatternInput;
  const matching = isLong ? [] : patterns.filter(({ pattern }) => pattern.test(name, run));
  const children = [properties.get(name), ...matching.map(({ child }) => child)];
  const found = children.filter((child) => child !== undefined);
  return found.length === 0 && additional !== undefined ? [additional] : found;
}

/** Suggests the name that was probably meant for a member that is not allowed. */
function checkOrReportMember(
  child: SchemaNode,
  { node, properties, additional }: Shape,
  value: Members,
  name: string,
  run: Run,
): boolean {
  if (run.findings === undefined || child !== additional || child.schema !== false)
    return checkMember(child, value[name], name, run);
  return reportFailure(
    run,
    node,
    'additionalProperties',
    describeUnknownMember(name, [...properties.keys()], value),
  );
}

function describeUnknownMember(name: string, known: readonly string[], value: Members): Failure {
  const suggestion = suggestNearest(
    name,
    known.filter((other) => !Object.hasOwn(value, other)),
  );
  const quoted = known.map((each) => `\`${each}\``);
  const hint = known.length === 0 ? 'no properties are expected' : `known are ${formatList(quoted, 'and')}`;
  return {
    member: name,
    words: `is not a known property; ${suggestion === undefined ? hint : `did you mean \`${suggestion}\`?`}`,
    params: { additionalProperty: name, ...omitUndefined({ suggestion }) },
  };
}

function compilePropertyNamesCheck(node: SchemaNode): MembersCheck {
  const child = node.getSubnode('propertyNames');
  if (child === undefined) return undefined;
  return (value, run) =>
    testEvery(spendOnNames(value, run), run, (name) => {
      if (value[name] === undefined || passesQuietly(child.check, name, run)) return true;
      const words = 'has a name that is not allowed';
      return reportFailure(run, node, 'propertyNames', {
        member: name,
        words,
        params: { propertyName: name },
      });
    });
}

/** Must follow all keywords that evaluate members. */
export function compileUnevaluatedProperties(node: SchemaNode): MembersCheck {
  const child = node.getSubnode('unevaluatedProperties');
  if (child === undefined) return undefined;
  return (value, run) => {
    const ok = testEvery(spendOnNames(value, run), run, (name) => {
      if (value[name] === undefined || run.evaluated?.isPropertyEvaluated(name) === true) return true;
      if (child.schema !== false) return checkMember(child, value[name], name, run);
      const params = { unevaluatedProperty: name };
      const words = 'is not a known property';
      return reportFailure(run, node, 'unevaluatedProperties', { member: name, words, params });
    });
    run.evaluated?.markAllPropertiesEvaluated();
    return ok;
  };
}

type Items = readonly unknown[];
type ItemsCheck = Check<Items> | undefined;

export function compileArrayChecks(node: SchemaNode): ItemsCheck[] {
  const size = (value: Items): number => value.length;
  return [
    compileSizeCheck(node, 'minItems', 'item', size),
    compileSizeCheck(node, 'maxItems', 'item', size),
    node.keywords.uniqueItems === true ? compileUniqueItemsCheck(node) : undefined,
  ];
}

export function compileItemChecks(node: SchemaNode, tracked: boolean): ItemsCheck[] {
  return [compileItemsCheck(node, tracked), compileContainsCheck(node, tracked)];
}

function compileItemsCheck(node: SchemaNode, tracked: boolean): ItemsCheck {
  const prefix = node.nodesInList('prefixItems');
  const rest = node.getSubnode('items');
  if (prefix.length === 0 && rest === undefined) return undefined;
  return (value, run) => {
    run.spendSteps(value.length);
    let ok = true;
    for (let index = 0; index < value.length; index++) {
      const child = prefix[index] ?? rest;
      if (child === undefined) break;
      if (checkMember(child, value[index], index, run)) continue;
      if (run.findings === undefined) return false;
      ok = false;
    }
    if (tracked) run.evaluated?.markItemsEvaluated(rest === undefined ? prefix.length : Infinity);
    return ok;
  };
}

function compileContainsCheck(node: SchemaNode, tracked: boolean): ItemsCheck {
  const child = node.getSubnode('contains');
  if (child === undefined) return undefined;
  const { minContains, maxContains } = node.keywords;
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : Infinity;
  return (value, run) => {
    run.spendSteps(value.length);
    let found = 0;
    for (const [index, item] of value.entries()) {
      if (!passesQuietly(child.check, item, run)) continue;
      found++;
      if (tracked) run.evaluated?.addItem(index);
    }
    if (found >= least && found <= most) return true;
    const low = found < least;
    const keyword = low ? (minContains === undefined ? 'contains' : 'minContains') : 'maxContains';
    const wanted = low ? `at least ${countNoun(least, 'item')}` : `at most ${countNoun(most, 'item')}`;
    return reportFailure(run, node, keyword, {
      words: `must have ${wanted} of the kind that \`contains\` asks for but has ${found}`,
      params: { limit: low ? least : most, found },
    });
  };
}

function compileUniqueItemsCheck(node: SchemaNode): Check<Items> {
  return (value, run) => {
    const twins = findEqualItems(value, run);
    if (twins === undefined) return true;
    const [first, second] = twins;
    return reportFailure(run, node, 'uniqueItems', {
      words: `must not have the same item twice, but items ${first} and ${second} are equal`,
      params: { i: first, j: second },
    });
  };
}

/** Linear for primitives; composites are compared where their fingerprints agree. */
function findEqualItems(items: Items, run: Run): [number, number] | undefined {
  run.spendSteps(items.length);
  const simple = new Map<unknown, number>();
  const composite = new Map<number, number[]>();
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'object' || item === null) {
      const twin = simple.get(item);
      if (twin !== undefined) return [twin, index];
      simple.set(item, index);
      continue;
    }
    const hash = hashJsonValue(item);
    const rivals = composite.get(hash) ?? [];
    run.spendSteps(rivals.length);
    const twin = rivals.find((rival) => isEqual(items[rival], item));
    if (twin !== undefined) return [twin, index];
    composite.set(hash, rivals);
    rivals.push(index);
  }
  return undefined;
}

/** Must follow all keywords that evaluate items. */
export function compileUnevaluatedItems(node: SchemaNode): ItemsCheck {
  const child = node.getSubnode('unevaluatedItems');
  if (child === undefined) return undefined;
  return (value, run) => {
    run.spendSteps(value.length);
    const ok = testEvery(
      value.entries(),
      run,
      ([index, item]) =>
        run.evaluated?.isItemEvaluated(index) === true || checkMember(child, item, index, run),
    );
    run.evaluated?.markItemsEvaluated(Infinity);
    return ok;
  };
}
