import type {
  Icon,
  Json,
  JsonObject,
  ToolAnnotations,
} from '../../../../templates/runtime/contract/json-schema.ts';
import { suggestNearest } from '../../../../templates/runtime/contract/feature.ts';
import { META_KEY_FORM, isValidMetaKey } from '../../../../templates/runtime/contract/json-value.ts';
import { removeInvisible } from '../../../model/clean-prose.ts';
import type { OutputRule, SourcePrompt, SourcePromptArgument, XMcp } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import type { ReadContext } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  isRecordNode,
  keyOrigin,
  listItemNodes,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';
import { readArgumentRules } from './argument-rules.ts';
import { readCleanText } from './record.ts';

const keys =
  'name title description annotations scopes resource icons _meta bodyMediaType enabled arguments pin output fields'.split(
    ' ',
  );
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

export function readXMcp(context: ReadContext, owner: RecordNode): XMcp | undefined {
  const node = memberNode(owner, 'x-mcp');
  if (node.value === undefined) return undefined;
  if (typeof node.value === 'boolean') return { enabled: node.value };
  if (isRecordNode(node)) return readXMcpObject(context, node);
  return reportInvalid(context, node, 'x-mcp', 'true, false or an object');
}

export function mergeXMcp(path: XMcp | undefined, operation: XMcp | undefined): XMcp | undefined {
  if (path === undefined || operation === undefined) return operation ?? path;
  const annotations = { ...path.annotations, ...operation.annotations };
  const rules = { ...path.arguments, ...operation.arguments };
  const output = { ...path.output, ...operation.output };
  const both = { ...path, ...operation };
  if (Object.keys(output).length > 0) both.output = output;
  if (path._meta !== undefined) both._meta = { ...path._meta, ...operation._meta };
  if (Object.keys(rules).length > 0) both.arguments = rules;
  return Object.keys(annotations).length === 0 ? both : { ...both, annotations };
}

function readXMcpObject(context: ReadContext, node: RecordNode): XMcp {
  reportUnknownKeys(context, node, keys);
  const readTextMember = (key: string): string | undefined =>
    readText(context, memberNode(node, key), `x-mcp.${key}`);
  return omitUndefined({
    enabled: readBoolean(context, memberNode(node, 'enabled'), 'x-mcp.enabled'),
    name: readTextMember('name'),
    title: readTextMember('title'),
    description: readTextMember('description'),
    annotations: readAnnotations(context, memberNode(node, 'annotations')),
    scopes: readTextList(context, memberNode(node, 'scopes'), 'x-mcp.scopes'),
    resource: readResource(context, memberNode(node, 'resource')),
    icons: readIcons(context, memberNode(node, 'icons'), 'x-mcp.icons'),
    _meta: readMeta(context, memberNode(node, '_meta'), 'x-mcp._meta'),
    bodyMediaType: readTextMember('bodyMediaType'),
    arguments: readArgumentRules(context, memberNode(node, 'arguments')),
    pin: readBoolean(context, memberNode(node, 'pin'), 'x-mcp.pin'),
    output: readOutput(context, memberNode(node, 'output')),
    fields: readBoolean(context, memberNode(node, 'fields'), 'x-mcp.fields'),
  });
}

/** `x-mcp.argument` of a parameter: `true` keeps one that holds a credential among the arguments. */
export function isKeptArgument(context: ReadContext, parameter: RecordNode): boolean {
  const node = memberNode(parameter, 'x-mcp');
  if (!isRecordNode(node)) return false;
  return readBoolean(context, memberNode(node, 'argument'), 'x-mcp.argument') === true;
}

function reportUnknownKeys(context: ReadContext, node: RecordNode, memberNames: readonly string[]): void {
  for (const key of Object.keys(node.value)) {
    if (memberNames.includes(key) || key.startsWith('x-')) continue;
    const suggestion = suggestNearest(key, memberNames) ?? '';
    const at = keyOrigin(memberNode(node, key));
    context.report('invalid-x-mcp', { unknownKey: key, suggestion }, { at });
  }
}

function readText(context: ReadContext, node: SourceNode, key: string): string | undefined {
  if (node.value === undefined) return undefined;
  return readCleanText(node.value) ?? reportInvalid(context, node, key, 'text');
}

