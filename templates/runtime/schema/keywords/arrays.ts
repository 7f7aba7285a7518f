// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Arrays: length, uniqueness, and schemas for items (Core 10.3.1, Validation 6.4). */
import { fingerprint, isEqual } from '../../contract/equality.ts';
import { assertion, count, fail } from '../findings.ts';
import type { JsonSchemaObject } from '../../contract/json-schema.ts';
import { type Check, checkMember, holds, type Run } from '../run.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { SchemaSet } from '../schema-set.ts';
import { subschemaAt, subschemaList } from '../../contract/subschemas.ts';

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
