import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { ReferenceTarget } from '../../../diagnostics/registry/load.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { type Rec, printValueOrQuotes, ownMember } from '../document/record.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import type { Report } from '../report.ts';
import { escapePointerToken } from '../../../util/json-schema.ts';

/** Nodes are created while descending, never for a whole document. */
export interface SourceNode<T = unknown> {
  document: LoadedDocument;
  pointer: string;
  value: T;
  /** The nearest `$id` above; absent: the document's base. */
  base?: string;
  /** Schemas that `$dynamicRef` means here, by anchor. */
  scope?: DynamicScope;
}

export type DynamicScope = ReadonlyMap<string, RecordNode>;

export type RecordNode = SourceNode<Rec>;

export function rootNode(document: LoadedDocument): SourceNode {
  return { document, pointer: '', value: document.value };
}

export function memberNode(node: RecordNode, key: string): SourceNode {
  return childNode(node, key, ownMember(node.value, key));
}

export function childNode<T>(node: SourceNode, token: string | number, value: T): SourceNode<T> {
  const pointer = `${node.pointer}/${typeof token === 'number' ? token : escapePointerToken(token)}`;
  const child: SourceNode<T> = { document: node.document, pointer, value };
  if (node.base !== undefined) child.base = node.base;
  if (node.scope !== undefined) child.scope = node.scope;
  return child;
}

export function listMemberNodes(node: RecordNode | undefined): [name: string, member: SourceNode][] {
  return node === undefined ? [] : Object.keys(node.value).map((name) => [name, memberNode(node, name)]);
}

export function listItemNodes(node: SourceNode): SourceNode[] {
  return Array.isArray(node.value)
    ? node.value.map((item: unknown, index) => childNode(node, index, item))
    : [];
}

export function isRecordNode(node: SourceNode): node is RecordNode {
  return isRecord(node.value);
}

export function nodeOrigin(node: SourceNode): DocumentOrigin {
  const { document, pointer } = node;
  return document.writtenAt?.(pointer) ?? { kind: 'document', file: document.file, pointer };
}

export function keyOrigin(node: SourceNode): DocumentOrigin {
  return { ...nodeOrigin(node), on: 'key' };
}

export function nodeIdentity(node: SourceNode): string {
  return `${node.document.uri}#${node.pointer}`;
}

/** The member that holds the reference's text, else its object. */
export function findReferencePlace(from: SourceNode, ref: unknown): DocumentOrigin {
  const { value } = from;
  const key = isRecord(value)
    ? ['$ref', ...Object.keys(value)].find((name) => value[name] === ref)
    : undefined;
  return nodeOrigin(key === undefined ? from : childNode(from, key, ref));
}

export interface Expected {
  /** `A parameter of GET /pets`. */
  what: string;
  target: ReferenceTarget;
}

export const aSchema: Expected = { what: 'A schema', target: 'schema' };

/** Reports a circle back to `again`; `passed` holds the objects on the path, the one to blame first. */
export function reportCircle(
  report: Report,
  path: readonly RecordNode[],
  again: SourceNode,
  { what, target }: Expected,
): void {
  const [first] = path;
  if (first === undefined) return;
  const { $ref } = first.value;
  const start = path.findIndex((node) => nodeIdentity(node) === nodeIdentity(again));
  const places = path.slice(Math.max(0, start)).map((node) => findReferencePlace(node, node.value.$ref));
  const related = places
    .slice(0, 5)
    .filter(({ file, pointer }) => file !== first.document.file || pointer !== `${first.pointer}/$ref`)
    .map((origin) => ({ message: 'This reference is part of the circle.', origin }));
  const at = findReferencePlace(first, $ref);
  report(
    'circular-ref',
    { what, target, ref: printValueOrQuotes($ref) },
    { at, ...(related.length === 0 ? {} : { related }) },
  );
}
