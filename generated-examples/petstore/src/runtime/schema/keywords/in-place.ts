// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Keywords that apply schemas to the same value: `allOf`, `anyOf`, `oneOf`, `not`, `if` (Core, section 10.2). */
import { memberNames } from '../../contract/json-value.ts';
import { allowsNothing, type Subschema, subschemaAt, subschemaList } from '../../contract/json-schema.ts';
import { type Alternatives, reportAlternatives } from '../alternatives.ts';
import { type Check, checkMember, fail, holds, list, literal } from '../run.ts';
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

/** Words for what `not` refuses, if it is a type or a single value. */
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

/** `unevaluatedProperties` and `unevaluatedItems` (Core, section 11). They come last: they see what others did. */

/** Whether the schema asks what its other keywords evaluated. */
export function asksForEvaluated({ schema, resource }: SchemaNode): boolean {
  if (typeof schema === 'boolean' || !resource.dialect.unevaluated) return false;
  return (
    [...subschemaAt(schema, 'unevaluatedProperties'), ...subschemaAt(schema, 'unevaluatedItems')].length > 0
  );
}

export function unevaluatedPropertiesChecks(
  node: SchemaNode,
  set: SchemaSet,
): Check<Record<string, unknown>>[] {
  if (typeof node.schema === 'boolean') return [];
  return subschemaAt(node.schema, 'unevaluatedProperties').map(({ schema, step }) => {
    const child = set.node(schema, node, step);
    return (value, run) => {
      let ok = true;
      for (const name of memberNames(value)) {
        if (run.evaluated?.hasProperty(name) === true) continue;
        if (child.schema === false ? refuse(node, name, run) : checkMember(child, value[name], name, run))
          continue;
        if (run.findings === undefined) return false;
        ok = false;
      }
      run.evaluated?.addAllProperties();
      return ok;
    };
  });
}

const refuse = (node: SchemaNode, name: string, run: Parameters<Check>[1]): false =>
  fail(run, node, 'unevaluatedProperties', {
    member: name,
    words: 'is not a known property',
    params: { unevaluatedProperty: name },
  });

export function unevaluatedItemsChecks(node: SchemaNode, set: SchemaSet): Check<readonly unknown[]>[] {
  if (typeof node.schema === 'boolean') return [];
  return subschemaAt(node.schema, 'unevaluatedItems').map(({ schema, step }) => {
    const child = set.node(schema, node, step);
    return (value, run) => {
      run.spend(value.length);
      let ok = true;
      for (const [index, item] of value.entries()) {
        if (run.evaluated?.hasItem(index) === true || checkMember(child, item, index, run)) continue;
        if (run.findings === undefined) return false;
        ok = false;
      }
      run.evaluated?.addItems(Infinity);
      return ok;
    };
  });
}
