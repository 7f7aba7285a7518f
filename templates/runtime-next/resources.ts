// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `resources/read`, and subscriptions of both eras. */
import { convertText } from './coerce.ts';
import { makeContext } from './context.ts';
import type { Call, Change, MethodCall } from './feature.ts';
import {
  fitContents,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  invalidParams,
  isRecord,
  LONGEST_URI,
  META,
  type Notification,
  ownMember,
  RESOURCE_NOT_FOUND,
  RpcError,
} from './json-rpc.ts';
import { changeNotification } from './server.ts';
import { LIMITS } from './settings.ts';
import { errorResult, failedOutcome, findTool, isContents, runTool } from './tools.ts';
import type {
  Args,
  Content,
  Outcome,
  ResourceBinding,
  ResourceContents,
  ResourceReader,
  ToolResult,
} from './types.ts';
import { matchTemplate } from './uri-template.ts';

type Found =
  { read: ResourceReader; variables: Record<string, string>; mimeType?: string | undefined } | Bound;
interface Bound {
  binding: ResourceBinding;
  args: Args;
}

export async function readResource(method: MethodCall): Promise<object> {
  const { server, work, agreement } = method;
  const uri = readUri(method);
  const found = findResource(method, uri);
  const call: Call = { kind: 'resource', name: uri, args: {}, origin: 'client', request: method, work };
  const outcome = await server.around(call, async () => {
    const read =
      found === undefined
        ? undefined
        : await ('read' in found ? readOwn(call, found) : readBound(call, found));
    return read ?? failedOutcome(notFound(method, uri));
  });
  const { result, cause, error } = outcome;
  if (error !== undefined) throw error;
  if (!('contents' in result)) {
    const words = (result as ToolResult).content
      .flatMap((block) => ('text' in block ? block.text : []))
      .join('\n');
    throw new RpcError(cause === 'arguments' ? INVALID_PARAMS : INTERNAL_ERROR, words, { data: { uri } });
  }
  return { contents: result.contents.map((contents) => fitContents(contents, agreement.revision)) };
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
function findResource(method: MethodCall, uri: string): Found | undefined {
  const { catalog, bindings } = method.server;
  const { handlers } = catalog;
  const listed = catalog.resources.get(uri);
  if (listed !== undefined) {
    const read = ownMember(handlers.resources, uri)?.read;
    if (read !== undefined) return { read, variables: {}, mimeType: listed.mimeType };
    const binding = ownMember(bindings.resources, uri);
    if (binding !== undefined) return { binding, args: {} };
  }
  for (const [uriTemplate, { mimeType }] of catalog.resourceTemplates) {
    const variables = matchTemplate(uriTemplate, uri);
    if (variables === undefined) continue;
    const read = ownMember(handlers.resourceTemplates, uriTemplate)?.read;
    if (read !== undefined) return { read, variables, mimeType };
    const binding = ownMember(bindings.resourceTemplates, uriTemplate);
    if (binding !== undefined) return { binding, args: toArguments(variables, binding) };
  }
  const beside = method.server.findBeside('resource', uri, method);
  return (
    beside && {
      read: async () => (await beside.run({ name: uri } as Call)) as string,
      variables: {},
    }
  );
}

function toArguments(values: Record<string, string>, { variables, schemas }: ResourceBinding): Args {
  const entries = Object.entries(values).map(([name, text]) => {
    const argument = ownMember(variables, name) ?? name;
    return [argument, convertText(text, ownMember(schemas, argument))];
  });
  return Object.fromEntries(entries) as Args;
}

async function readOwn(
  call: Call,
  { read, variables, mimeType }: Exclude<Found, Bound>,
): Promise<Outcome | undefined> {
  const { name: uri } = call;
  const answer = await read(uri, variables, makeContext(call));
  const contents = toContents(answer, uri, mimeType);
  return contents && { result: { contents } };
}

function toContents(
  answer: unknown,
  uri: string,
  mimeType: string | undefined,
): ResourceContents[] | undefined {
  if (answer === undefined) return undefined;
  if (typeof answer === 'string') return [{ uri, mimeType: mimeType ?? 'text/plain', text: answer }];
  if (answer instanceof Uint8Array) {
    if (mimeType === undefined)
      throw new Error(`What was read at ${uri} is bytes, but no \`mimeType\` is listed.`);
    return [{ uri, mimeType, blob: Buffer.from(answer).toString('base64') }];
  }
  const contents: unknown[] = [answer].flat();
  if (contents.length === 0) return undefined;
  if (contents.every(isContents)) return contents;
  throw new Error(`What was read at ${uri} is no text, no bytes and no resource contents.`);
}

/** A resource may name a tool that reads it, which the operator may have deselected: its binding is still the resource's. */
async function readBound(call: Call, { binding, args }: Bound): Promise<Outcome | undefined> {
  const { server } = call.request;
  const { name: uri } = call;
  if (binding.do.kind !== 'tool') return server.workOf(binding.do.kind).resource(call, binding.do, args, uri);
  const name = String(binding.do['name']);
  const tool = findTool(server, name, call.request);
  const work = ownMember(server.bindings.tools, name)?.do;
  const isReplaced =
    ownMember(server.catalog.handlers.tools as object as Record<string, unknown>, name) !== undefined;
  if (tool !== undefined && (isReplaced || work === undefined)) {
    const outcome = await runTool(server, tool, { ...call, kind: 'tool', name, args, parent: call });
    return outcome.error === undefined ? toContentsOutcome(outcome, uri) : outcome;
  }
  const misfits = tool?.checkInput(args) ?? [];
  if (misfits.length > 0)
    return { result: errorResult(misfits.map(({ message }) => message).join('\n')), cause: 'arguments' };
  return work && server.workOf(work.kind).resource(call, work, args, uri);
}

function toContentsOutcome(outcome: Outcome, uri: string): Outcome {
  const { content, structuredContent, isError } = outcome.result as ToolResult;
  if (isError === true) return outcome;
  const mimeType = structuredContent === undefined ? 'text/plain' : 'application/json';
  return { result: { contents: content.map((block) => blockToContents(block, uri, mimeType)) } };
}

function blockToContents(block: Content, uri: string, mimeType: string): ResourceContents {
  switch (block.type) {
    case 'text':
      return { uri, mimeType, text: block.text };
    case 'resource':
      return { ...block.resource, uri };
    case 'resource_link':
      return { uri, mimeType: 'text/uri-list', text: block.uri };
    default:
      return { uri, mimeType: block.mimeType, blob: block.data };
  }
}

// Subscriptions of sessions.

export function subscribe(method: MethodCall): object {
  const uri = readUri(method);
  const { subscriptions } = requireSubscriptions(method);
  if (!subscriptions.has(uri) && findResource(method, uri) === undefined) throw notFound(method, uri);
  if (!subscriptions.has(uri) && subscriptions.size >= LIMITS.subscribedResources)
    throw new RpcError(
      INTERNAL_ERROR,
      `This session has ${LIMITS.subscribedResources} subscriptions already. Unsubscribe from some.`,
    );
  subscriptions.add(uri);
  return {};
}

export function unsubscribe(method: MethodCall): object {
  requireSubscriptions(method).subscriptions.delete(readUri(method));
  return {};
}

function requireSubscriptions({ server, agreement, session }: MethodCall) {
  const { resources } = server.capabilities(agreement);
  if (isRecord(resources) && resources['subscribe'] === true) return session;
  throw new RpcError(-32601, 'This server has no subscriptions.');
}

// 2026-07-28: `subscriptions/listen` is a long request, whose client is told of changes.

const FLAGS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;

export async function listen(method: MethodCall): Promise<object> {
  const { server, id, exchange, agreement, params, work } = method;
  const wanted = readFilter(params['notifications']);
  const { tools, prompts, resources } = server.capabilities(agreement);
  const isDeclared = (capability: unknown, member = 'listChanged'): boolean =>
    isRecord(capability) && capability[member] === true;
  const declared = [tools, prompts, resources];
  const flags = FLAGS.filter((flag, index) => wanted.flags.includes(flag) && isDeclared(declared[index]));
  const uris = isDeclared(resources, 'subscribe') ? wanted.uris : undefined;
  const notifications = {
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    ...(uris && { resourceSubscriptions: uris }),
  };
  const tag = { _meta: { [`${META}subscriptionId`]: id } };
  // Equal messages wait once for a slow client.
  const waiting = new Map<string, Notification>();
  let sending = Promise.resolve();
  const send = (message: Notification): void => {
    waiting.set(JSON.stringify(message), message);
    sending = sending.then(async () => {
      const [[key, first] = []] = waiting;
      if (key === undefined || first === undefined || work.reason !== undefined) return;
      waiting.delete(key);
      await exchange.send({ ...first, params: { ...first.params, ...tag } });
    });
  };
  const isWanted = (change: Change): boolean =>
    change.kind === 'list'
      ? flags.includes(`${change.list}ListChanged` as (typeof FLAGS)[number])
      : uris?.includes(change.uri) === true;
  const ended = server.untilUnsubscribed(method);
  // One that is refused must not open a stream: its status says when to try again.
  await Promise.race([ended, Promise.resolve()]);
  const forget = server.services.bus.subscribe((change) => {
    if (isWanted(change)) send(changeNotification(change));
  });
  send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications } });
  await ended.finally(forget);
  await sending;
  // Over stdio all messages share one channel, so the end is a notification too.
  if (exchange.headerVersion === undefined && work.reason === undefined) {
    const reason = 'The server ends the subscription.';
    await exchange.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason },
    });
  }
  return tag;
}

function readFilter(notifications: unknown): { flags: string[]; uris: string[] | undefined } {
  if (!isRecord(notifications)) throw invalidParams('`notifications` must be an object: what to be told of.');
  const wrong = FLAGS.find((name) => !['boolean', 'undefined'].includes(typeof notifications[name]));
  if (wrong !== undefined) throw invalidParams(`\`notifications.${wrong}\` must be true or false.`);
  const uris = notifications['resourceSubscriptions'];
  const place = '`notifications.resourceSubscriptions`';
  if (uris !== undefined && !(Array.isArray(uris) && uris.every((uri) => typeof uri === 'string')))
    throw invalidParams(`${place} must be an array of strings.`);
  if (uris !== undefined && uris.length > LIMITS.subscribedResources)
    throw invalidParams(`${place} holds more than ${LIMITS.subscribedResources}.`);
  if (uris?.some((uri) => uri.length > LONGEST_URI) === true)
    throw invalidParams(`Each of ${place} may have ${LONGEST_URI} characters at most.`);
  return { flags: FLAGS.filter((name) => notifications[name] === true), uris: uris && [...new Set(uris)] };
}
