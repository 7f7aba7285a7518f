import { suggest } from '../../../../templates/runtime/contract/suggest.ts';
import type { Icon, ToolAnnotations } from '../../../../templates/runtime/contract/catalog.ts';
import type { XMcp } from '../../../model/source-model.ts';
import type { ReadContext } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  childOf,
  isRecordNode,
  keyOriginOf,
  memberOf,
  originOf,
} from '../reference/source-node.ts';
import { definedMembers } from '../../../util/defined-members.ts';
import { wordsOf } from './text.ts';

const keys = [
  'name',
  'title',
  'description',
  'annotations',
  'scopes',
  'resource',
  'icons',
  'bodyMediaType',
  'enabled',
];
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** `x-mcp` may be true, false or an object. */
export function readXMcp(context: ReadContext, owner: RecordNode): XMcp | undefined {
  const node = memberOf(owner, 'x-mcp');
  if (node.value === undefined) return undefined;
  if (typeof node.value === 'boolean') return { enabled: node.value };
  if (isRecordNode(node)) return readObject(context, node);
  return report(context, node, 'x-mcp', 'true, false or an object');
}

/** Overlays the path's `x-mcp` with the operation's. */
export function overlayXMcp(path: XMcp | undefined, operation: XMcp | undefined): XMcp | undefined {
  if (path === undefined || operation === undefined) return operation ?? path;
  const annotations = { ...path.annotations, ...operation.annotations };
  const both = { ...path, ...operation };
  return Object.keys(annotations).length === 0 ? both : { ...both, annotations };
}

function readObject(context: ReadContext, node: RecordNode): XMcp {
  warnUnknown(context, node, keys);
  const text = (key: string): string | undefined => readText(context, memberOf(node, key), `x-mcp.${key}`);
  return definedMembers({
    enabled: readBoolean(context, memberOf(node, 'enabled'), 'x-mcp.enabled'),
    name: text('name'),
    title: text('title'),
    description: text('description'),
    annotations: readAnnotations(context, memberOf(node, 'annotations')),
    scopes: readScopes(context, memberOf(node, 'scopes')),
    resource: readResource(context, memberOf(node, 'resource')),
    icons: readIcons(context, memberOf(node, 'icons'), 'x-mcp.icons'),
    bodyMediaType: text('bodyMediaType'),
  });
}

function warnUnknown(context: ReadContext, node: RecordNode, known: readonly string[]): void {
  for (const key of Object.keys(node.value)) {
    if (known.includes(key) || key.startsWith('x-')) continue;
    const suggestion = suggest(key, known) ?? '';
    const at = keyOriginOf(memberOf(node, key));
    context.report('unknown-x-mcp-key', { key, suggestion }, { at });
  }
}

function readText(context: ReadContext, node: SourceNode, key: string): string | undefined {
  if (node.value === undefined) return undefined;
  return wordsOf(node.value) ?? report(context, node, key, 'text');
}

function readBoolean(context: ReadContext, node: SourceNode, key: string): boolean | undefined {
  if (node.value === undefined || typeof node.value === 'boolean') return node.value;
  return report(context, node, key, 'true or false');
}

function readResource(context: ReadContext, node: SourceNode): XMcp['resource'] {
  if (node.value === 'only') return 'only';
  if (node.value === undefined || typeof node.value === 'boolean') return node.value;
  return report(context, node, 'x-mcp.resource', "true, false or 'only'");
}

function readScopes(context: ReadContext, node: SourceNode): string[] | undefined {
  if (node.value === undefined) return undefined;
  const scopes = Array.isArray(node.value) ? (node.value as unknown[]) : [undefined];
  const texts = scopes.filter((scope): scope is string => typeof scope === 'string' && scope !== '');
  return texts.length === scopes.length ? texts : report(context, node, 'x-mcp.scopes', 'a list of texts');
}

function readAnnotations(context: ReadContext, node: SourceNode): ToolAnnotations | undefined {
  if (node.value === undefined) return undefined;
  if (!isRecordNode(node)) return report(context, node, 'x-mcp.annotations', 'an object');
  warnUnknown(context, node, ['title', ...hints]);
  const annotations: ToolAnnotations = {};
  const title = readText(context, memberOf(node, 'title'), 'x-mcp.annotations.title');
  if (title !== undefined) annotations.title = title;
  for (const hint of hints) {
    const value = readBoolean(context, memberOf(node, hint), `x-mcp.annotations.${hint}`);
    if (value !== undefined) annotations[hint] = value;
  }
  return annotations;
}

export function readIcons(context: ReadContext, node: SourceNode, key: string): Icon[] | undefined {
  if (node.value === undefined) return undefined;
  if (!Array.isArray(node.value)) return report(context, node, key, 'a list of icons');
  return node.value
    .map((icon: unknown, index) => readIcon(context, childOf(node, index, icon), key))
    .filter((icon) => icon !== undefined);
}

function readIcon(context: ReadContext, node: SourceNode, key: string): Icon | undefined {
  const expected = 'an object with `src`, an http(s) or data URI';
  if (!isRecordNode(node)) return report(context, node, key, expected);
  const { src, mimeType, sizes, theme } = node.value;
  if (typeof src !== 'string' || !/^(?:https?:\/\/|data:)/i.test(src))
    return report(context, node, key, expected);
  return {
    src,
    ...(typeof mimeType === 'string' ? { mimeType } : {}),
    ...(Array.isArray(sizes)
      ? { sizes: sizes.filter((size): size is string => typeof size === 'string') }
      : {}),
    ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
  };
}

function report(context: ReadContext, node: SourceNode, key: string, expected: string): undefined {
  context.report('invalid-x-mcp', { key, expected }, { at: originOf(node) });
}
