// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Keywords about members of objects (Core 10.3.2, Validation 6.5) and items of arrays (Core 10.3.1, Validation 6.4).
 */
import {
  type JsonSchemaObject,
  type Subschema,
  subschemaAt,
  subschemaList,
  subschemaMap,
} from '../../contract/json-schema.ts';
import { definedMembers, fingerprint, isEqual, member, memberNames } from '../../contract/json-value.ts';
import { suggest } from '../../contract/feature.ts';
import { type Pattern, readPattern } from '../../contract/patterns.ts';
import {
  type Check,
  type Failure,
  type Run,
  assertion,
  checkMember,
  count,
  fail,
  holds,
  list,
  show,
} from '../run.ts';
import type { SchemaNode, SchemaSet } from '../schema-set.ts';
import { call, trackedCall } from './in-place.ts';

type Members = Record<string, unknown>;

/** Assertions about the object as a whole. */
export function objectAssertions(node: SchemaNode): Check<Members>[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  return [
    ...(Array.isArray(schema.required) ? [requiredCheck(node, names(schema.required))] : []),
    ...sizeChecks(node, schema),
    ...dependentRequiredCheck(node, schema.dependentRequired),
  ];
}

function names(value: readonly unknown[]): string[] {
  return value.filter((name) => typeof name === 'string');
}

function requiredCheck(node: SchemaNode, required: readonly string[]): Check<Members> {
  // Only inherited names such as `constructor` can be present without being a member.
  const wanted = required.map((name) => ({ name, inherited: name in Object.prototype }));
  return (value, run) => {
    let ok = true;
    for (const { name, inherited } of wanted) {
      if (value[name] !== undefined && (!inherited || Object.hasOwn(value, name))) continue;
      if (run.findings === undefined) return false;
      ok = fail(run, node, 'required', {
        member: name,
        words: 'is required but missing',
        params: { missingProperty: name },
      });
    }
    return ok;
  };
}

function sizeChecks(node: SchemaNode, schema: JsonSchemaObject): Check<Members>[] {
  const sizeCheck = (keyword: string, limit: number, test: (size: number) => boolean): Check<Members> => {
    const sign = keyword === 'minProperties' ? 'at least' : 'at most';
    return (value, run) => {
      const size = memberNames(value).length;
      if (test(size)) return true;
      const words = `must have ${sign} ${count(limit, 'property')} but has ${size}`;
      return fail(run, node, keyword, { words, params: { limit } });
    };
  };
  const { minProperties: least, maxProperties: most } = schema;
  return [
    ...(typeof least === 'number' ? [sizeCheck('minProperties', least, (size) => size >= least)] : []),
    ...(typeof most === 'number' ? [sizeCheck('maxProperties', most, (size) => size <= most)] : []),
  ];
}

function dependentRequiredCheck(node: SchemaNode, dependents: unknown): Check<Members>[] {
  if (typeof dependents !== 'object' || dependents === null) return [];
  return Object.entries(dependents).flatMap(([trigger, wanted]: [string, unknown]) => {
    if (!Array.isArray(wanted)) return [];
    const required = names(wanted);
    const check: Check<Members> = (value, run) => {
      if (member(value, trigger) === undefined) return true;
      const missing = required.filter((name) => member(value, name) === undefined);
      for (const name of missing) {
        const params = { property: trigger, missingProperty: name };
        const words = `is required when ${show(trigger)} is given`;
        fail(run, node, 'dependentRequired', { member: name, words, params });
      }
      return missing.length === 0;
    };
    return [check];
  });
}

/** Schemas applied to members and to their names. */
export function memberChecks(node: SchemaNode, set: SchemaSet, tracked: boolean): Check<Members>[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  const child = ({ schema: found, step }: Subschema): SchemaNode => set.node(found, node, step);
  const properties = new Map(
    subschemaMap(schema, 'properties').map(({ name, entry }) => [name, child(entry)]),
  );
  const patterns = subschemaMap(schema, 'patternProperties').map(({ name, entry }) => ({
    pattern: readPattern(name),
    child: child(entry),
  }));
  const [additional] = subschemaAt(schema, 'additionalProperties').map(child);
  const checks = subschemaAt(schema, 'propertyNames').map((found) => namesCheck(node, child(found)));
  if (properties.size > 0 || patterns.length > 0 || additional !== undefined) {
    const shape: Shape = { node, properties, patterns, additional };
    checks.push(patterns.length === 0 && !tracked ? plainCheck(shape) : membersCheck(shape, tracked));
  }
  return [...checks, ...dependentSchemaChecks(node, set, tracked)];
}

