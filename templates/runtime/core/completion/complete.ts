// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `completion/complete`: values for an argument of a prompt or a resource template. */
import { isRecord } from '../../contract/json-value.ts';
import type { CompletionBinding } from '../../contract/bindings.ts';
import type { CompletionHandler } from '../../definition.ts';
import { type Params } from '../../protocol/json-rpc.ts';
import { INTERNAL_ERROR, invalidParams, ProtocolError } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import { CallContext } from '../call-context.ts';
import { loadFunctions } from '../tools/tool-entry.ts';
import { messageOf } from '../answer.ts';
import type { ServerInstance } from '../server-instance.ts';

interface CompletionRequest {
  ref: CompletionBinding['ref'];
  argument: string;
  typed: string;
  others: Record<string, string>;
}

/** Nothing to offer is an empty answer, not a refusal. */
export const complete: Method = async (call: Call) => {
  const asked = readCompletionRequest(call.params);
  refuseUnknown(call.server, asked.ref);
  const values = await valuesFor(call, asked);
  const most = call.server.limits.completionValues;
  return {
    completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most },
  };
};

function readCompletionRequest({ ref, argument, context }: Params): CompletionRequest {
  if (!isRecord(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string') {
    throw invalidParams('`argument` must have a `name` and a `value`, both strings.');
  }
  const others = isRecord(context) && isRecord(context['arguments']) ? context['arguments'] : {};
  const texts = Object.entries(others).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const { name, value } = argument;
  return { ref: readRef(ref), argument: name, typed: value, others: Object.fromEntries(texts) };
}

function readRef(ref: unknown): CompletionRequest['ref'] {
  if (isRecord(ref)) {
    const { type, name, uri } = ref;
    if (type === 'ref/prompt' && typeof name === 'string') return { kind: 'prompt', name };
    if (type === 'ref/resource' && typeof uri === 'string') return { kind: 'resource', uri };
  }
  throw invalidParams('`ref` must be a `ref/prompt` with a `name` or a `ref/resource` with a `uri`.');
}

function refuseUnknown({ catalog }: ServerInstance, ref: CompletionRequest['ref']): void {
  if (ref.kind === 'prompt') {
    if (catalog.items('prompts').some(({ name }) => name === ref.name)) return;
    throw invalidParams(`Unknown prompt: ${ref.name}`);
  }
  const { uri } = ref;
  const isTemplate = catalog.items('resourceTemplates').some(({ uriTemplate }) => uriTemplate === uri);
  if (isTemplate || catalog.items('resources').some((resource) => resource.uri === uri)) return;
  throw invalidParams(`Unknown resource template: ${uri}`);
}

async function valuesFor(call: Call, asked: CompletionRequest): Promise<string[]> {
  const handler = ownHandler(call.server, asked);
  if (handler !== undefined) return completeByHandler(call, handler, asked);
  const { completions } = await call.server.bindings();
  const { from } =
    completions.find((each) => isSameRef(each.ref, asked.ref) && each.argument === asked.argument) ?? {};
  if (from?.kind === 'function')
    return completeByHandler(call, await (await loadFunctions(call.server)).completion(from), asked);
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
    return checkTexts(await handler(asked.typed, asked.others, new CallContext(call)));
  } catch (thrown) {
    throw thrown instanceof ProtocolError ? thrown : new ProtocolError(INTERNAL_ERROR, messageOf(thrown));
  }
}

function checkTexts(values: unknown): string[] {
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return values;
  throw new Error('The values offered are no list of texts.');
}

function ownHandler(
  { handlers }: ServerInstance,
  { ref, argument }: CompletionRequest,
): CompletionHandler | undefined {
  const { completions = {} } = handlers;
  const key = ref.kind === 'prompt' ? ref.name : ref.uri;
  const byArgument = Object.hasOwn(completions, key) ? completions[key] : undefined;
  return byArgument !== undefined && Object.hasOwn(byArgument, argument) ? byArgument[argument] : undefined;
}

function isSameRef(one: CompletionRequest['ref'], other: CompletionRequest['ref']): boolean {
  if (one.kind === 'prompt') return other.kind === 'prompt' && one.name === other.name;
  return other.kind === 'resource' && one.uri === other.uri;
}
