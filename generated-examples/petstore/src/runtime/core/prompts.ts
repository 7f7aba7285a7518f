// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `prompts/get` and `completion/complete`. */
import type { CompletionBinding, PromptMessageBinding } from '../contract/bindings.ts';
import type { ListedPrompt, ListedPromptArgument } from '../contract/json-schema.ts';
import { isRecord, getOwnMember } from '../contract/json-value.ts';
import type { CompletionHandler } from '../definition.ts';
import {
  type PromptMessage,
  type PromptResult,
  isContentBlock,
  fitBlockToRevision,
  stripEnvelope,
} from './handler-result.ts';
import { type Params, invalidParamsError } from '../protocol/json-rpc.ts';
import { type Call, type Method, toProtocolError, unknownNameError } from './call.ts';
import { CallContext } from './call-context.ts';
import { requireFunctions } from './call-tool.ts';
import type { ServerInstance } from './server-instance.ts';

export const getPrompt: Method = async (call: Call) => {
  const { name, arguments: args = {} } = call.params;
  if (typeof name !== 'string') throw invalidParamsError('`name` must be a string: the name of a prompt.');
  const prompt = requirePrompt(call.server, name);
  const result = await makePromptResult(call, prompt, parsePromptArguments(args, prompt));
  const { description = prompt.description, messages, ...rest } = result;
  const { features } = call.agreement;
  const known = messages.map(({ role, content }) => ({
    role,
    content: fitBlockToRevision(content, features),
  }));
  return { ...rest, description, messages: known };
};

function requirePrompt(server: ServerInstance, name: string): ListedPrompt {
  const prompts = (server.cache.prompts ??= new Map(
    server.catalog.items('prompts').map((prompt) => [prompt.name, prompt]),
  ));
  const prompt = prompts.get(name);
  if (prompt !== undefined) return prompt;
  throw unknownNameError('prompt', name, prompts.keys());
}

function parsePromptArguments(args: unknown, prompt: ListedPrompt): Record<string, string> {
  if (!isRecord(args)) throw invalidParamsError('`arguments` must be an object of strings.');
  const texts = Object.entries(args).map(([name, value]): [string, string] => {
    if (typeof value !== 'string') throw invalidParamsError(`The argument \`${name}\` must be a string.`);
    return [name, value];
  });
  const needed = (prompt.arguments ?? []).filter(({ required }) => required === true);
  const missing = needed.filter(({ name }) => !Object.hasOwn(args, name)).map(({ name }) => `\`${name}\``);
  if (missing.length > 0) {
    const noun = missing.length === 1 ? 'argument' : 'arguments';
    throw invalidParamsError(`The prompt ${prompt.name} needs the ${noun} ${missing.join(', ')}.`);
  }
  return Object.fromEntries(texts);
}

async function makePromptResult(
  call: Call,
  { name, arguments: listed = [] }: ListedPrompt,
  args: Record<string, string>,
): Promise<PromptResult> {
  const { prompts: own = {} } = call.server.handlers;
  const handler = getOwnMember(own, name)?.handler;
  if (handler !== undefined) return runPromptHandler(async () => handler(args, new CallContext(call)));
  const binding = getOwnMember((await call.server.bindings()).prompts, name);
  if (binding === undefined) throw new Error(`Nothing is bound to the prompt ${name}.`);
  if (binding.kind === 'function') {
    const work = await (await requireFunctions(call.server)).bindPrompt(call, binding, name);
    return runPromptHandler(async () => work(args, new CallContext(call)));
  }
  return { messages: fillTemplate(binding.messages, listed, args) };
}

async function runPromptHandler(handler: () => Promise<PromptResult | string>): Promise<PromptResult> {
  try {
    const result: unknown = await handler();
    if (isPromptResult(result)) return stripEnvelope(result);
    if (typeof result === 'string')
      return { messages: [{ role: 'user', content: { type: 'text', text: result } }] };
    throw new Error(NO_PROMPT);
  } catch (thrown) {
    throw toProtocolError(thrown);
  }
}

const NO_PROMPT =
  'What the prompt was made of is no text and no { messages }, each with a role (user or assistant) and one content block.';

function isPromptResult(value: unknown): value is PromptResult {
  return isRecord(value) && Array.isArray(value['messages']) && value['messages'].every(isMessage);
}

export function isMessage(value: unknown): value is PromptMessage {
  if (!isRecord(value)) return false;
  const { role, content } = value;
  return (role === 'user' || role === 'assistant') && isContentBlock(content);
}