interface Shape {
  node: SchemaNode;
  properties: ReadonlyMap<string, SchemaNode>;
  patterns: readonly { pattern: Pattern; child: SchemaNode }[];
  additional: SchemaNode | undefined;
}

/** A fast path for `properties` and `additionalProperties` alone: one lookup per member. */
function plainCheck(shape: Shape): Check<Members> {
  const { properties, additional } = shape;
  return (value, run) => {
    let ok = true;
    // The hottest loop of all. `for in` is much faster here than `Object.keys`, and JSON values inherit no
    // enumerable members, so `Object.hasOwn` would only cost.
    for (const name in value) {
      const child = properties.get(name) ?? additional;
      if (child === undefined) continue;
      const item = value[name];
      if (item === undefined) continue;
      if (run.findings === undefined) {
        if (!child.check(item, run)) return false;
      } else if (!explainMember(child, shape, value, name, run)) ok = false;
    }
    return ok;
  };
}

function membersCheck(shape: Shape, tracked: boolean): Check<Members> {
  const { properties, patterns, additional } = shape;
  return (value, run) => {
    let ok = true;
    for (const name of memberNames(value)) {
      const children = childrenFor(name, properties, patterns, run);
      if (children.length === 0 && additional !== undefined) children.push(additional);
      for (const child of children) {
        if (run.findings === undefined) {
          if (!child.check(value[name], run)) return false;
        } else if (!explainMember(child, shape, value, name, run)) ok = false;
      }
      if (tracked && children.length > 0) run.evaluated?.addProperty(name);
    }
    return ok;
  };
}

function childrenFor(
  name: string,
  properties: Shape['properties'],
  patterns: Shape['patterns'],
  run: Run,
): SchemaNode[] {
  const children: SchemaNode[] = [];
  const declared = properties.get(name);
  if (declared !== undefined) children.push(declared);
  run.spend(patterns.length);
  if (patterns.length === 0 || name.length > run.limits.maxPatternInput) return children;
  for (const { pattern, child } of patterns) if (pattern.test(name, run)) children.push(child);
  return children;
}

/** Reports what is wrong with a member; for one that is not allowed at all, the name that was probably meant. */
function explainMember(
  child: SchemaNode,
  { node, properties, additional }: Shape,
  value: Members,
  name: string,
  run: Run,
): boolean {
  if (child !== additional || child.schema !== false) return checkMember(child, value[name], name, run);
  return fail(run, node, 'additionalProperties', unknownMember(name, [...properties.keys()], value));
}

function unknownMember(name: string, known: readonly string[], value: Members): Failure {
  const meant = suggest(
    name,
    known.filter((other) => !Object.hasOwn(value, other)),
  );
  const hint =
    known.length === 0 ? 'no properties are expected' : `known are ${list(known.map(quote), 'and')}`;
  return {
    member: name,
    words: `is not a known property; ${meant === undefined ? hint : `did you mean \`${meant}\`?`}`,
    params: { additionalProperty: name, ...definedMembers({ suggestion: meant }) },
  };
}

function quote(name: string): string {
  return `\`${name}\``;
}

function namesCheck(node: SchemaNode, child: SchemaNode): Check<Members> {
  return (value, run) => {
    let ok = true;
    for (const name of memberNames(value)) {
      if (holds(child.check, name, run)) continue;
      if (run.findings === undefined) return false;
      const words = 'has a name that is not allowed';
      ok = fail(run, node, 'propertyNames', { member: name, words, params: { propertyName: name } });
    }
    return ok;
  };
}

function dependentSchemaChecks(node: SchemaNode, set: SchemaSet, tracked: boolean): Check<Members>[] {
  if (typeof node.schema === 'boolean') return [];
  return subschemaMap(node.schema, 'dependentSchemas').map(({ name, entry }) => {
    const child = set.node(entry.schema, node, entry.step);
    const check = tracked ? trackedCall(child) : call(child);
    return (value, run) => member(value, name) === undefined || check(value, run);
  });
}

type Items = readonly unknown[];

