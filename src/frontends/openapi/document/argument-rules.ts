/** `x-mcp` of parameters and properties, and `x-mcp.arguments` of operations: how single arguments are served. */
import { suggestNearest } from '../../../../templates/runtime/contract/feature.ts';
import { isVariableName, refersToVariable } from '../../../config/options/argument-rules.ts';
import type { Json } from '../../../../templates/runtime/contract/json-schema.ts';
import type { ArgumentRule } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import type { ReadContext } from '../read-context.ts';
import {
  type SourceNode,
  isRecordNode,
  keyOrigin,
  listItemNodes,
  listMemberNodes,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';
import { hasBoundedSize } from './document-value.ts';
import { readCleanText } from './record.ts';

const members = ['hide', 'name', 'description', 'default', 'const', 'env'];

/** Reads a rule. `false` hides the argument. `others` are keys that have a reader of their own. */
export function readArgumentRule(
  context: ReadContext,
  node: SourceNode,
  moreMembers: readonly string[] = [],
): ArgumentRule | undefined {
  if (node.value === undefined || node.value === true) return undefined;
  if (node.value === false) return { hide: true };
  if (!isRecordNode(node)) return reportInvalid(context, node, 'x-mcp of an argument', 'false or an object');
  for (const key of Object.keys(node.value)) {
    const memberNames = [...members, ...moreMembers];
    if (memberNames.includes(key)) continue;
    const at = keyOrigin(memberNode(node, key));
    const suggestion = suggestNearest(key, memberNames) ?? '';
    context.report('invalid-x-mcp', { unknownKey: key, suggestion }, { at });
  }
  const rule: ArgumentRule = omitUndefined({
    hide: readHide(context, memberNode(node, 'hide')),
    name: readTextKeyword(context, memberNode(node, 'name')),
    description: readTextKeyword(context, memberNode(node, 'description')),
    default: readValueUnlessTooLarge(context, memberNode(node, 'default')),
    const: readValueUnlessTooLarge(context, memberNode(node, 'const')),
    env: readVariable(context, memberNode(node, 'env')),
  });
  return Object.keys(rule).length === 0 ? undefined : rule;
}

export function readArgumentRules(
  context: ReadContext,
  node: SourceNode,
): Record<string, ArgumentRule> | undefined {
  if (node.value === undefined) return undefined;
  if (!isRecordNode(node)) return reportInvalid(context, node, 'x-mcp.arguments', 'an object');
  return collectKnownRules(
    listMemberNodes(node).map(([name, member]) => [name, readArgumentRule(context, member)]),
  );
}

/** Reads rules at the properties of a body, also behind references and in `allOf`. */
export function readPropertyRules(
  context: ReadContext,
  schema: SourceNode,
): Record<string, ArgumentRule> | undefined {
  const entries: [string, ArgumentRule | undefined][] = [];
  const open = [schema];
  const seen = new Set<unknown>();
  for (const next of open) {
    const node = context.resolver.followReference(next);
    if (node === undefined || !isRecordNode(node) || seen.has(node.value)) continue;
    seen.add(node.value);
    open.push(...listItemNodes(memberNode(node, 'allOf')));
    const properties = memberNode(node, 'properties');
    if (!isRecordNode(properties)) continue;
    for (const [name, property] of listMemberNodes(properties)) {
      if (!isRecordNode(property)) continue;
      context.schemas.argumentSchemas.add(property.value);
      entries.push([name, readArgumentRule(context, memberNode(property, 'x-mcp'))]);
    }
  }
  return collectKnownRules(entries);
}

function collectKnownRules(
  entries: readonly (readonly [string, ArgumentRule | undefined])[],
): Record<string, ArgumentRule> | undefined {
  const rules = entries.filter((entry): entry is [string, ArgumentRule] => entry[1] !== undefined);
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}

function readHide(context: ReadContext, node: SourceNode): boolean | undefined {
  if (node.value === undefined || typeof node.value === 'boolean') return node.value;
  return reportInvalid(context, node, 'x-mcp.hide', 'true or false');
}

function readTextKeyword(context: ReadContext, node: SourceNode): string | undefined {
  if (node.value === undefined) return undefined;
  return readCleanText(node.value) ?? reportInvalid(context, node, 'A text in x-mcp of an argument', 'text');
}

function readValueUnlessTooLarge(context: ReadContext, node: SourceNode): Json | undefined {
  if (node.value === undefined || reportIfReference(context, node)) return undefined;
  if (hasBoundedSize(node.value, node.document)) return node.value as Json;
  return reportInvalid(context, node, 'A value in x-mcp of an argument', 'smaller');
}

function readVariable(context: ReadContext, node: SourceNode): string | undefined {
  if (node.value === undefined || reportIfReference(context, node)) return undefined;
  if (isVariableName(node.value)) return node.value;
  return reportInvalid(context, node, 'x-mcp.env', 'the name of a variable, in letters, digits and _');
}

function reportIfReference(context: ReadContext, node: SourceNode): boolean {
  if (!refersToVariable(node.value)) return false;
  context.report('argument-value-reference', {}, { at: nodeOrigin(node) });
  return true;
}

function reportInvalid(context: ReadContext, node: SourceNode, key: string, expected: string): undefined {
  context.report('invalid-x-mcp', { key, expected }, { at: nodeOrigin(node) });
}
