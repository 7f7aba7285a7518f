/**
 * Generic schemas (JSON Schema 2020-12, "Dynamic References with `$dynamicRef` and `$dynamicAnchor`"): a schema that refers to a generic one
 * binds its anchors, and the outermost binding wins.
 */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import {
  type DynamicScope,
  type RecordNode,
  type SourceNode,
  isRecordNode,
  listMemberNodes,
  memberNode,
  nodeIdentity,
} from '../reference/source-node.ts';

/** Searching Stripe's text once for each schema took 50 s. */
const dynamicDocuments = new WeakMap<object, boolean>();

function hasDynamicRefs({ document }: RecordNode): boolean {
  const isDynamic = dynamicDocuments.get(document) ?? document.text.includes('$dynamicRef');
  dynamicDocuments.set(document, isDynamic);
  return isDynamic;
}

/** The node with the anchors that it binds: its own, and those of its `$defs`. */
export function bindAnchors(node: RecordNode): RecordNode {
  if (!hasDynamicRefs(node)) return node;
  const anchors = listOwnAnchors(node).filter(([anchor]) => node.scope?.has(anchor) !== true);
  return anchors.length === 0 ? node : { ...node, scope: new Map([...(node.scope ?? []), ...anchors]) };
}

function listOwnAnchors(node: RecordNode): [anchor: string, schema: RecordNode][] {
  const definitions = memberNode(node, '$defs');
  const members = isRecordNode(definitions) ? listMemberNodes(definitions).map(([, member]) => member) : [];
  return [node, ...members].filter(isRecordNode).flatMap((schema): [string, RecordNode][] => {
    const { $dynamicAnchor: anchor } = schema.value;
    return typeof anchor === 'string' ? [[anchor, schema]] : [];
  });
}

/** The target of a reference in a scope: bindings that it does not use, or would make itself, make no other schema of it. */
export function enterScope(target: SourceNode, scope: DynamicScope | undefined): SourceNode {
  if (scope === undefined || !isRecordNode(target)) return target;
  const used = collectDynamicRefs(target.value);
  const own = new Map(listOwnAnchors(target));
  const bindings = [...scope].filter(([anchor, bound]) => {
    const ownSchema = own.get(anchor);
    return used.has(anchor) && (ownSchema === undefined || nodeIdentity(ownSchema) !== nodeIdentity(bound));
  });
  return bindings.length === 0
    ? target
    : { ...target, scope: new Map(bindings.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** The schema that a `$dynamicRef` means, behind a binding that is only a reference. */
export function findBoundSchema({ scope }: RecordNode, ref: string): RecordNode | undefined {
  const bound = scope?.get(ref.slice(ref.indexOf('#') + 1));
  // The guide's generic schema has `not: {}` until another one binds its anchor.
  return isDeepStrictEqual(bound?.value['not'], {}) ? undefined : bound;
}

function collectDynamicRefs(
  value: unknown,
  anchors = new Set<string>(),
  seen = new Set<unknown>(),
): Set<string> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return anchors;
  seen.add(value);
  if (isRecord(value) && typeof value['$dynamicRef'] === 'string')
    anchors.add(value['$dynamicRef'].slice(value['$dynamicRef'].indexOf('#') + 1));
  for (const member of Object.values(value)) collectDynamicRefs(member, anchors, seen);
  return anchors;
}
