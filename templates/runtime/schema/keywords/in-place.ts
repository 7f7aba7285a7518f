/** Keywords that apply schemas to the same value: `allOf`, `anyOf`, `oneOf`, `not`, `if` (Core, section 10.2). */
import { type Alternatives, reportAlternatives } from '../alternatives.ts';
import { fail, list, literal } from '../findings.ts';
import { type Check, holds } from '../run.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { SchemaSet } from '../schema-set.ts';
import { allowsNothing, type Subschema, subschemaAt, subschemaList } from '../../contract/subschemas.ts';
import { call, trackedCall } from './references.ts';

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

/** What `not` refuses, where it can be said in a word. */
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
