import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { ownMember } from '../document/record.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import {
  type RecordNode,
  type SourceNode,
  childOf,
  isRecordNode,
  memberOf,
  rootNode,
} from '../reference/source-node.ts';

function findComponents(document: LoadedDocument): RecordNode | undefined {
  const root = rootNode(document);
  if (!isRecordNode(root)) return undefined;
  const holder = document.version === '2.0' ? root : memberOf(root, 'components');
  if (!isRecordNode(holder)) return undefined;
  const schemas = memberOf(holder, document.version === '2.0' ? 'definitions' : 'schemas');
  return isRecordNode(schemas) ? schemas : undefined;
}

export function findComponent(document: LoadedDocument, name: string): SourceNode | undefined {
  const schemas = findComponents(document);
  return schemas !== undefined && Object.hasOwn(schemas.value, name) ? memberOf(schemas, name) : undefined;
}

const inheritors = new WeakMap<LoadedDocument, Map<string, RecordNode[]>>();

/** Includes indirect heirs. */
export function inheritorsOf(parent: SourceNode): RecordNode[] {
  let byParent = inheritors.get(parent.document);
  if (byParent === undefined) {
    byParent = indexInheritors(parent.document);
    inheritors.set(parent.document, byParent);
  }
  const found = new Map<string, RecordNode>();
  const open = [parent.pointer];
  for (let pointer = open.pop(); pointer !== undefined; pointer = open.pop()) {
    for (const heir of byParent.get(`#${pointer}`) ?? []) {
      if (heir.pointer === parent.pointer || found.has(heir.pointer)) continue;
      found.set(heir.pointer, heir);
      open.push(heir.pointer);
    }
  }
  return [...found.values()].sort((a, b) => (a.pointer < b.pointer ? -1 : a.pointer > b.pointer ? 1 : 0));
}

/** Compares reference texts without resolving them, so that nothing is reported for unused schemas. */
function indexInheritors(document: LoadedDocument): Map<string, RecordNode[]> {
  const byParent = new Map<string, RecordNode[]>();
  const schemas = findComponents(document);
  for (const name of Object.keys(schemas?.value ?? {})) {
    const schema = schemas === undefined ? undefined : ownMember(schemas.value, name);
    if (schemas === undefined || !isRecord(schema) || !Array.isArray(schema.allOf)) continue;
    const heir = childOf(schemas, name, schema);
    for (const member of schema.allOf as unknown[]) {
      if (!isRecord(member) || typeof member.$ref !== 'string') continue;
      const known = byParent.get(member.$ref);
      if (known === undefined) byParent.set(member.$ref, [heir]);
      else known.push(heir);
    }
  }
  return byParent;
}
