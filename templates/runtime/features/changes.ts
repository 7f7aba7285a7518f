// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Changes of lists and resources: what `started` is given, and who is told of them in both eras. */
import type { ListName } from '../catalog.ts';
import type { Feature, MethodCall } from '../feature.ts';
import { INTERNAL_ERROR, invalidParams, isRecord, limitReached, MAX_URI, META } from '../json-rpc.ts';
import { METHOD_NOT_FOUND, type Notification, RpcError, writeJson } from '../json-rpc.ts';
import type { Server } from '../server.ts';
import type { Session } from '../session.ts';
import { type ServerHandle, UsageError } from '../types.ts';
import { findResource, hasResources, notFound, readUri, removeUnserved } from './resources.ts';

declare module '../feature.ts' {
  interface Services {
    /** Tells changes. */
    bus: {
      publish(change: Change): void;
      subscribe(listener: (change: Change) => void): () => void;
    };
  }
}
declare module '../types.ts' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  interface Handlers<Tools extends object = Record<string, Args>> {
    /** Runs once, before the first message; a returned function runs when the server ends. */
    started?: Started;
  }
  type Started = (server: ServerHandle) => Awaitable<void> | Awaitable<() => Awaitable<void>>;
  /** Tells clients of each change. Adding throws if the item can't be listed, or if its list was empty at the start. */
  interface ServerHandle {
    resourceUpdated(uri: string): void;
    resourcesChanged(): void;
    addTool(tool: ExtraTool): void;
    removeTool(name: string): boolean;
    addPrompt(name: string, prompt: PromptDefinition): void;
    removePrompt(name: string): boolean;
    addResource(uri: string, resource: ResourceDefinition): void;
    removeResource(uri: string): boolean;
  }
}
export type Change =
  { kind: 'list'; list: 'tools' | 'resources' | 'prompts' } | { kind: 'resource'; uri: string };

/** Open requests to listen, of all and of one client; resources of a session or a request. */
export const CHANGE_LIMITS = {
  subscriptions: 10_000,
  subscriptionsPerClient: 1_000,
  subscribedResources: 1_000,
};

/** Tells changes to those who subscribed. Another feature may tell them to other nodes too. */
export class EventBus {
  readonly #listeners = new Set<(change: Change) => void>();

