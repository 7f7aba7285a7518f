/** `unevaluatedProperties` and `unevaluatedItems` (Core, section 11). They come last: they see what others did. */
import { fail } from '../findings.ts';
import { memberNames } from '../../contract/json-value.ts';
import { type Check, checkMember } from '../run.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { SchemaSet } from '../schema-set.ts';
import { subschemaAt } from '../../contract/subschemas.ts';

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
