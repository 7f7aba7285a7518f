import type { ReferenceTarget } from '../../diagnostics/registry/load.ts';
import type { LoadedDocument } from './load/loaded-document.ts';
import type { Resolver } from './reference/resolver.ts';
import {
  type RecordNode,
  type SourceNode,
  isRecordNode,
  listItemNodes,
  memberNode,
  nodeOrigin,
} from './reference/source-node.ts';
import type { Report } from './report.ts';
import type { SchemaReader } from './schema/schema-reader.ts';
import { type Rec, describeValueKind, readCleanText } from './document/record.ts';

export interface ReadContext {
  entry: LoadedDocument;
  resolver: Resolver;
  schemas: SchemaReader;
  report: Report;
  /** No scheme of the document writes the header `Authorization`, so a parameter may. Default false. */
  isAuthorizationFree?: boolean;
  /** Shared objects are converted and reported once. Readers must not change the results. */
  shared: Map<Rec, Map<string, unknown>>;
}

export function resolveRecordNode(
  context: ReadContext,
  node: SourceNode,
  what: string,
  target: ReferenceTarget = 'other',
): RecordNode | undefined {
  if (node.value === undefined) return undefined;
  const found = context.resolver.followReference(node, { what, target });
  if (found === undefined) return undefined;
  if (isRecordNode(found)) return found;
  reportInvalidValue(context, found, what, 'an object');
  return undefined;
}

export function listArrayItems(context: ReadContext, node: SourceNode, what: string): SourceNode[] {
  if (node.value !== undefined && !Array.isArray(node.value))
    reportInvalidValue(context, node, what, 'a list');
  return listItemNodes(node);
}

export function readText(context: ReadContext, node: SourceNode, what: string): string | undefined {
  const { value } = node;
  if (value === undefined || value === null || typeof value === 'string') return readCleanText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  reportInvalidValue(context, node, what, 'text');
  return undefined;
}

export function reportInvalidValue(
  context: ReadContext,
  node: SourceNode,
  what: string,
  expected: string,
): void {
  context.report(
    'invalid-piece',
    { what, expected, found: describeValueKind(node.value) },
    { at: nodeOrigin(node) },
  );
}

/** A boolean field, also where it is written as a text. Undefined without one. */
export function readFlag(context: ReadContext, owner: RecordNode, field: string): boolean | undefined {
  const node = memberNode(owner, field);
  const { value } = node;
  if (value === undefined || typeof value === 'boolean') return value;
  const isRead = value === 'true' || value === 'false';
  context.report(
    'invalid-piece',
    {
      what: `\`${field}\``,
      expected: 'true or false',
      found: isRead ? `the text "${value}"` : describeValueKind(value),
      ...(isRead && { fate: `read as ${value}` }),
    },
    { at: nodeOrigin(node) },
  );
  return isRead ? value === 'true' : undefined;
}

export function readOnceAndShare<T>(
  { shared }: ReadContext,
  node: RecordNode,
  kind: string,
  read: () => T,
): T {
  let known = shared.get(node.value);
  if (known === undefined) shared.set(node.value, (known = new Map()));
  if (known.has(kind)) return known.get(kind) as T;
  const value = read();
  known.set(kind, value);
  return value;
}
