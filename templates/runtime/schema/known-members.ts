/** How much of a value a schema speaks of: the alternative that was meant is the one that names most of it. */
import { isRecord, member } from '../contract/json-value.ts';
import { matchesPattern } from './matches-pattern.ts';
import type { Run } from './run.ts';
import type { SchemaNode } from './schema-node.ts';
import type { SchemaSet } from './schema-set.ts';
import {
  allowsNothing,
  escapeToken,
  isSchema,
  type Subschema,
  subschemaAt,
  subschemaList,
} from '../contract/subschemas.ts';

/** Whether a schema, or one that it applies to the same value, names a member. */
export function namesMember(node: SchemaNode, name: string, set: SchemaSet): boolean {
  return inPlace([node], set).some((each) => memberNode(each, name, set) !== undefined);
}

/** Counts the members of a value, at any depth, that a schema names. */
export function knownMembers(value: unknown, nodes: readonly SchemaNode[], set: SchemaSet, run: Run): number {
  if (typeof value !== 'object' || value === null || nodes.length === 0) return 0;
  run.enter();
  const said = inPlace(nodes, set);
  const find = Array.isArray(value) ? itemNode : memberNode;
  let known = 0;
  for (const [key, part] of Object.entries(value)) {
    run.spend(said.length);
    const children = said.map((node) => find(node, key, set)).filter((child) => child !== undefined);
    if (children.length > 0 && !Array.isArray(value)) known++;
    known += knownMembers(part, children, set, run);
  }
  run.leave();
  return known;
}

/** Schemas with those that they apply to the same value, each once. */
function inPlace(nodes: readonly SchemaNode[], set: SchemaSet): SchemaNode[] {
  const found = new Set(nodes);
  // A set is walked to its end, also to what is added on the way.
  for (const node of found) {
    const { schema } = node;
    if (typeof schema === 'boolean') continue;
    const target = set.target(node, '$ref')?.node;
    if (target !== undefined) found.add(target);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      for (const each of subschemaList(schema, keyword)) found.add(childOf(node, each, set));
  }
  return [...found];
}

/** The schema of a member by its name; undefined where it is not named, or must not be there. */
function memberNode(node: SchemaNode, name: string, set: SchemaSet): SchemaNode | undefined {
  const { schema } = node;
  if (typeof schema === 'boolean') return undefined;
  const { properties, patternProperties } = schema;
  const own = isRecord(properties) ? member(properties, name) : undefined;
  if (isSchema(own)) return allowed(node, { schema: own, step: `/properties/${escapeToken(name)}` }, set);
  const patterns = isRecord(patternProperties) ? patternProperties : {};
  const pattern = Object.keys(patterns).find((each) => matchesPattern(each, name));
  const matched = pattern === undefined ? undefined : patterns[pattern];
  if (pattern !== undefined && isSchema(matched))
    return allowed(node, { schema: matched, step: `/patternProperties/${escapeToken(pattern)}` }, set);
  const [additional] = subschemaAt(schema, 'additionalProperties');
  return additional && allowed(node, additional, set);
}

function itemNode(node: SchemaNode, index: string, set: SchemaSet): SchemaNode | undefined {
  const { schema } = node;
  if (typeof schema === 'boolean') return undefined;
  const found = subschemaList(schema, 'prefixItems')[Number(index)] ?? subschemaAt(schema, 'items')[0];
  return found && allowed(node, found, set);
}

function allowed(node: SchemaNode, found: Subschema, set: SchemaSet): SchemaNode | undefined {
  return allowsNothing(found.schema) ? undefined : childOf(node, found, set);
}

function childOf(node: SchemaNode, { schema, step }: Subschema, set: SchemaSet): SchemaNode {
  return set.node(schema, node, step);
}