/** Assertions about the array as a whole. */
export function arrayAssertions(node: SchemaNode): Check<Items>[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  const { minItems, maxItems } = schema;
  const checks: Check<Items>[] = [];
  const failure = (sign: string, limit: number) => (value: Items) => ({
    words: `must have ${sign} ${count(limit, 'item')} but has ${value.length}`,
    params: { limit },
  });
  if (typeof minItems === 'number') {
    const test = (value: Items): boolean => value.length >= minItems;
    checks.push(assertion(node, 'minItems', test, failure('at least', minItems)));
  }
  if (typeof maxItems === 'number') {
    const test = (value: Items): boolean => value.length <= maxItems;
    checks.push(assertion(node, 'maxItems', test, failure('at most', maxItems)));
  }
  if (schema.uniqueItems === true) checks.push(uniqueCheck(node));
  return checks;
}

/** Schemas applied to items. */
export function itemChecks(node: SchemaNode, set: SchemaSet, tracked: boolean): Check<Items>[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  const child = (found: { schema: SchemaNode['schema']; step: string }): SchemaNode =>
    set.node(found.schema, node, found.step);
  const prefix = subschemaList(schema, 'prefixItems').map(child);
  const [items] = subschemaAt(schema, 'items').map(child);
  const [contains] = subschemaAt(schema, 'contains').map(child);
  const checks: Check<Items>[] = [];
  if (prefix.length > 0) checks.push(prefixCheck(prefix, tracked));
  if (items !== undefined) checks.push(restCheck(items, prefix.length, tracked));
  if (contains !== undefined) checks.push(containsCheck(node, schema, contains, tracked));
  return checks;
}

function prefixCheck(prefix: readonly SchemaNode[], tracked: boolean): Check<Items> {
  return (value, run) => {
    let ok = true;
    for (const [index, child] of prefix.entries()) {
      if (index >= value.length) break;
      if (checkMember(child, value[index], index, run)) continue;
      if (run.findings === undefined) return false;
      ok = false;
    }
    if (tracked) run.evaluated?.addItems(prefix.length);
    return ok;
  };
}

function restCheck(child: SchemaNode, start: number, tracked: boolean): Check<Items> {
  return (value, run) => {
    run.spend(value.length);
    let ok = true;
    for (let index = start; index < value.length; index++) {
      if (checkMember(child, value[index], index, run)) continue;
      if (run.findings === undefined) return false;
      ok = false;
    }
    if (tracked) run.evaluated?.addItems(Infinity);
    return ok;
  };
}

function containsCheck(
  node: SchemaNode,
  schema: JsonSchemaObject,
  child: SchemaNode,
  tracked: boolean,
): Check<Items> {
  const least = typeof schema.minContains === 'number' ? schema.minContains : 1;
  const most = typeof schema.maxContains === 'number' ? schema.maxContains : Infinity;
  return (value, run) => {
    const found = countMatches(child, value, run, tracked);
    if (found >= least && found <= most) return true;
    if (run.findings === undefined) return false;
    const low = found < least;
    const keyword = low ? ('minContains' in schema ? 'minContains' : 'contains') : 'maxContains';
    const wanted = low ? `at least ${count(least, 'item')}` : `at most ${count(most, 'item')}`;
    return fail(run, node, keyword, {
      words: `must have ${wanted} of the kind that \`contains\` asks for but has ${found}`,
      params: { limit: low ? least : most, found },
    });
  };
}

function countMatches(child: SchemaNode, value: Items, run: Run, tracked: boolean): number {
  run.spend(value.length);
  let found = 0;
  for (let index = 0; index < value.length; index++) {
    if (!holds(child.check, value[index], run)) continue;
    found++;
    if (tracked) run.evaluated?.addItem(index);
  }
  return found;
}

function uniqueCheck(node: SchemaNode): Check<Items> {
  return (value, run) => {
    const twins = findTwins(value, run);
    if (twins === undefined) return true;
    const [first, second] = twins;
    return fail(run, node, 'uniqueItems', {
      words: `must not have the same item twice, but items ${first} and ${second} are equal`,
      params: { i: first, j: second },
    });
  };
}

/** Indexes of two equal items. Linear for primitives; composites are compared where their fingerprints agree. */
function findTwins(items: Items, run: Run): [number, number] | undefined {
  run.spend(items.length);
  const simple = new Map<unknown, number>();
  const composite = new Map<number, number[]>();
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'object' || item === null) {
      const twin = simple.get(item);
      if (twin !== undefined) return [twin, index];
      simple.set(item, index);
      continue;
    }
    const hash = fingerprint(item);
    const rivals = composite.get(hash);
    if (rivals === undefined) composite.set(hash, [index]);
    else {
      run.spend(rivals.length);
      const twin = rivals.find((rival) => isEqual(items[rival], item));
      if (twin !== undefined) return [twin, index];
      rivals.push(index);
    }
  }
  return undefined;
}
