// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `prompts/get` and `completion/complete`. */
import { makeContext } from './context.ts';
import type { Call, MethodCall } from './feature.ts';
import { fitContent, INTERNAL_ERROR, invalidParams, isRecord, ownMember, RpcError } from './json-rpc.ts';
import { describeUnknown, failedOutcome, isContent } from './tools.ts';
import type { Outcome, PromptInfo, PromptResult } from './types.ts';

export async function getPrompt(method: MethodCall): Promise<object> {
  const { server, params, agreement, work } = method;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw invalidParams('`name` must be a string: the name of a prompt.');
  const prompt = server.catalog.prompts.get(name);
  if (prompt === undefined)
    throw invalidParams(describeUnknown('prompt', name, server.catalog.prompts.keys()));
  const call: Call = {
    kind: 'prompt',
    name,
    args: readTexts(args, prompt),
    origin: 'client',
    request: method,
    work,
  };
  const { result, error } = await server.around(call, () => makePrompt(call, prompt).catch(failedOutcome));
  if (error !== undefined) throw error;
  if (!('messages' in result)) {
    const words =
      'content' in result ? result.content.map((block) => ('text' in block ? block.text : '')) : [];
    throw new RpcError(INTERNAL_ERROR, words.join('\n'));
  }
  const { description = prompt.description, messages, ...rest } = result;
  const fitted = messages.map(({ role, content }) => ({
    role,
    content: fitContent(content, agreement.revision),
  }));
  return { ...rest, description, messages: fitted };
}

function readTexts(args: unknown, { name, arguments: listed = [] }: PromptInfo): Record<string, string> {
  if (!isRecord(args)) throw invalidParams('`arguments` must be an object of strings.');
  const wrong = Object.keys(args).find((key) => typeof args[key] !== 'string');
  if (wrong !== undefined) throw invalidParams(`The argument \`${wrong}\` must be a string.`);
  const missing = listed.filter(({ required, name: key }) => required === true && !Object.hasOwn(args, key));
  if (missing.length > 0) {
    const names = missing.map(({ name: key }) => `\`${key}\``).join(', ');
    throw invalidParams(`The prompt ${name} needs the argument${missing.length === 1 ? '' : 's'} ${names}.`);
  }
  return args as Record<string, string>;
}

async function makePrompt(call: Call, { name, arguments: listed = [] }: PromptInfo): Promise<Outcome> {
  const { server } = call.request;
  const args = call.args as Record<string, string>;
  const handler = ownMember(server.catalog.handlers.prompts, name)?.handler;
  if (handler !== undefined) return { result: toPrompt(await handler(args, makeContext(call))) };
  const binding = ownMember(server.bindings.prompts, name);
  if (binding === undefined) throw new Error(`Nothing is bound to the prompt ${name}.`);
  if (!('messages' in binding) || !Array.isArray(binding.messages))
    return { result: toPrompt(await server.workOf(binding.kind).prompt?.(call, binding, args)) };
  // `{{name}}` becomes the argument's value, or nothing without it. Values are not expanded again.
  const names = new Set(listed.map((argument) => argument.name));
  const fill = (text: string): string =>
    text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (written, key: string) =>
      Object.hasOwn(args, key) ? (args[key] ?? '') : names.has(key) ? '' : written,
    );
  const messages = binding.messages as { role: 'user' | 'assistant'; text: string }[];
  return {
    result: {
      messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text: fill(text) } })),
    },
  };
}

function toPrompt(made: unknown): PromptResult {
  if (typeof made === 'string')
    return { messages: [{ role: 'user', content: { type: 'text', text: made } }] };
  const isMessage = (value: unknown): boolean =>
    isRecord(value) &&
    (value['role'] === 'user' || value['role'] === 'assistant') &&
    isContent(value['content']);
  if (isRecord(made) && Array.isArray(made['messages']) && made['messages'].every(isMessage))
    return made as unknown as PromptResult;
  throw new Error(
    'What the prompt was made of is no text and no { messages }, each with a role (user or assistant) and one content block.',
  );
}

/** The protocol allows no more values. */
const MOST_VALUES = 100;

export async function completeArgument(method: MethodCall): Promise<object> {
  const { server, params, work } = method;
  const { ref, argument, context } = params;
  const { name, value } = isRecord(argument) ? argument : {};
  if (typeof name !== 'string' || typeof value !== 'string')
    throw invalidParams('`argument` must have a `name` and a `value`, both strings.');
  const reference = readReference(ref);
  const { catalog, bindings } = server;
  const { key } = reference;
  const isListed =
    reference.kind === 'prompt'
      ? catalog.prompts.has(key)
      : catalog.resourceTemplates.has(key) || catalog.resources.has(key);
  if (!isListed)
    throw invalidParams(`Unknown ${reference.kind === 'prompt' ? 'prompt' : 'resource template'}: ${key}`);
  const given = isRecord(context) && isRecord(context['arguments']) ? context['arguments'] : {};
  const others = Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
  const handler = ownMember(ownMember(catalog.handlers.completions, key), name);
  const from = bindings.completions.find(
    (one) => ('name' in one.ref ? one.ref.name : one.ref.uri) === key && one.argument === name,
  )?.from;
  const call: Call = { kind: 'prompt', name: key, args: others, origin: 'client', request: method, work };
  const values = await completionValues();
  return {
    completion: {
      values: values.slice(0, MOST_VALUES),
      total: values.length,
      hasMore: values.length > MOST_VALUES,
    },
  };

  async function completionValues(): Promise<string[]> {
    try {
      if (handler !== undefined) return requireTexts(await handler(String(value), others, makeContext(call)));
      if (from === undefined) return [];
      if ('values' in from && Array.isArray(from.values)) {
        const typed = String(value).toLowerCase();
        return (from.values as string[]).filter((text) => text.toLowerCase().startsWith(typed));
      }
      return requireTexts(await server.workOf(from.kind).completion?.(call, from, String(value), others));
    } catch (thrown) {
      if (thrown instanceof RpcError) throw thrown;
      throw new RpcError(INTERNAL_ERROR, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
}

function requireTexts(values: unknown): string[] {
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return values;
  throw new Error('The values offered are no list of texts.');
}

function readReference(ref: unknown): { kind: 'prompt' | 'resource'; key: string } {
  if (isRecord(ref)) {
    const { type, name, uri } = ref;
    if (type === 'ref/prompt' && typeof name === 'string') return { kind: 'prompt', key: name };
    if (type === 'ref/resource' && typeof uri === 'string') return { kind: 'resource', key: uri };
  }
  throw invalidParams('`ref` must be a `ref/prompt` with a `name` or a `ref/resource` with a `uri`.');
}
