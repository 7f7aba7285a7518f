// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Resources, with templates of plain variables (RFC 6570, level 1), prompts, and completion of their arguments. */
import { cutJson, cutResult, cutText, describeCut, describeError, isSuccess, textOfBody } from '../answer.ts';
import { type Catalog, listItems, type ListName } from '../catalog.ts';
import { repair } from '../coerce.ts';
import type { Call, Feature, Method, MethodCall } from '../feature.ts';
import { fit, fitContent, INTERNAL_ERROR, INVALID_PARAMS, invalidParams, isRecord } from '../json-rpc.ts';
import { MAX_URI, METHOD_NOT_FOUND, ownMember, RpcError } from '../json-rpc.ts';
import { essence } from '../request.ts';
import { describeUnknown, errorResult, escapeRegExp, failedOutcome, isContent } from '../results.ts';
import { isContents, resultOf, textOf } from '../results.ts';
import type { Server } from '../server.ts';
import { findTool, makeContext, refusedArguments, runTool } from '../tools.ts';
import type { ApiAnswer, Args, Binding, Bindings, Outcome, PromptInfo, PromptResult } from '../types.ts';
import type { ResourceBinding, ResourceContents, Schema, ToolOverride, ToolResult } from '../types.ts';

declare module '../types.ts' {
  interface Bindings {
    prompts: Record<string, Binding>;
    completions: { ref: { name?: string; uri?: string }; argument: string; from: Binding }[];
  }
  interface ResourceBinding {
    /** Variable of the template → argument, where the names differ. */
    variables?: Record<string, string>;
    schemas?: Record<string, Schema>;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  interface Handlers<Tools extends object = Record<string, Args>> {
    prompts?: Record<string, PromptDefinition>;
    resources?: Record<string, ResourceDefinition>;
    resourceTemplates?: Record<string, ResourceTemplateDefinition>;
    /** By prompt name or URI template, then by argument. */
    completions?: Record<string, Record<string, CompletionHandler>>;
  }
  interface PromptDefinition extends Omit<PromptInfo, 'name'> {
    /** A returned text becomes one message of the user. */
    handler: (args: Record<string, string>, context: Context) => Awaitable<PromptResult | string>;
  }
  /** Text or bytes of the listed `mimeType`, or contents as in MCP. `undefined` if the resource does not exist. */
  type ResourceReader = (
    uri: string,
    variables: Record<string, string>,
    context: Context,
  ) => Awaitable<string | Uint8Array | ResourceContents | ResourceContents[] | undefined>;
  interface ResourceDefinition extends Omit<ResourceInfo, 'uri'> {
    read: ResourceReader;
  }
  type ResourceTemplateDefinition = Omit<ResourceDefinition, 'size'>;
  type CompletionHandler = (
    typed: string,
    others: Record<string, string>,
    context: Context,
  ) => Awaitable<string[]>;
}

export function resources(): Feature {
  const listRow = (list: ListName, capability: string = list): Method => {
    return { run: (call) => listItems(list, call), capability, isLimited: true };
  };
  return {
    name: 'resources',
    catalog: { select: addOwnItems },
    capabilities: ({ catalog, bindings }, { revision }) => ({
      ...(hasResources(catalog) && { resources: {} }),
      ...(catalog.lists.has('prompts') && { prompts: {} }),
      ...(hasCompletions(catalog, bindings) && hasCompletionsCapability(revision) && { completions: {} }),
    }),
    parts: { listed: { resources: findListedResource } },
    methods: {
      'resources/list': listRow('resources'),
      'resources/templates/list': listRow('resourceTemplates', 'resources'),
      'resources/read': { run: readResource, capability: 'resources', isLimited: true, nameParam: 'uri' },
      'prompts/list': listRow('prompts'),
      'prompts/get': { run: getPrompt, capability: 'prompts', isLimited: true, nameParam: 'name' },
      'completion/complete': { run: completeArgument, isLimited: true },
    },
  };
}

export function hasResources({ lists }: Catalog): boolean {
  return lists.has('resources') || lists.has('resourceTemplates');
}

/** Lists those of handlers. Functions are left out where the lists are written as JSON. */
function addOwnItems(catalog: Catalog, server: Server): void {
  const { prompts = {}, resources = {}, resourceTemplates = {} } = catalog.handlers;
  for (const [name, prompt] of Object.entries(prompts)) catalog.prompts.set(name, { ...prompt, name });
  for (const [uri, resource] of Object.entries(resources)) catalog.resources.set(uri, { ...resource, uri });
  for (const [uriTemplate, template] of Object.entries(resourceTemplates))
    catalog.resourceTemplates.set(uriTemplate, { ...template, uriTemplate });
  removeUnserved(server, catalog.isSelected);
}

/** Resources go with the tool that reads them. */
export function removeUnserved({ catalog, bindings }: Server, isSelected?: Catalog['isSelected']): void {
  for (const list of ['resources', 'resourceTemplates'] as const)
    for (const [uri, { name }] of catalog[list]) {
      const binding = ownMember(bindings[list], uri);
      const tool = binding?.do.kind === 'tool' ? String(binding.do['name']) : undefined;
      const isServed = tool === undefined ? isSelected?.(name, binding) !== false : catalog.tools.has(tool);
      if (!isServed) catalog[list].delete(uri);
    }
}

type Texts = Record<string, string>;
/** Undefined if the resource does not exist. */
type Read = (call: Call) => Promise<Outcome | undefined>;

async function readResource(method: MethodCall): Promise<object> {
  const { server, work, agreement } = method;
  const uri = readUri(method);
  const read = findResource(method, uri);
  const call: Call = { kind: 'resource', name: uri, args: {}, origin: 'client', request: method, work };
  const outcome = await server.around(
    call,
    async () => (await read?.(call)) ?? failedOutcome(notFound(method, uri)),
  );
  const result = resultOf(outcome);
  if (!('contents' in result)) {
    const code = outcome.cause === 'arguments' ? INVALID_PARAMS : INTERNAL_ERROR;
    throw new RpcError(code, textOf(result), { data: { uri } });
  }
  const contents = result.contents.map((one) => fit('content', one, agreement.revision));
  return { contents, ...(agreement.era === 'modern' && { ttlMs: 0, cacheScope: 'private' }) };
}

export function readUri({ params: { uri } }: MethodCall): string {
  if (typeof uri !== 'string') throw invalidParams('`uri` must be a string.');
  return uri;
}

export function notFound({ agreement }: MethodCall, uri: string): RpcError {
  const code = agreement.era === 'modern' ? INVALID_PARAMS : -32002;
  return new RpcError(code, `Resource not found: ${uri}`, { data: { uri } });
}

export function findResource(method: MethodCall, uri: string): Read | undefined {
  const { server } = method;
  const { catalog, bindings } = server;
  const { list = 'resources', key = '', variables = {} } = findListedResource(server, uri) ?? {};
  const reader = ownMember(catalog.handlers[list], key)?.read;
  const mimeType = catalog[list].get(key)?.mimeType;
  if (reader !== undefined)
    return async (call) => contentsOf(await reader(uri, variables, makeContext(call)), uri, mimeType);
  const binding = ownMember(bindings[list], key);
  if (binding !== undefined) return (call) => readBound(call, binding, toArguments(variables, binding));
  const beside = server.findBeside('resource', uri, method);
  return beside && (async (call) => contentsOf(await beside.run(call), uri));
}

interface ListedResource {
  list: 'resources' | 'resourceTemplates';
  /** The URI or the template. */
  key: string;
  variables: Texts;
}

/** The resource with this URI, else the first listed template that matches, if anything reads it. */
export function findListedResource(server: Server, uri: string): ListedResource | undefined {
  const { catalog, bindings } = server;
  const [match = matchTemplate] = Object.values(server.parts<MatchTemplate>('templates'));
  const isRead = (list: ListedResource['list'], key: string): boolean =>
    (ownMember(catalog.handlers[list], key) ?? ownMember(bindings[list], key)) !== undefined;
  if (catalog.resources.has(uri) && isRead('resources', uri))
    return { list: 'resources', key: uri, variables: {} };
  for (const key of catalog.resourceTemplates.keys()) {
    const variables = match(key, uri);
    if (variables !== undefined && isRead('resourceTemplates', key))
      return { list: 'resourceTemplates', key, variables };
  }
  return undefined;
}

export function toArguments(
  values: Texts,
  { variables, schemas }: Pick<ResourceBinding, 'variables' | 'schemas'>,
): Args {
  const entries = Object.entries(values).map(([name, text]): [string, unknown] => {
    const argument = ownMember(variables, name) ?? name;
    return [argument, convertText(text, ownMember(schemas, argument))];
  });
  return Object.fromEntries(entries);
}

/** A text of a URI or a link, as its schema wants it. Others stay texts, for validation to refuse. */
export function convertText(text: string, schema: Schema | undefined): unknown {
  if (!isRecord(schema)) return text;
  if (schema.type !== 'array') return repair(schema, text);
  return text.split(',').map((item) => convertText(item, schema.items));
}

export function contentsOf(answer: unknown, uri: string, mimeType?: string): Outcome | undefined {
  const contents = [answer === undefined ? [] : answer].flat().map((one: unknown) => {
    if (typeof one === 'string') return { uri, mimeType: mimeType ?? 'text/plain', text: one };
    if (!(one instanceof Uint8Array)) return one;
    const blob = Buffer.from(one).toString('base64');
    return { uri, mimeType: mimeType ?? 'application/octet-stream', blob };
  });
  if (contents.length === 0) return undefined;
  if (contents.every(isContents)) return { result: { contents } };
  throw new Error(`What was read at ${uri} must be a text, bytes or resource contents.`);
}

/** A resource may name a tool that reads it. */
async function readBound(
  call: Call,
  { do: binding }: ResourceBinding,
  args: Args,
): Promise<Outcome | undefined> {
  const { server } = call.request;
  const { name: uri } = call;
  if (binding.kind !== 'tool') return readByWork(call, binding, args);
  const name = String(binding['name']);
  const tool = findTool(server, name, call.request);
  const toolBinding = ownMember(server.bindings.tools, name)?.do;
  const override = ownMember(server.catalog.handlers.tools as Record<string, ToolOverride> | undefined, name);
  if (tool === undefined) return undefined;
  if (override !== undefined || toolBinding === undefined) {
    const outcome = await runTool(server, tool, { ...call, kind: 'tool', name, args, parent: call });
    const { isError = false } = outcome.result as ToolResult;
    if (outcome.error !== undefined || isError) return outcome;
    const result = cutResult(outcome.result as ToolResult, server.settings.resultCharacters, tool);
    return { result: { contents: toContents(result, uri) } };
  }
  const misfits = tool.checkInput(args);
  if (misfits.length > 0) return refusedArguments(name, misfits);
  return confirmAsTool(call, name, args, (parent) => readByWork({ ...call, parent }, toolBinding, args));
}

/** Who must confirm a tool confirms what else does its work. */
export async function confirmAsTool(
  call: Call,
  name: string,
  args: Args,
  run: (asTool: Call) => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> {
  const asTool: Call = { ...call, kind: 'tool', name, args, parent: call };
  let reading: Outcome | undefined;
  const work = async (): Promise<Outcome> => (reading = await run(asTool)) ?? { result: { contents: [] } };
  const outcome = await call.request.server.around(asTool, work, 'work');
  // Nothing is there, and nobody refused.
  return reading === undefined && outcome.cause === undefined ? undefined : outcome;
}

async function readByWork(call: Call, binding: Binding, args: Args): Promise<Outcome | undefined> {
  const work = call.request.server.workOf(binding.kind);
  const answer = await work.answer?.(call, binding, args);
  if (answer === undefined) return work.resource?.(call, binding, args, call.name);
  if ('result' in answer) return answer;
  if (answer.status === 404 || answer.status === 410) return undefined;
  if (!isSuccess(answer)) return { result: errorResult(describeError(answer)), cause: 'api' };
  return { result: { contents: toResource(answer, call) } };
}

function toResource(answer: ApiAnswer, call: Call): ResourceContents[] {
  const { mediaType = '', body, notes = [] } = answer;
  const { name: uri, request } = call;
  const { resultCharacters: limit } = request.server.settings;
  const isBytes = body.kind === 'bytes';
  const mimeType = essence(mediaType) || (isBytes ? 'application/octet-stream' : 'text/plain');
  const text = textOfBody(body);
  const isLong = text.length > limit;
  const cut = isLong && body.kind === 'json' ? cutJson(body.value, limit) : undefined;
  // JSON that breaks off is none.
  const type = isLong && body.kind === 'json' && cut === undefined ? 'text/plain' : mimeType;
  const contents = isBytes
    ? { uri, mimeType, blob: Buffer.from(body.bytes).toString('base64') }
    : { uri, mimeType: type, text: cut?.text ?? cutText(text, limit) };
  const cutNotes = cut?.notes ?? (isLong ? [describeCut(text, limit)] : []);
  const noteContents = [...notes, ...cutNotes].map((one) => ({ uri, mimeType: 'text/plain', text: one }));
  return body.kind === 'none' && notes.length > 0 ? noteContents : [contents, ...noteContents];
}

function toContents({ content, structuredContent }: ToolResult, uri: string): ResourceContents[] {
  const mimeType = structuredContent === undefined ? 'text/plain' : 'application/json';
  return content.map((block, index) => {
    // Notes follow what was asked for.
    if (block.type === 'text')
      return { uri, mimeType: index === 0 ? mimeType : 'text/plain', text: block.text };
    if (block.type === 'resource') return { ...block.resource, uri };
    if (block.type === 'resource_link') return { uri, mimeType: 'text/uri-list', text: block.uri };
    return { uri, mimeType: block.mimeType, blob: block.data };
  });
}

/** The part `expansions`: writes the URI of a template's values. */
export type ExpandTemplate = (template: string, variables: Readonly<Record<string, unknown>>) => string;
/** The part `templates`: the decoded values, or undefined if the template can't make the URI. */
export type MatchTemplate = (template: string, uri: string) => Record<string, string> | undefined;

/** A value never holds `/`, `?` or `#`, nor the character behind its variable, so that no expression goes back twice over one text. */
export const matchTemplate: MatchTemplate = (template, uri) => {
  const parts = template.split(/\{(\w+)\}/);
  const source = parts.map((part, index) =>
    index % 2 === 0 ? escapeRegExp(part) : `([^/?#${escapeRegExp(parts[index + 1]?.[0] ?? '')}]+)`,
  );
  const match = uri.length > MAX_URI ? null : new RegExp(`^${source.join('')}$`).exec(uri);
  if (match === null) return undefined;
  // Without prototype: variables may be called `__proto__`.
  const values = Object.create(null) as Record<string, string>;
  for (const [index, text] of match.slice(1).entries()) {
    const name = parts[2 * index + 1] ?? '';
    const value = decodeValue(text);
    // Repeated variables must agree.
    if (value === undefined || (ownMember(values, name) ?? value) !== value) return undefined;
    values[name] = value;
  }
  return values;
};

/** Undefined for a dot segment, which would leave the place that the template describes (RFC 3986, section 5.2.4); Java servers take `..;x` too. */
export function decodeValue(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return /(?:^|[/\\])\.{1,2}(?:$|[/\\;])/.test(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

// Prompts, and what completes their arguments and those of templates.

async function getPrompt(method: MethodCall): Promise<object> {
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
  if (binding.kind !== 'template')
    return { result: toPrompt(await server.workOf(binding.kind).prompt?.(call, binding, args)) };
  // `{{name}}` becomes the argument's value, or nothing without it. Values are not expanded again.
  const fill = (template: string): string =>
    template.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (placeholder, key: string) => {
      const isParameter = parameters.some((parameter) => parameter.name === key);
      return ownMember(args, key) ?? (isParameter ? '' : placeholder);
    });
  const templates = binding['messages'] as { role: 'user' | 'assistant'; text: string }[];
  const messages = templates.map(({ role, text }): PromptResult['messages'][number] => ({
    role,
    content: { type: 'text', text: fill(text) },
  }));
  return { result: { messages } };
}

/** Messages, a whole result, or a text and blocks that the user says. */
function toPrompt(answer: unknown): PromptResult {
  const result = isRecord(answer) && Array.isArray(answer['messages']) ? answer : { messages: answer };
  const messages = [result.messages].flat().map((item: unknown) => {
    const block = typeof item === 'string' ? { type: 'text', text: item } : item;
    return isContent(block) ? { role: 'user', content: block } : block;
  });
  const isMessage = (value: unknown): boolean =>
    isRecord(value) && ['user', 'assistant'].includes(value['role'] as string) && isContent(value['content']);
  if (messages.every(isMessage)) return { ...result, messages } as PromptResult;
  throw new Error(
    'A prompt must be a text or { messages }, each with a role (user or assistant) and one content block.',
  );
}

/** The protocol allows no more values. */
const MAX_VALUES = 100;

/** 2024-11-05 has completions, and no capability of that name. */
export const hasCompletionsCapability = (revision: string): boolean => revision >= '2025-03-26';

function hasCompletions({ handlers }: Catalog, { completions }: Bindings): boolean {
  return completions.length + Object.keys(handlers.completions ?? {}).length > 0;
}

async function completeArgument(method: MethodCall): Promise<object> {
  const { server, params, agreement, work } = method;
  if (!hasCompletions(server.catalog, server.bindings) && !('completions' in server.capabilities(agreement)))
    throw new RpcError(METHOD_NOT_FOUND, 'This server has no completions.');
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
    ({ ref, argument: bound }) => (ref.name ?? ref.uri) === key && bound === name,
  )?.from;
  const complete = async (): Promise<unknown> => {
    if (handler !== undefined) return handler(value, others, makeContext(call));
    if (source === undefined) return [];
    if (source.kind !== 'values') return server.workOf(source.kind).completion?.(call, source, value, others);
    const start = value.toLowerCase();
    return (source['values'] as string[]).filter((text) => text.toLowerCase().startsWith(start));
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