function readBoolean(context: ReadContext, node: SourceNode, key: string): boolean | undefined {
  if (node.value === undefined || typeof node.value === 'boolean') return node.value;
  return reportInvalid(context, node, key, 'true or false');
}

function readResource(context: ReadContext, node: SourceNode): XMcp['resource'] {
  if (node.value === 'only') return 'only';
  if (node.value === undefined || typeof node.value === 'boolean') return node.value;
  return reportInvalid(context, node, 'x-mcp.resource', "true, false or 'only'");
}

function readTextList(context: ReadContext, node: SourceNode, key: string): string[] | undefined {
  if (node.value === undefined) return undefined;
  const items = Array.isArray(node.value) ? (node.value as unknown[]) : [undefined];
  const texts = items.filter((item): item is string => typeof item === 'string' && item !== '');
  return texts.length === items.length ? texts : reportInvalid(context, node, key, 'a list of texts');
}

function readOutput(context: ReadContext, node: SourceNode): OutputRule | undefined {
  if (node.value === undefined) return undefined;
  if (!isRecordNode(node))
    return reportInvalid(context, node, 'x-mcp.output', 'an object with `select` or `drop`');
  reportUnknownKeys(context, node, ['select', 'drop']);
  return omitUndefined({
    select: readTextList(context, memberNode(node, 'select'), 'x-mcp.output.select'),
    drop: readTextList(context, memberNode(node, 'drop'), 'x-mcp.output.drop'),
  });
}

function readAnnotations(context: ReadContext, node: SourceNode): ToolAnnotations | undefined {
  if (node.value === undefined) return undefined;
  if (!isRecordNode(node)) return reportInvalid(context, node, 'x-mcp.annotations', 'an object');
  reportUnknownKeys(context, node, ['title', ...hints]);
  const annotations: ToolAnnotations = {};
  const title = readText(context, memberNode(node, 'title'), 'x-mcp.annotations.title');
  if (title !== undefined) annotations.title = title;
  for (const hint of hints) {
    const value = readBoolean(context, memberNode(node, hint), `x-mcp.annotations.${hint}`);
    if (value !== undefined) annotations[hint] = value;
  }
  return annotations;
}

function readIcons(context: ReadContext, node: SourceNode, key: string): Icon[] | undefined {
  if (node.value === undefined) return undefined;
  if (!Array.isArray(node.value)) return reportInvalid(context, node, key, 'a list of icons');
  return listItemNodes(node)
    .map((icon) => readIcon(context, icon, key))
    .filter((icon) => icon !== undefined);
}

