import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { type Rec, ownMember } from '../document/record.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import { escapeToken } from './json-pointer.ts';

/** A value with its place. Nodes are created while descending, never for a whole document. */
export interface SourceNode<T = unknown> {
  document: LoadedDocument;
  pointer: string;
  value: T;
  /** The nearest `$id` above, which references are relative to; absent: the document's base. */
  base?: string;
}

export type RecordNode = SourceNode<Rec>;

export function rootNode(document: LoadedDocument): SourceNode {
  return { document, pointer: '', value: document.value };
}

export function memberOf(node: RecordNode, key: string): SourceNode {
  return childOf(node, key, ownMember(node.value, key));
}

export function childOf<T>(node: SourceNode, token: string | number, value: T): SourceNode<T> {
  const pointer = `${node.pointer}/${typeof token === 'number' ? token : escapeToken(token)}`;
  return node.base === undefined
    ? { document: node.document, pointer, value }
    : { document: node.document, pointer, value, base: node.base };
}

export function isRecordNode(node: SourceNode): node is RecordNode {
  return isRecord(node.value);
}

export function originOf(node: SourceNode): DocumentOrigin {
  const { document, pointer } = node;
  return document.writtenAt?.(pointer) ?? { kind: 'document', file: document.file, pointer };
}

export function keyOriginOf(node: SourceNode): DocumentOrigin {
  return { ...originOf(node), on: 'key' };
}

/** Two nodes with the same identity are the same place. */
export function identityOf(node: SourceNode): string {
  return `${node.document.uri}#${node.pointer}`;
}
