/** Puts the keywords of one schema object together to one closure. */
import { Evaluated } from './evaluated.ts';
import { fail } from './findings.ts';
import { isRecord } from '../contract/json-value.ts';
import { arrayAssertions, itemChecks } from './keywords/arrays.ts';
import { inPlaceChecks } from './keywords/in-place.ts';
import { numberChecks } from './keywords/numbers.ts';
import { memberChecks, objectAssertions } from './keywords/objects.ts';
import { referenceChecks } from './keywords/references.ts';
import { stringChecks } from './keywords/strings.ts';
import {
  asksForEvaluated,
  unevaluatedItemsChecks,
  unevaluatedPropertiesChecks,
} from './keywords/unevaluated.ts';
import { valueChecks } from './keywords/values.ts';
import type { FormatTest } from './options.ts';
import { type Check, sequence } from './run.ts';
import type { SchemaNode } from './schema-node.ts';
import type { SchemaSet } from './schema-set.ts';
import { subschemasOf } from '../contract/subschemas.ts';

/** What compiling needs to know beside the node. */
export interface Compilation {
  set: SchemaSet;
  formats: Readonly<Record<string, FormatTest>>;
}

/** @param tracked whether whoever calls the closure asks which members it evaluated. */
export function compileNode(node: SchemaNode, tracked: boolean, compilation: Compilation): Check {
  const { schema } = node;
  if (schema === true) return () => true;
  if (schema === false) return (_value, run) => fail(run, node, 'false', { words: 'is not allowed' });
  const { set } = compilation;
  const asks = asksForEvaluated(node);
  const check = keywordChecks(node, tracked || asks, compilation) ?? (() => true);
  if (subschemasOf(schema).length === 0 && !isReferrer(node, set)) return check;
  const accounted = accountFor(tracked || asks ? withEvaluated(check, tracked) : check);
  return set.usesDynamicRef ? withScope(accounted, node) : accounted;
}

function isReferrer(node: SchemaNode, set: SchemaSet): boolean {
  return set.target(node, '$ref') !== undefined || set.target(node, '$dynamicRef') !== undefined;
}

/** All keywords, in an order that reports the plain problem first and lets `unevaluated…` see what went before. */
function keywordChecks(node: SchemaNode, tracked: boolean, { set, formats }: Compilation): Check | undefined {
  const { applicator, unevaluated, validation } = node.resource.dialect;
  const last = unevaluated && asksForEvaluated(node);
  return sequence([
    ...(validation ? valueChecks(node) : []),
    ...byType({
      number: sequence(validation ? numberChecks(node) : []),
      string: sequence(validation ? stringChecks(node, formats) : []),
      array: sequence([
        ...(validation ? arrayAssertions(node) : []),
        ...(applicator ? itemChecks(node, set, tracked) : []),
      ]),
      object: sequence([
        ...(validation ? objectAssertions(node) : []),
        ...(applicator ? memberChecks(node, set, tracked) : []),
      ]),
    }),
    ...referenceChecks(node, set, tracked),
    ...(applicator ? inPlaceChecks(node, set, tracked) : []),
    ...byType({
      array: last ? sequence(unevaluatedItemsChecks(node, set)) : undefined,
      object: last ? sequence(unevaluatedPropertiesChecks(node, set)) : undefined,
    }),
  ]);
}

interface ChecksByType {
  number?: Check<number | bigint> | undefined;
  string?: Check<string> | undefined;
  array?: Check<readonly unknown[]> | undefined;
  object?: Check<Record<string, unknown>> | undefined;
}

/** Keywords for one type say nothing about values of another. */
function byType({ number, string, array, object }: ChecksByType): Check[] {
  if (number === undefined && string === undefined && array === undefined && object === undefined) return [];
  return [
    (value, run) => {
      if (typeof value === 'string') return string === undefined || string(value, run);
      if (typeof value === 'number' || typeof value === 'bigint')
        return number === undefined || number(value, run);
      if (Array.isArray(value)) return array === undefined || array(value, run);
      return object === undefined || !isRecord(value) || object(value, run);
    },
  ];
}

/** Counts the node against the limits. Nodes without subschemas end at once and are not counted. */
function accountFor(check: Check): Check {
  return (value, run) => {
    run.enter();
    const ok = check(value, run);
    run.leave();
    return ok;
  };
}

/**
 * Gives the node its own record of evaluated members, and hands it on when asked. A node that fails hands on
 * nothing; while failures are reported it does, since the failure itself is known and a second one for every
 * member below it would hide it.
 */
function withEvaluated(check: Check, handOn: boolean): Check {
  return (value, run) => {
    const outer = run.evaluated;
    const own = new Evaluated();
    run.evaluated = own;
    const ok = check(value, run);
    run.evaluated = outer;
    if (handOn && (ok || run.findings !== undefined)) outer?.merge(own);
    return ok;
  };
}

/** Adds the node's resource to the dynamic scope. */
function withScope(check: Check, { resource }: SchemaNode): Check {
  return (value, run) => {
    if (run.scope.at(-1) === resource) return check(value, run);
    run.scope.push(resource);
    const ok = check(value, run);
    run.scope.pop();
    return ok;
  };
}
