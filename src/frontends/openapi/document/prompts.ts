import { suggest } from '../../../../templates/runtime/contract/suggest.ts';
import { cleanProse } from '../../../model/clean-prose.ts';
import type { SourcePrompt, SourcePromptArgument } from '../../../model/source-model.ts';
import type { ReadContext } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  childOf,
  isRecordNode,
  memberOf,
  originOf,
} from '../reference/source-node.ts';
import { definedMembers } from '../../../util/defined-members.ts';
import { wordsOf } from './text.ts';
import { readIcons } from './x-mcp.ts';

export function readPrompts(context: ReadContext, root: RecordNode): SourcePrompt[] {
  const node = memberOf(root, 'x-mcp-prompts');
  if (node.value === undefined) return [];
  if (!Array.isArray(node.value)) {
    problem(context, node, '`x-mcp-prompts` is not a list');
    return [];
  }
  const names = new Set<string>();
  const prompts: SourcePrompt[] = [];
  node.value.forEach((value: unknown, index) => {
    const at = childOf(node, index, value);
    const prompt = readPrompt(context, at);
    if (prompt === undefined) return;
    if (names.has(prompt.name))
      problem(context, at, `the name ${prompt.name} is taken by a prompt before it`);
    else prompts.push(prompt);
    names.add(prompt.name);
  });
  return prompts;
}

function readPrompt(context: ReadContext, node: SourceNode): SourcePrompt | undefined {
  if (!isRecordNode(node)) return problem(context, node, 'it is not an object');
  const name = wordsOf(node.value.name);
  if (name === undefined) return problem(context, node, 'it has no name');
  const messages = readMessages(context, node, name);
  if (messages.length === 0)
    return problem(context, node, `${name} has neither \`messages\` nor a \`template\``);
  const given = readArguments(context, memberOf(node, 'arguments'), name);
  checkPlaceholders(context, node, name, messages, given);
  return {
    kind: 'prompt',
    origin: originOf(node),
    name,
    ...definedMembers({
      title: wordsOf(node.value.title),
      description: wordsOf(node.value.description),
      icons: readIcons(context, memberOf(node, 'icons'), 'icons of a prompt'),
    }),
    arguments: given,
    messages,
  };
}

function readMessages(context: ReadContext, node: RecordNode, name: string): SourcePrompt['messages'] {
  const { template, messages } = node.value;
  if (typeof template === 'string' && template.trim() !== '')
    return [{ role: 'user', text: cleanProse(template) }];
  if (!Array.isArray(messages)) return [];
  const list = memberOf(node, 'messages');
  return messages
    .map((message: unknown, index) => readMessage(context, childOf(list, index, message), name))
    .filter((message) => message !== undefined);
}

function readMessage(
  context: ReadContext,
  node: SourceNode,
  name: string,
): SourcePrompt['messages'][number] | undefined {
  const { role = 'user', text } = isRecordNode(node) ? node.value : {};
  if (typeof text === 'string' && (role === 'user' || role === 'assistant'))
    return { role, text: cleanProse(text) };
  return problem(context, node, `a message of ${name} needs \`text\`, and a \`role\` of user or assistant`);
}

function readArguments(context: ReadContext, node: SourceNode, prompt: string): SourcePromptArgument[] {
  if (node.value === undefined) return [];
  if (!Array.isArray(node.value)) {
    problem(context, node, `the arguments of ${prompt} are not a list`);
    return [];
  }
  const given = node.value
    .map((value: unknown, index) => readArgument(context, childOf(node, index, value), prompt))
    .filter((argument) => argument !== undefined);
  return given.filter(({ name }, index) => given.findIndex((other) => other.name === name) === index);
}

function readArgument(
  context: ReadContext,
  node: SourceNode,
  prompt: string,
): SourcePromptArgument | undefined {
  const value = isRecordNode(node) ? node.value : { name: node.value };
  const name = wordsOf(value.name);
  if (name === undefined) return problem(context, node, `an argument of ${prompt} has no name`);
  const words = { title: wordsOf(value.title), description: wordsOf(value.description) };
  const values = Array.isArray(value.enum)
    ? value.enum.filter((item): item is string => typeof item === 'string')
    : undefined;
  return { name, ...definedMembers(words), required: value.required === true, ...definedMembers({ values }) };
}

function checkPlaceholders(
  context: ReadContext,
  node: RecordNode,
  prompt: string,
  messages: SourcePrompt['messages'],
  given: SourcePromptArgument[],
): void {
  const names = given.map(({ name }) => name);
  const used = messages.flatMap(({ text }) =>
    [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name = '']) => name),
  );
  for (const placeholder of new Set(used)) {
    if (names.includes(placeholder)) continue;
    const suggestion = suggest(placeholder, names) ?? '';
    context.report('unknown-prompt-placeholder', { placeholder, prompt, suggestion }, { at: originOf(node) });
  }
}

function problem(context: ReadContext, node: SourceNode, text: string): undefined {
  context.report('invalid-prompt', { problem: text }, { at: originOf(node) });
}
