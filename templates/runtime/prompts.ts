// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `prompts/get` and `completion/complete`. */
import type { Call, MethodCall } from './feature.ts';
import { fitContent, INTERNAL_ERROR, invalidParams, isRecord, ownMember, RpcError } from './json-rpc.ts';
import { describeUnknown, isContent, resultOf, textOf } from './results.ts';
import { makeContext } from './tools.ts';
import type { Outcome, PromptInfo, PromptResult } from './types.ts';

type Texts = Record<string, string>;

export async function getPrompt(method: MethodCall): Promise<object> {
  const { server, params, agreement, work } = method;
  const { name } = params;
  if (typeof name !== 'string') throw invalidParams('`name` must be a string: the name of a prompt.');
  const { prompts } = server.catalog;
  const prompt = prompts.get(name);
  if (prompt === undefined) throw invalidParams(describeUnknown('prompt', name, prompts.keys()));
  const args = readArguments(params['arguments'] ?? {}, prompt);
  const call: Call = { kind: 'prompt', name, args, origin: 'client', request: method, work };
  const result = resultOf(await server.around(call, () => makePrompt(call, prompt, args)));
  if (!('messages' in result)) throw new RpcError(INTERNAL_ERROR, textOf(result));
  const messages = result.messages.map(({ role, content }) => ({
    role,
    content: fitContent(content, agreement.revision),
  }));
  return { description: prompt.description, ...result, messages };
}

function readArguments(args: unknown, { name, arguments: parameters = [] }: PromptInfo): Texts {
  if (!isRecord(args) || !Object.values(args).every((value) => typeof value === 'string'))
    throw invalidParams('`arguments` must be an object of strings.');
  const missing = parameters.filter(({ required, name: key }) => required && !Object.hasOwn(args, key));
  if (missing.length === 0) return args as Texts;
  throw invalidParams(
    `The prompt ${name} needs the arguments ${missing.map((one) => `\`${one.name}\``).join(', ')}.`,
  );
}

async function makePrompt(
  call: Call,
  { name, arguments: parameters = [] }: PromptInfo,
  args: Texts,
): Promise<Outcome> {
  const { server } = call.request;
  const handler = ownMember(server.catalog.handlers.prompts, name)?.handler;
  if (handler !== undefined) return { result: toPrompt(await handler(args, makeContext(call))) };
  const binding = ownMember(server.bindings.prompts, name);
  if (binding === undefined) throw new Error(`Nothing is bound to the prompt ${name}.`);
  if (!('messages' in binding) || !Array.isArray(binding.messages))
    return { result: toPrompt(await server.workOf(binding.kind).prompt?.(call, binding, args)) };
  // `{{name}}` becomes the argument's value, or nothing without it. Values are not expanded again.
  const fill = (template: string): string =>
    template.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (placeholder, key: string) => {
      const isParameter = parameters.some((parameter) => parameter.name === key);
      return ownMember(args, key) ?? (isParameter ? '' : placeholder);
    });
  const templates = binding.messages as { role: 'user' | 'assistant'; text: string }[];
  const messages = templates.map(({ role, text }): PromptResult['messages'][number] => ({
    role,
    content: { type: 'text', text: fill(text) },
  }));
  return { result: { messages } };
}

function toPrompt(answer: unknown): PromptResult {
  if (typeof answer === 'string')
    return { messages: [{ role: 'user', content: { type: 'text', text: answer } }] };
  const isMessage = (value: unknown): boolean =>
    isRecord(value) && ['user', 'assistant'].includes(value['role'] as string) && isContent(value['content']);
  if (isRecord(answer) && Array.isArray(answer['messages']) && answer['messages'].every(isMessage))
    return answer as unknown as PromptResult;
  throw new Error(
    'A prompt must be a text or { messages }, each with a role (user or assistant) and one content block.',
  );
}

/** The protocol allows no more values. */
const MAX_VALUES = 100;

export async function completeArgument(method: MethodCall): Promise<object> {
  const { server, params, work } = method;
  const { argument, context } = params;
  const { name, value } = isRecord(argument) ? argument : {};
  if (typeof name !== 'string' || typeof value !== 'string')
    throw invalidParams('`argument` must have a `name` and a `value`, both strings.');
  const { kind, key } = readReference(params['ref']);
  const { prompts, resources, resourceTemplates, handlers } = server.catalog;
  const isListed = kind === 'prompt' ? prompts.has(key) : resourceTemplates.has(key) || resources.has(key);
  if (!isListed) throw invalidParams(`Unknown ${kind}: ${key}`);
  const known = isRecord(context) && isRecord(context['arguments']) ? context['arguments'] : {};
  const others = Object.fromEntries(
    Object.entries(known).filter(([, text]) => typeof text === 'string'),
  ) as Texts;
  const call: Call = { kind: 'prompt', name: key, args: others, origin: 'client', request: method, work };
  const handler = ownMember(ownMember(handlers.completions, key), name);
  const source = server.bindings.completions.find(
    ({ ref, argument: bound }) => ('name' in ref ? ref.name : ref.uri) === key && bound === name,
  )?.from;
  const complete = async (): Promise<unknown> => {
    if (handler !== undefined) return handler(value, others, makeContext(call));
    if (source === undefined) return [];
    if (!('values' in source)) return server.workOf(source.kind).completion?.(call, source, value, others);
    const start = value.toLowerCase();
    return (source.values as string[]).filter((text) => text.toLowerCase().startsWith(start));
  };
  const values = await complete().catch((thrown: unknown) => {
    throw new RpcError(INTERNAL_ERROR, textOf(resultOf(server.fail(call, thrown))));
  });
  if (!Array.isArray(values) || !values.every((text) => typeof text === 'string'))
    throw new RpcError(INTERNAL_ERROR, 'The values offered must be a list of texts.');
  const { length: total } = values;
  return { completion: { values: values.slice(0, MAX_VALUES), total, hasMore: total > MAX_VALUES } };
}

function readReference(ref: unknown): { kind: 'prompt' | 'resource template'; key: string } {
  const { type, name, uri } = isRecord(ref) ? ref : {};
  if (type === 'ref/prompt' && typeof name === 'string') return { kind: 'prompt', key: name };
  if (type === 'ref/resource' && typeof uri === 'string') return { kind: 'resource template', key: uri };
  throw invalidParams('`ref` must be a `ref/prompt` with a `name` or a `ref/resource` with a `uri`.');
}
