import { pointerTokens } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { omitUndefined } from '../../../util/collections.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import type { Resolver } from '../reference/resolver.ts';
import {
  type RecordNode,
  type SourceNode,
  nodeIdentity,
  isRecordNode,
  listItemNodes,
  listMemberNodes,
  memberNode,
  rootNode,
} from '../reference/source-node.ts';

export interface Choice {
  node: SourceNode;
  values: string[];
}

export interface Discriminator {
  property: string;
  mapping: Map<string, Choice>;
  values: Set<unknown>;
  /** Whether a default branch (OpenAPI 3.2) accepts all other values. */
  hasDefault: boolean;
}

export function readDiscriminator(
  resolver: Resolver,
  entry: LoadedDocument,
  schema: RecordNode,
): Discriminator | undefined {
  const discriminator = memberNode(schema, 'discriminator');
  // Swagger 2.0 has the property's name only.
  if (typeof discriminator.value === 'string')
    return { property: discriminator.value, mapping: new Map(), values: new Set(), hasDefault: false };
  if (!isRecordNode(discriminator) || typeof discriminator.value.propertyName !== 'string') return undefined;
  const { propertyName, defaultMapping } = discriminator.value;
  const mapping = resolveMapping(resolver, entry, discriminator);
  return {
    property: propertyName,
    mapping,
    values: new Set([...mapping.values()].flatMap((choice) => choice.values)),
    hasDefault: defaultMapping !== undefined,
  };
}

/** Values of the mapping replace the schema's name. */
function resolveMapping(
  resolver: Resolver,
  entry: LoadedDocument,
  discriminator: RecordNode,
): Discriminator['mapping'] {
  const mapping: Discriminator['mapping'] = new Map();
  const written = memberNode(discriminator, 'mapping');
  if (!isRecordNode(written)) return mapping;
  for (const [value, target] of Object.entries(written.value)) {
    const component =
      typeof target === 'string'
        ? (findSchemaComponent(written.document, target) ?? findSchemaComponent(entry, target))
        : undefined;
    const named = component ?? resolver.target(written, target, 'mapping');
    const node = named && resolver.followReference(named);
    if (named === undefined || node === undefined) continue;
    const choice = mapping.get(nodeIdentity(node)) ?? { node, values: [] };
    choice.values.push(value);
    mapping.set(nodeIdentity(node), choice);
  }
  return mapping;
}

export function deriveImplicitName(node: SourceNode): string {
  const last = pointerTokens(node.pointer).at(-1);
  return last ?? node.document.file.replace(/^.*\//, '').replace(/\.\w+$/, '');
}

function findSchemaComponents(document: LoadedDocument): RecordNode | undefined {
  const root = rootNode(document);
  if (!isRecordNode(root)) return undefined;
  const holder = document.version === '2.0' ? root : memberNode(root, 'components');
  if (!isRecordNode(holder)) return undefined;
  const schemas = memberNode(holder, document.version === '2.0' ? 'definitions' : 'schemas');
  return isRecordNode(schemas) ? schemas : undefined;
}

function findSchemaComponent(document: LoadedDocument, name: string): SourceNode | undefined {
  const schemas = findSchemaComponents(document);
  return schemas !== undefined && Object.hasOwn(schemas.value, name) ? memberNode(schemas, name) : undefined;
}

const inheritors = new WeakMap<LoadedDocument, Map<string, RecordNode[]>>();

export function listInheritors(parent: SourceNode): RecordNode[] {
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
  for (const [, heir] of listMemberNodes(findSchemaComponents(document))) {
    if (!isRecordNode(heir) || !Array.isArray(heir.value.allOf)) continue;
    for (const member of heir.value.allOf as unknown[]) {
      if (!isRecord(member) || typeof member.$ref !== 'string') continue;
      const heirs = byParent.get(member.$ref);
      if (heirs === undefined) byParent.set(member.$ref, [heir]);
      else heirs.push(heir);
    }
  }
  return byParent;
}

interface FoundProperty {
  values?: unknown[];
  required: boolean;
  readOnly: boolean;
}

const deepest = 8;

export function findProperty(
  resolver: Resolver,
  schema: SourceNode,
  name: string,
): FoundProperty | undefined {
  const search: Search = { resolver, name, required: false, readOnly: false, declared: false };
  searchForProperty(search, schema, 0);
  if (!search.declared) return undefined;
  const { required, readOnly, values } = search;
  return { required, readOnly, ...omitUndefined({ values }) };
}

interface Search extends FoundProperty {
  resolver: Resolver;
  name: string;
  declared: boolean;
}

function searchForProperty(search: Search, schema: SourceNode, depth: number): void {
  const node = depth > deepest ? undefined : search.resolver.followReference(schema);
  if (node === undefined || !isRecordNode(node)) return;
  const { required } = node.value;
  if (Array.isArray(required) && required.includes(search.name)) search.required = true;
  const properties = memberNode(node, 'properties');
  if (isRecordNode(properties) && Object.hasOwn(properties.value, search.name)) {
    search.declared = true;
    notePropertyValues(search, memberNode(properties, search.name));
  }
  for (const member of listItemNodes(memberNode(node, 'allOf'))) searchForProperty(search, member, depth + 1);
}

function notePropertyValues(search: Search, property: SourceNode): void {
  const schema = search.resolver.followReference(property)?.value;
  if (!isRecord(schema)) return;
  if (schema.readOnly === true) search.readOnly = true;
  const values: unknown[] | undefined =
    schema.const !== undefined ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  // The narrowest declaration counts, since children often repeat a property with one value.
  if (values !== undefined && (search.values === undefined || values.length < search.values.length))
    search.values = values;
}
