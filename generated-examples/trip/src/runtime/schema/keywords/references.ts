/** `$ref` and `$dynamicRef` (Core, section 8.2.3). */
import type { Check } from '../run.ts';
import type { Resource, SchemaNode } from '../schema-node.ts';
import type { SchemaSet } from '../schema-set.ts';

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

/** As `call`, and the evaluated members are reported. */
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