/** `{{name}}` becomes the argument's value, or nothing without it; other names stay. Values are not expanded again. */
function fillTemplate(
  messages: readonly PromptMessageBinding[],
  listed: readonly ListedPromptArgument[],
  args: Readonly<Record<string, string>>,
): PromptMessage[] {
  const names = new Set(listed.map(({ name }) => name));
  const replacePlaceholder = (written: string, name: string): string => {
    if (Object.hasOwn(args, name)) return args[name] ?? '';
    return names.has(name) ? '' : written;
  };
  return messages.map(({ role, text }) => ({
    role,
    content: { type: 'text', text: text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, replacePlaceholder) },
  }));
}

interface CompletionRequest {
  ref: CompletionBinding['ref'];
  argument: string;
  typed: string;
  others: Record<string, string>;
}

/** A completion that has nothing to offer is an empty list, not a refusal. */
export const completeArgument: Method = async (call: Call) => {
  const asked = parseCompletionRequest(call.params);
  refuseUnknownReference(call.server, asked.ref);
  const values = await completionValues(call, asked);
  const most = call.server.limits.completionValues;
  return {
    completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most },
  };
};

function parseCompletionRequest({ ref, argument, context }: Params): CompletionRequest {
  const { name, value } = isRecord(argument) ? argument : {};
  if (typeof name !== 'string' || typeof value !== 'string')
    throw invalidParamsError('`argument` must have a `name` and a `value`, both strings.');
  const others = isRecord(context) && isRecord(context['arguments']) ? context['arguments'] : {};
  const texts = Object.entries(others).filter(
    (each): each is [string, string] => typeof each[1] === 'string',
  );
  return { ref: parseCompletionRef(ref), argument: name, typed: value, others: Object.fromEntries(texts) };
}

function parseCompletionRef(ref: unknown): CompletionRequest['ref'] {
  if (isRecord(ref)) {
    const { type, name, uri } = ref;
    if (type === 'ref/prompt' && typeof name === 'string') return { kind: 'prompt', name };
    if (type === 'ref/resource' && typeof uri === 'string') return { kind: 'resource', uri };
  }
  throw invalidParamsError('`ref` must be a `ref/prompt` with a `name` or a `ref/resource` with a `uri`.');
}

function refuseUnknownReference({ catalog }: ServerInstance, ref: CompletionRequest['ref']): void {
  if (ref.kind === 'prompt') {
    if (catalog.items('prompts').some(({ name }) => name === ref.name)) return;
    throw invalidParamsError(`Unknown prompt: ${ref.name}`);
  }
  const { uri } = ref;
  const isTemplate = catalog.items('resourceTemplates').some(({ uriTemplate }) => uriTemplate === uri);
  if (isTemplate || catalog.items('resources').some((resource) => resource.uri === uri)) return;
  throw invalidParamsError(`Unknown resource template: ${uri}`);
}

async function completionValues(call: Call, asked: CompletionRequest): Promise<string[]> {
  const handler = ownCompletionHandler(call.server, asked);
  if (handler !== undefined) return completeByHandler(call, handler, asked);
  const { completions } = await call.server.bindings();
  const { from } =
    completions.find((each) => isSameRef(each.ref, asked.ref) && each.argument === asked.argument) ?? {};
  if (from?.kind === 'function')
    return completeByHandler(
      call,
      await (await requireFunctions(call.server)).bindCompletion(call.server, from),
      asked,
    );
  const values = from?.values ?? [];
  const typed = asked.typed.toLowerCase();
  return values.filter((value) => value.toLowerCase().startsWith(typed));
}

async function completeByHandler(
  call: Call,
  handler: CompletionHandler,
  asked: CompletionRequest,
): Promise<string[]> {
  try {
    return assertTexts(await handler(asked.typed, asked.others, new CallContext(call)));
  } catch (thrown) {
    throw toProtocolError(thrown);
  }
}

function assertTexts(values: unknown): string[] {
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return values;
  throw new Error('The values offered are no list of texts.');
}

function ownCompletionHandler(
  { handlers }: ServerInstance,
  { ref, argument }: CompletionRequest,
): CompletionHandler | undefined {
  const { completions = {} } = handlers;
  return getOwnMember(getOwnMember(completions, getRefKey(ref)) ?? {}, argument);
}

function isSameRef(one: CompletionRequest['ref'], other: CompletionRequest['ref']): boolean {
  return one.kind === other.kind && getRefKey(one) === getRefKey(other);
}

function getRefKey(ref: CompletionRequest['ref']): string {
  return ref.kind === 'prompt' ? ref.name : ref.uri;
}