/** Reads `_meta`. Members with keys that MCP does not allow are left out. */
function readMeta(context: ReadContext, node: SourceNode, key: string): JsonObject | undefined {
  if (node.value === undefined) return undefined;
  if (!isRecordNode(node)) return reportInvalid(context, node, key, 'an object');
  const entries = Object.keys(node.value).flatMap((name): [string, Json][] => {
    const at = memberNode(node, name);
    if (isValidMetaKey(name)) return [[name, JSON.parse(JSON.stringify(at.value) ?? 'null') as Json]];
    reportInvalid(context, at, `the key ${JSON.stringify(name)} of ${key}`, META_KEY_FORM);
    return [];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function readIcon(context: ReadContext, node: SourceNode, key: string): Icon | undefined {
  const expected = 'an object with `src`, an http(s) or data URI';
  if (!isRecordNode(node)) return reportInvalid(context, node, key, expected);
  const { src, mimeType, sizes, theme } = node.value;
  if (typeof src !== 'string' || !/^(?:https?:\/\/|data:)/i.test(src))
    return reportInvalid(context, node, key, expected);
  return {
    src,
    ...(typeof mimeType === 'string' ? { mimeType } : {}),
    ...(Array.isArray(sizes)
      ? { sizes: sizes.filter((size): size is string => typeof size === 'string') }
      : {}),
    ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
  };
}

function reportInvalid(context: ReadContext, node: SourceNode, key: string, expected: string): undefined {
  context.report('invalid-x-mcp', { key, expected }, { at: nodeOrigin(node) });
}

export function readPrompts(context: ReadContext, root: RecordNode): SourcePrompt[] {
  const node = memberNode(root, 'x-mcp-prompts');
  if (node.value === undefined) return [];
  if (!Array.isArray(node.value)) {
    reportPromptProblem(context, node, '`x-mcp-prompts` is not a list');
    return [];
  }
  const names = new Set<string>();
  const prompts: SourcePrompt[] = [];
  for (const at of listItemNodes(node)) {
    const prompt = readPrompt(context, at);
    if (prompt === undefined) continue;
    if (names.has(prompt.name))
      reportPromptProblem(context, at, `the name ${prompt.name} is taken by a prompt before it`);
    else prompts.push(prompt);
    names.add(prompt.name);
  }
  return prompts;
}

function readPrompt(context: ReadContext, node: SourceNode): SourcePrompt | undefined {
  if (!isRecordNode(node)) return reportPromptProblem(context, node, 'it is not an object');
  const name = readCleanText(node.value.name);
  if (name === undefined) return reportPromptProblem(context, node, 'it has no name');
  const messages = readMessages(context, node, name);
  if (messages.length === 0)
    return reportPromptProblem(context, node, `${name} has neither \`messages\` nor a \`template\``);
  const promptArguments = readArguments(context, memberNode(node, 'arguments'), name);
  reportUnknownPlaceholders(context, node, name, messages, promptArguments);
  return {
    kind: 'prompt',
    origin: nodeOrigin(node),
    name,
    ...omitUndefined({
      title: readCleanText(node.value.title),
      description: readCleanText(node.value.description),
      icons: readIcons(context, memberNode(node, 'icons'), 'icons of a prompt'),
      _meta: readMeta(context, memberNode(node, '_meta'), '_meta of a prompt'),
    }),
    arguments: promptArguments,
    messages,
  };
}

function readMessages(context: ReadContext, node: RecordNode, name: string): SourcePrompt['messages'] {
  const { template } = node.value;
  if (typeof template === 'string' && template.trim() !== '')
    return [{ role: 'user', text: removeInvisible(template) }];
  return listItemNodes(memberNode(node, 'messages'))
    .map((message) => readMessage(context, message, name))
    .filter((message) => message !== undefined);
}

function readMessage(
  context: ReadContext,
  node: SourceNode,
  name: string,
): SourcePrompt['messages'][number] | undefined {
  const { role = 'user', text } = isRecordNode(node) ? node.value : {};
  if (typeof text === 'string' && (role === 'user' || role === 'assistant'))
    return { role, text: removeInvisible(text) };
  return reportPromptProblem(
    context,
    node,
    `a message of ${name} needs \`text\`, and a \`role\` of user or assistant`,
  );
}

function readArguments(context: ReadContext, node: SourceNode, prompt: string): SourcePromptArgument[] {
  if (node.value === undefined) return [];
  if (!Array.isArray(node.value)) {
    reportPromptProblem(context, node, `the arguments of ${prompt} are not a list`);
    return [];
  }
  const given = listItemNodes(node)
    .map((item) => readArgument(context, item, prompt))
    .filter((argument) => argument !== undefined);
  return given.filter(({ name }, index) => given.findIndex((other) => other.name === name) === index);
}

function readArgument(
  context: ReadContext,
  node: SourceNode,
  prompt: string,
): SourcePromptArgument | undefined {
  const value = isRecordNode(node) ? node.value : { name: node.value };
  const name = readCleanText(value.name);
  if (name === undefined) return reportPromptProblem(context, node, `an argument of ${prompt} has no name`);
  const texts = { title: readCleanText(value.title), description: readCleanText(value.description) };
  const values = Array.isArray(value.enum)
    ? value.enum.filter((item): item is string => typeof item === 'string')
    : undefined;
  return { name, ...omitUndefined(texts), required: value.required === true, ...omitUndefined({ values }) };
}

function reportUnknownPlaceholders(
  context: ReadContext,
  node: RecordNode,
  prompt: string,
  messages: SourcePrompt['messages'],
  promptArguments: SourcePromptArgument[],
): void {
  const names = promptArguments.map(({ name }) => name);
  const used = messages.flatMap(({ text }) =>
    [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name = '']) => name),
  );
  for (const placeholder of new Set(used)) {
    if (names.includes(placeholder)) continue;
    const suggestion = suggestNearest(placeholder, names) ?? '';
    context.report('invalid-prompt', { placeholder, prompt, suggestion }, { at: nodeOrigin(node) });
  }
}

function reportPromptProblem(context: ReadContext, node: SourceNode, text: string): undefined {
  context.report('invalid-prompt', { problem: text }, { at: nodeOrigin(node) });
}
