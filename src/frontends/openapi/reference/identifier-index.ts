import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { KEYWORDS_WITH_SCHEMAS } from '../../../model/schema-walk.ts';
import { type Rec, printValue } from '../document/record.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import { type SourceNode, childNode, listMemberNodes, rootNode } from './source-node.ts';

/** The schemas of one document that have `$id`, `$anchor` or `$dynamicAnchor`. */
export interface IdentifierIndex {
  /** Keys are absolute URLs without a fragment. */
  resources: Map<string, SourceNode>;
  /** Keys are `<base>#<anchor>`. */
  anchors: Map<string, SourceNode>;
  bases: Map<object, string>;
}

const empty: IdentifierIndex = { resources: new Map(), anchors: new Map(), bases: new Map() };

/** Schemas are not searched below keys of data, nor taken from keys whose members the document names. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);
const namedMembers = new Set([
  ...[...KEYWORDS_WITH_SCHEMAS].flatMap(([keyword, holds]) => (holds === 'map' ? keyword : [])),
  'definitions',
  ...['schemas', 'paths', 'webhooks', 'callbacks', 'responses', 'content', 'headers', 'parameters'],
]);

const indexes = new WeakMap<LoadedDocument, IdentifierIndex>();

/** Indexes the identifiers of a document. Walks it once, and only if it has such a keyword. */
export function indexIdentifiers(document: LoadedDocument): IdentifierIndex {
  let index = indexes.get(document);
  if (index === undefined) {
    index = /\$(?:id|anchor|dynamicAnchor)/.test(document.text) ? buildIndex(document) : empty;
    indexes.set(document, index);
  }
  return index;
}

function buildIndex(document: LoadedDocument): IdentifierIndex {
  const index: IdentifierIndex = { resources: new Map(), anchors: new Map(), bases: new Map() };
  const seen = new Set<object>();
  const open: SourceNode[] = [rootNode(document)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node.value !== 'object' || node.value === null || seen.has(node.value)) continue;
    seen.add(node.value);
    const inside = isRecord(node.value) ? indexSchema(index, node, node.value) : node;
    for (const [key, value] of Object.entries(node.value) as [string, unknown][]) {
      if (data.has(key) || key.startsWith('x-')) continue;
      const child = childNode(inside, key, value);
      if (namedMembers.has(key) && isRecord(value))
        open.push(...listMemberNodes({ ...child, value }).map(([, member]) => member));
      else open.push(child);
    }
  }
  return index;
}

function indexSchema(
  index: IdentifierIndex,
  node: SourceNode,
  { $id, $anchor, $dynamicAnchor }: Rec,
): SourceNode {
  let inside = node;
  const above = node.base ?? node.document.base;
  if (typeof $id === 'string' && URL.canParse($id, above)) {
    const id = new URL($id, above);
    id.hash = '';
    inside = { ...node, base: id.href };
    index.bases.set(node.value as object, id.href);
    if (!index.resources.has(id.href)) index.resources.set(id.href, inside);
  }
  for (const anchor of [$anchor, $dynamicAnchor]) {
    const name = `${inside.base ?? node.document.base}#${printValue(anchor)}`;
    if (typeof anchor === 'string' && !index.anchors.has(name)) index.anchors.set(name, inside);
  }
  return inside;
}
