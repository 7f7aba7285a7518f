// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `resources/read`, and subscriptions of both eras. */
import { convertText } from './coerce.ts';
import { makeContext } from './context.ts';
import type { Call, Change, MethodCall } from './feature.ts';
import { fit, INTERNAL_ERROR, INVALID_PARAMS, invalidParams, isRecord, MAX_URI, META } from './json-rpc.ts';
import { METHOD_NOT_FOUND, type Notification, ownMember, RESOURCE_NOT_FOUND, RpcError } from './json-rpc.ts';
import { writeJson } from './json-rpc.ts';
import { changeNotification } from './server.ts';
import type { Session } from './session.ts';
import { LIMITS } from './settings.ts';
import { failedOutcome, findTool, isContents, refusedArguments, runTool, textOf } from './tools.ts';
import type { Args, Outcome, ResourceBinding, ResourceContents, ToolOverride, ToolResult } from './types.ts';
import { matchTemplate } from './uri-template.ts';

type Texts = Record<string, string>;
/** Undefined if the resource does not exist. */
type Read = (call: Call) => Promise<Outcome | undefined>;

export async function readResource(method: MethodCall): Promise<object> {
  const { server, work, agreement } = method;
  const uri = readUri(method);
  const read = findResource(method, uri);
  const call: Call = { kind: 'resource', name: uri, args: {}, origin: 'client', request: method, work };
  const outcome = await server.around(
    call,
    async () => (await read?.(call)) ?? failedOutcome(notFound(method, uri)),
  );
  const { result, cause, error } = outcome;
  if (error !== undefined) throw error;
  if (!('contents' in result))
    throw new RpcError(cause === 'arguments' ? INVALID_PARAMS : INTERNAL_ERROR, textOf(result), {
      data: { uri },
    });
  return { contents: result.contents.map((contents) => fit('content', contents, agreement.revision)) };
}

function readUri({ params: { uri } }: MethodCall): string {
  if (typeof uri !== 'string') throw invalidParams('`uri` must be a string.');
  return uri;
}

function notFound({ agreement }: MethodCall, uri: string): RpcError {
  const code = agreement.era === 'modern' ? INVALID_PARAMS : RESOURCE_NOT_FOUND;
  return new RpcError(code, `Resource not found: ${uri}`, { data: { uri } });
}

/** The resource with this URI, else the first listed template that matches. */
function findResource(method: MethodCall, uri: string): Read | undefined {
  const { server } = method;
  const { catalog, bindings } = server;
  const find = (list: 'resources' | 'resourceTemplates', key: string, variables: Texts): Read | undefined => {
    const reader = ownMember(catalog.handlers[list], key)?.read;
    const mimeType = catalog[list].get(key)?.mimeType;
    if (reader !== undefined)
      return async (call) => contentsOf(await reader(uri, variables, makeContext(call)), uri, mimeType);
    const binding = ownMember(bindings[list], key);
    return binding && ((call) => readBound(call, binding, toArguments(variables, binding)));
  };
  const read = catalog.resources.has(uri) ? find('resources', uri, {}) : undefined;
  if (read !== undefined) return read;
  for (const uriTemplate of catalog.resourceTemplates.keys()) {
    const variables = matchTemplate(uriTemplate, uri);
    const readMatch = variables && find('resourceTemplates', uriTemplate, variables);
    if (readMatch !== undefined) return readMatch;
  }
  const beside = server.findBeside('resource', uri, method);
  return beside && (async (call) => contentsOf(await beside.run(call), uri));
}

function toArguments(values: Texts, { variables, schemas }: ResourceBinding): Args {
  const entries = Object.entries(values).map(([name, text]): [string, unknown] => {
    const argument = ownMember(variables, name) ?? name;
    return [argument, convertText(text, ownMember(schemas, argument))];
  });
  return Object.fromEntries(entries);
}

function contentsOf(answer: unknown, uri: string, mimeType?: string): Outcome | undefined {
  if (answer === undefined) return undefined;
  if (typeof answer === 'string')
    return { result: { contents: [{ uri, mimeType: mimeType ?? 'text/plain', text: answer }] } };
  if (answer instanceof Uint8Array) {
    if (mimeType === undefined)
      throw new Error(`What was read at ${uri} is bytes, but no \`mimeType\` is listed.`);
    return { result: { contents: [{ uri, mimeType, blob: Buffer.from(answer).toString('base64') }] } };
  }
  const contents: unknown[] = [answer].flat();
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
  if (binding.kind !== 'tool') return server.workOf(binding.kind).resource(call, binding, args, uri);
  const name = String(binding['name']);
  const tool = findTool(server, name, call.request);
  const work = ownMember(server.bindings.tools, name)?.do;
  const override = ownMember(server.catalog.handlers.tools as Record<string, ToolOverride> | undefined, name);
  if (tool === undefined) return undefined;
  if (override !== undefined || work === undefined) {
    const outcome = await runTool(server, tool, { ...call, kind: 'tool', name, args, parent: call });
    const { isError = false } = outcome.result as ToolResult;
    if (outcome.error !== undefined || isError) return outcome;
    return { result: { contents: toContents(outcome.result as ToolResult, uri) } };
  }
  const misfits = tool.checkInput(args);
  if (misfits.length > 0) return refusedArguments(name, misfits);
  return server.workOf(work.kind).resource(call, work, args, uri);
}

