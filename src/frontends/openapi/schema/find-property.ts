import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { Resolver } from '../reference/resolver.ts';
import { type SourceNode, childOf, isRecordNode, memberOf } from '../reference/source-node.ts';
import { definedMembers } from '../../../util/defined-members.ts';

export interface FoundProperty {
  values?: unknown[];
  required: boolean;
  readOnly: boolean;
}

const deepest = 8;

/** Searches `$ref` and `allOf` too; undefined if nothing declares the property. */
export function findProperty(
  resolver: Resolver,
  schema: SourceNode,
  name: string,
): FoundProperty | undefined {
  const search: Search = { resolver, name, required: false, readOnly: false, declared: false };
  look(search, schema, 0);
  if (!search.declared) return undefined;
  const { required, readOnly, values } = search;
  return { required, readOnly, ...definedMembers({ values }) };
}

interface Search extends FoundProperty {
  resolver: Resolver;
  name: string;
  declared: boolean;
}

function look(search: Search, schema: SourceNode, depth: number): void {
  const node = depth > deepest ? undefined : search.resolver.follow(schema);
  if (node === undefined || !isRecordNode(node)) return;
  const { required, allOf } = node.value;
  if (Array.isArray(required) && required.includes(search.name)) search.required = true;
  const properties = memberOf(node, 'properties');
  if (isRecordNode(properties) && Object.hasOwn(properties.value, search.name)) {
    search.declared = true;
    judge(search, memberOf(properties, search.name));
  }
  if (!Array.isArray(allOf)) return;
  const list = childOf(node, 'allOf', allOf);
  allOf.forEach((member: unknown, index) => {
    look(search, childOf(list, index, member), depth + 1);
  });
}

function judge(search: Search, property: SourceNode): void {
  const schema = search.resolver.follow(property)?.value;
  if (!isRecord(schema)) return;
  if (schema.readOnly === true) search.readOnly = true;
  const values: unknown[] | undefined =
    schema.const !== undefined ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  // The narrowest declaration counts, since children often repeat a property with one value.
  if (values !== undefined && (search.values === undefined || values.length < search.values.length))
    search.values = values;
}
