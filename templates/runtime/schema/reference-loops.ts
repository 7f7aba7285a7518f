/**
 * Finds `$ref`s that lead back to themselves without a step into the value: evaluating one would never end
 * (Core, section 9.4.1). A recursion through `properties` or `items` is fine and not looked at.
 */
import { SchemaDefect } from './schema-defect.ts';
import type { SchemaNode } from './schema-node.ts';
import type { SchemaSet } from './schema-set.ts';
import { type Subschema, subschemaAt, subschemaList, subschemaMap } from '../contract/subschemas.ts';

/** @throws SchemaDefect at the first loop. */
export function assertNoLoops(set: SchemaSet): void {
  const done = new Set<SchemaNode>();
  for (const node of set.referrers()) follow(node, set, done);
}

/** Depth first with an explicit stack; a node met again while it is still open closes a loop. */
function follow(start: SchemaNode, set: SchemaSet, done: Set<SchemaNode>): void {
  if (done.has(start)) return;
  const open = new Set([start]);
  const stack = [{ node: start, next: inPlace(start, set) }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const node = top.next.pop();
    if (node === undefined) {
      stack.pop();
      open.delete(top.node);
      done.add(top.node);
    } else if (open.has(node)) {
      throw new SchemaDefect('`$ref` leads back to itself without a step into the value', node.path);
    } else if (!done.has(node)) {
      open.add(node);
      stack.push({ node, next: inPlace(node, set) });
    }
  }
}

/** Nodes that are applied to the same value as `node` (Core, section 10.2, and references). */
export function inPlace(node: SchemaNode, set: SchemaSet): SchemaNode[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  const found: Subschema[] = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => subschemaList(schema, keyword)),
    ...['not', 'if', 'then', 'else'].flatMap((keyword) => subschemaAt(schema, keyword)),
    ...subschemaMap(schema, 'dependentSchemas').map(({ entry }) => entry),
  ];
  const target = set.target(node, '$ref');
  const nodes = found.map(({ schema: child, step }) => set.node(child, node, step));
  return target === undefined ? nodes : [...nodes, target.node];
}