function toContents({ content, structuredContent }: ToolResult, uri: string): ResourceContents[] {
  const mimeType = structuredContent === undefined ? 'text/plain' : 'application/json';
  return content.map((block) => {
    if (block.type === 'text') return { uri, mimeType, text: block.text };
    if (block.type === 'resource') return { ...block.resource, uri };
    if (block.type === 'resource_link') return { uri, mimeType: 'text/uri-list', text: block.uri };
    return { uri, mimeType: block.mimeType, blob: block.data };
  });
}

// Subscriptions of sessions.

export function subscribe(method: MethodCall): object {
  const uri = readUri(method);
  const { subscriptions } = requireSubscriptions(method);
  if (subscriptions.has(uri)) return {};
  if (findResource(method, uri) === undefined) throw notFound(method, uri);
  if (subscriptions.size >= LIMITS.subscribedResources)
    throw new RpcError(
      INTERNAL_ERROR,
      `This session has ${LIMITS.subscribedResources} subscriptions already.`,
    );
  subscriptions.add(uri);
  return {};
}

export function unsubscribe(method: MethodCall): object {
  requireSubscriptions(method).subscriptions.delete(readUri(method));
  return {};
}

function requireSubscriptions({ server, agreement, session }: MethodCall): Session {
  const { resources } = server.capabilities(agreement);
  if (isRecord(resources) && resources['subscribe'] === true) return session;
  throw new RpcError(METHOD_NOT_FOUND, 'This server has no subscriptions.');
}

// 2026-07-28: `subscriptions/listen` is a long request, whose client is told of changes.

const CHANGING = ['tools', 'prompts', 'resources'] as const;

const MAX_LISTEN = 65_536;

export async function listen(method: MethodCall): Promise<object> {
  const { server, id, exchange, agreement, params, work } = method;
  // The request is kept in memory as long as its client likes.
  if (writeJson(params).length > MAX_LISTEN)
    throw invalidParams(`A request to listen may have ${MAX_LISTEN} characters at most.`);
  const filter = readFilter(params['notifications']);
  const capabilities = server.capabilities(agreement);
  const isDeclared = (list: string, member: string): boolean =>
    (capabilities[list] as Record<string, unknown> | undefined)?.[member] === true;
  const lists = filter.lists.filter((list) => isDeclared(list, 'listChanged'));
  const uris = isDeclared('resources', 'subscribe') ? filter.uris : undefined;
  const notifications = {
    ...Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true])),
    ...(uris && { resourceSubscriptions: [...uris] }),
  };
  const tag = { _meta: { [`${META}subscriptionId`]: id } };
  const send = (message: Notification): void => {
    if (work.reason === undefined) void exchange.send({ ...message, params: { ...message.params, ...tag } });
  };
  const isWanted = (change: Change): boolean =>
    change.kind === 'list' ? lists.includes(change.list) : uris?.has(change.uri) === true;
  const ended = server.untilUnsubscribed(method);
  // One that is refused must not open a stream: its status says when to try again.
  await Promise.race([ended, Promise.resolve()]);
  const forget = server.services.bus.subscribe((change) => {
    if (isWanted(change)) send(changeNotification(change));
  });
  send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications } });
  await ended.finally(forget);
  // Over stdio all messages share one channel, so the end is a notification too.
  if (exchange.headerVersion === undefined && work.reason === undefined) {
    const end = { requestId: id, reason: 'The server ends the subscription.' };
    await exchange.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: end });
  }
  return tag;
}

function readFilter(notifications: unknown) {
  if (!isRecord(notifications)) throw invalidParams('`notifications` must be an object: what to be told of.');
  const lists = CHANGING.filter((list) => {
    const flag = notifications[`${list}ListChanged`] ?? false;
    if (typeof flag === 'boolean') return flag;
    throw invalidParams(`\`notifications.${list}ListChanged\` must be true or false.`);
  });
  const uris = notifications['resourceSubscriptions'];
  const isUri = (uri: unknown): uri is string => typeof uri === 'string' && uri.length <= MAX_URI;
  if (uris === undefined) return { lists };
  if (Array.isArray(uris) && uris.length <= LIMITS.subscribedResources && uris.every(isUri))
    return { lists, uris: new Set(uris) };
  const bounds = `${LIMITS.subscribedResources} strings of ${MAX_URI} characters at most`;
  throw invalidParams(`\`notifications.resourceSubscriptions\` must be an array of ${bounds}.`);
}