  publish(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export function changeNotification(change: Change): Notification {
  return change.kind === 'list'
    ? { jsonrpc: '2.0', method: `notifications/${change.list}/list_changed` }
    : { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: change.uri } };
}

/** A client that declares none of these is told of nothing. A list that is empty at the start is not declared. */
function declareChanges({ definition, bindings, catalog }: Server): object {
  // Functions are among the bindings.
  if (definition.handlers?.started === undefined && !('started' in bindings)) return {};
  return {
    ...(catalog.lists.has('tools') && { tools: { listChanged: true } }),
    ...(hasResources(catalog) && { resources: { subscribe: true, listChanged: true } }),
    ...(catalog.lists.has('prompts') && { prompts: { listChanged: true } }),
  };
}

/** Lets handlers and functions with `started` change lists and tell of resources. */
export function changes(): Feature {
  let end: (() => unknown) | undefined;
  /** Each ends one request to listen. */
  const subscriptions = new Map<() => void, string>();

  /** Waits until the client cancels, or the server stops. @throws {RpcError} if too many wait */
  async function untilUnsubscribed({ server, work, session: { client } }: MethodCall): Promise<void> {
    const ofClient = [...subscriptions.values()].filter((name) => name === client);
    if (
      subscriptions.size >= CHANGE_LIMITS.subscriptions ||
      ofClient.length >= CHANGE_LIMITS.subscriptionsPerClient
    )
      throw limitReached('Too many subscriptions are open.', 60);
    if (server.isStopping) return;
    await new Promise<void>((resolve) => {
      subscriptions.set(resolve, client);
      work.onCancel(() => {
        subscriptions.delete(resolve);
        resolve();
      });
    });
  }

  return {
    name: 'changes',
    services: { bus: new EventBus() },
    parts: { handle: { changes: openHandle } },
    catalog: {
      select: (_, server) => {
        server.gauges.set('mcp_subscriptions', () => subscriptions.size);
        server.onStopping.push(() => subscriptions.forEach((__, end) => end()));
      },
    },
    capabilities: declareChanges,
    ready: (session, { services: { bus } }) => {
      const forget = bus.subscribe((change) => {
        if (change.kind === 'list' || subscriptionsOf(session).has(change.uri))
          session.push(changeNotification(change));
      });
      session.onEnd(forget);
    },
    start: async (server) => {
      const ending = await server.definition.handlers?.started?.(openHandle(server));
      if (typeof ending === 'function') end = ending;
    },
    stop: async () => void (await end?.()),
    methods: {
      'resources/subscribe': { run: subscribe, capability: 'resources', era: 'legacy' },
      'resources/unsubscribe': { run: unsubscribe, capability: 'resources', era: 'legacy' },
      'subscriptions/listen': { run: (call) => listen(call, untilUnsubscribed), era: 'modern' },
    },
  };
}

/** Changes the lists, and tells clients. */
function openHandle(server: Server): ServerHandle {
  const { catalog, services } = server;
  const { handlers } = catalog;
  const tell = (list: 'tools' | 'resources' | 'prompts'): true => {
    services.bus.publish({ kind: 'list', list });
    return true;
  };
  const requireList = (list: ListName): void => {
    if (catalog.lists.has(list)) return;
    const advice = 'Give it one in src/handlers/, and others can be added.';
    throw new UsageError(`The server had no ${list} when it started, so clients would not look. ${advice}`);
  };
  return {
    resourceUpdated: (uri) => services.bus.publish({ kind: 'resource', uri }),
    resourcesChanged: () => void tell('resources'),
    addTool: (tool) => {
      requireList('tools');
      catalog.addTool(tool);
      handlers.extraTools = [...(handlers.extraTools ?? []), tool];
      tell('tools');
    },
    removeTool: (name) => {
      handlers.extraTools = handlers.extraTools?.filter((tool) => tool.name !== name) ?? [];
      if (!catalog.tools.delete(name)) return false;
      removeUnserved(server);
      return tell('resources') && tell('tools');
    },
    addPrompt: (name, prompt) => {
      requireList('prompts');
      handlers.prompts = { ...handlers.prompts, [name]: prompt };
      catalog.prompts.set(name, { ...prompt, name });
      tell('prompts');
    },
    removePrompt: (name) => catalog.prompts.delete(name) && tell('prompts'),
    addResource: (uri, resource) => {
      requireList('resources');
      handlers.resources = { ...handlers.resources, [uri]: resource };
      catalog.resources.set(uri, { ...resource, uri });
      tell('resources');
    },
    removeResource: (uri) => catalog.resources.delete(uri) && tell('resources'),
  };
}

// Subscriptions of sessions.

const subscribed = new WeakMap<Session, Set<string>>();

export function subscriptionsOf(session: Session): Set<string> {
  const uris = subscribed.get(session) ?? new Set<string>();
  subscribed.set(session, uris);
  return uris;
}

function subscribe(method: MethodCall): object {
  const uri = readUri(method);
  const subscriptions = requireSubscriptions(method);
  if (subscriptions.has(uri)) return {};
  if (findResource(method, uri) === undefined) throw notFound(method, uri);
  if (subscriptions.size >= CHANGE_LIMITS.subscribedResources)
    throw new RpcError(
      INTERNAL_ERROR,
      `This session has ${CHANGE_LIMITS.subscribedResources} subscriptions already.`,
    );
  subscriptions.add(uri);
  return {};
}

function unsubscribe(method: MethodCall): object {
  requireSubscriptions(method).delete(readUri(method));
  return {};
}

function requireSubscriptions({ server, agreement, session }: MethodCall): Set<string> {
  const { resources } = server.capabilities(agreement);
  if (isRecord(resources) && resources['subscribe'] === true) return subscriptionsOf(session);
  throw new RpcError(METHOD_NOT_FOUND, 'This server has no subscriptions.');
}

// 2026-07-28: `subscriptions/listen` is a long request, whose client is told of changes.

const CHANGING = ['tools', 'prompts', 'resources'] as const;

const MAX_LISTEN = 65_536;

async function listen(method: MethodCall, untilEnd: (call: MethodCall) => Promise<void>): Promise<object> {
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
  const ended = untilEnd(method);
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
  if (Array.isArray(uris) && uris.length <= CHANGE_LIMITS.subscribedResources && uris.every(isUri))
    return { lists, uris: new Set(uris) };
  const bounds = `${CHANGE_LIMITS.subscribedResources} strings of ${MAX_URI} characters at most`;
  throw invalidParams(`\`notifications.resourceSubscriptions\` must be an array of ${bounds}.`);
}
