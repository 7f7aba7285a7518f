// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Dispatches messages to methods: one message or batch in, one answer out, no IO. */
import type { JsonObject } from '../contract/json-schema.ts';
import { isRecord, writeJson } from '../contract/json-value.ts';
import type { Implementation } from '../definition.ts';
import { type Limits, LONGEST_SEARCHED, longestUri } from '../contract/feature.ts';
import {
  INVALID_REQUEST,
  type Incoming,
  METHOD_NOT_FOUND,
  type Params,
  ProtocolError,
  type Received,
  invalidParamsError,
  isRequestId,
  limitReachedError,
  parseIncoming,
} from '../protocol/json-rpc.ts';
import {
  NEWEST_LEGACY_REVISION,
  type RevisionFeatures,
  detectEra,
  featuresOf,
  isLegacyRevision,
  withoutMembers,
  type Capability,
  type ListName,
} from '../protocol/revisions.ts';
import {
  type Answer,
  type Call,
  type ClientRequest,
  InFlightRequest,
  type Method,
  type RequestContext,
  toErrorAnswer,
  invalidMessageAnswer,
  resultAnswer,
  runMethodForCaller,
} from './call.ts';
import { listMethod } from './catalog-store.ts';
import {
  type LiveServer,
  type ServerInstance,
  makeCapabilitiesForRevision,
  declaredCapabilities,
} from './server-instance.ts';
import { type Agreement, type Channel, type Session, makeReady } from './session.ts';

/** Undefined for notifications, responses and cancelled requests. Never rejects. */
export type Core = (received: Received, context: RequestContext) => Promise<Answered>;

export type Answered = Answer | Answer[] | undefined;

export function createCore(live: LiveServer): Core {
  const answerReceived: Core = (received, context) => {
    const server = live.current;
    const { session } = context;
    switch (received.kind) {
      case 'batch':
        return answerBatch(received.messages, context, server.limits, answerReceived);
      case 'request': {
        const opens = received.method === 'initialize' && session?.agreement === undefined;
        const answer = answerRequest(server, received, context);
        if (opens && session !== undefined)
          session.opening = answer.then(() => (session.opening = undefined));
        return answer;
      }
      case 'notification':
        return Promise.resolve(receiveNotification(server, received.method, received.params, context));
      case 'response':
        if (received.id !== undefined) session?.receiveAnswer(received.id, received.outcome);
        return Promise.resolve(undefined);
      case 'invalid':
        return Promise.resolve(invalidMessageAnswer(received.id, received.reason));
    }
  };
  return answerReceived;
}

function answerRequest(
  server: ServerInstance,
  given: ClientRequest,
  context: RequestContext,
): Promise<Answer | undefined> {
  const { surface } = server;
  const request = given.method === 'tools/call' ? (surface?.redirectCall(given) ?? given) : given;
  const { id, method } = request;
  const { session, caller } = context;
  const { inFlightRequests } = context.channel;
  const { inFlightRequests: limit } = server.limits;
  const audited = server.audit?.begin(request, context, server);
  const isDouble = inFlightRequests.some((each) => each.id === id);
  const tooLong = findTooLongParameter(request.params);
  if (isDouble || inFlightRequests.length >= limit || tooLong !== undefined) {
    const refused = isDouble
      ? new ProtocolError(INVALID_REQUEST, `A request with the id ${writeJson(id)} is at work.`)
      : (tooLong ?? limitReachedError(`${limit} requests are at work already.`, 1));
    audited?.failed(refused);
    return Promise.resolve(toErrorAnswer(id, refused, server.report, caller));
  }
  // MCP, "Cancellation": `initialize` must not be cancelled.
  const inFlight = new InFlightRequest(method !== 'initialize', audited);
  inFlight.id = id;
  inFlightRequests.push(inFlight);
  return new Promise((resolve) => {
    // A handler may ignore the cancellation: the client doesn't wait, but the request counts until its handler ends.
    // Without a session, the request ends with its connection.
    if (session !== undefined) inFlight.whenCancelled = resolve;
    void performRequest(server, request, context, inFlight, resolve);
  });
}

/** Characters of the parameters that methods look up, match or compare. */
const LONGEST_PARAMETERS: ReadonlyMap<string, number> = new Map([
  ...['name', 'value', 'cursor', 'level', 'taskId', 'protocolVersion'].map(
    (name) => [name, LONGEST_SEARCHED] as const,
  ),
  ['uri', longestUri],
]);

function findTooLongParameter(params: Params): ProtocolError | undefined {
  const { ref, argument } = params;
  return (
    findTooLongMember(params) ??
    (isRecord(ref) ? findTooLongMember(ref) : undefined) ??
    (isRecord(argument) ? findTooLongMember(argument) : undefined)
  );
}

function findTooLongMember(holder: Readonly<Record<string, unknown>>): ProtocolError | undefined {
  for (const name in holder) {
    const text = holder[name];
    // Most texts are short, and need no look at the list of names.
    if (typeof text !== 'string' || text.length <= LONGEST_SEARCHED) continue;
    const most = LONGEST_PARAMETERS.get(name) ?? Infinity;
    if (text.length > most) return invalidParamsError(`\`${name}\` may have ${most} characters at most.`);
  }
  return undefined;
}

let modern: ReturnType<typeof importModern> | undefined;

async function performRequest(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
  inFlight: InFlightRequest,
  settle: (answer: Answer | undefined) => void,
): Promise<void> {
  const { id, method } = request;
  let answer: Answer | undefined;
  try {
    const isLegacy = detectEra(request, context.headers?.('mcp-protocol-version')) === 'legacy';
    const performer = isLegacy ? performLegacy : (await (modern ??= importModern())).performModern;
    const result = await performer(server, request, context, inFlight);
    inFlight.audited?.done(result);
    if (!inFlight.cancelled) answer = resultAnswer(id, method, result, server.report);
  } catch (thrown) {
    inFlight.audited?.failed(thrown);
    if (!inFlight.cancelled) answer = toErrorAnswer(id, thrown, server.report, context.caller);
  } finally {
    inFlight.done = true;
    const { inFlightRequests } = context.channel;
    inFlightRequests.splice(inFlightRequests.indexOf(inFlight), 1);
    settle(answer);
  }
}

function receiveNotification(
  server: ServerInstance,
  method: string,
  { requestId, reason }: Params,
  { channel, session }: RequestContext,
): undefined {
  if (method === 'notifications/initialized' && session?.agreement !== undefined) makeReady(session, server);
  if (method !== 'notifications/cancelled' || !isRequestId(requestId)) return;
  // The answer may already be on its way, so an unknown id is ignored.
  const inFlight = channel.inFlightRequests.find(({ id }) => id === requestId);
  if (inFlight?.cancellable === true)
    inFlight.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
}

async function answerBatch(
  messages: readonly unknown[],
  context: RequestContext,
  limits: Pick<Limits, 'batchMessages'>,
  core: (incoming: Incoming, context: RequestContext) => Promise<Answered>,
): Promise<Answer[] | Answer | undefined> {
  const batch = messages.map(parseIncoming);
  const hasBatches = context.session?.agreement?.features.batches === true;
  const refused = findBatchFault(batch, hasBatches, limits.batchMessages);
  if (refused !== undefined) return invalidMessageAnswer(undefined, refused);
  const answers = await Promise.all(batch.map(async (incoming) => core(incoming, context)));
  const given = answers.flat().filter((each) => each !== undefined);
  return given.length === 0 ? undefined : given;
}

function findBatchFault(batch: readonly Incoming[], hasBatches: boolean, limit: number): string | undefined {
  const requests = batch.filter((incoming) => incoming.kind === 'request');
  if (requests.some(({ method }) => method === 'initialize'))
    return '`initialize` must not be part of a batch.';
  if (requests.some((request) => detectEra(request, undefined) === 'modern'))
    return 'A request of the modern era must not be part of a batch.';
  if (!hasBatches) return 'The revision of this session has no batches.';
  if (batch.length === 0) return 'The batch is empty.';
  return batch.length > limit ? `A batch holds at most ${limit} messages.` : undefined;
}

function performLegacy(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
  inFlight: InFlightRequest,
): Promise<object> {
  const { id, method, params } = request;
  const { session } = context;
  if (session === undefined) throw notInitializedError();
  if (method === 'initialize') return initializeSession(server, session, params);
  // A request right after `initialize` waits for its answer.
  if (session.opening !== undefined)
    return session.opening.then(() => performLegacy(server, request, context, inFlight));
  const { agreement } = session;
  if (agreement === undefined && method === 'ping') return Promise.resolve({});
  if (agreement === undefined) throw notInitializedError();
  const call = { server, context, session, agreement, id, params, inFlight };
  const found = findMethod(server, method, agreement.features, session);
  const isReady = context.caller === undefined && !(found instanceof Promise);
  return isReady ? found(call) : runMethodForCaller(call, method, found);
}

function notInitializedError(): ProtocolError {
  const words = 'The session is not initialized: `initialize` comes first.';
  return new ProtocolError(INVALID_REQUEST, words, 'session');
}

async function initializeSession(server: ServerInstance, session: Session, params: Params): Promise<object> {
  if (session.agreement !== undefined)
    throw new ProtocolError(INVALID_REQUEST, 'The session is initialized already.');
  const agreement = negotiateAgreement(params, session.isAlone);
  // Set before the first `await`, so that a second concurrent request is refused.
  session.agreement = agreement;
  const { features, revision } = agreement;
  const { info, instructions, meta } = server;
  return {
    protocolVersion: revision,
    capabilities: await makeCapabilitiesForRevision(server, features),
    serverInfo: withoutMembers(info, features.unknownMembers.implementation),
    instructions,
    _meta: meta,
  };
}

function negotiateAgreement(params: Params, isAlone: boolean): Agreement {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') throw invalidParamsError('`protocolVersion` must be a string.');
  if (!isRecord(capabilities)) throw invalidParamsError('`capabilities` must be an object.');
  if (!isImplementation(clientInfo))
    throw invalidParamsError('`clientInfo` must be an object with a `name` and a `version`.');
  const revision = isLegacyRevision(protocolVersion) ? protocolVersion : NEWEST_LEGACY_REVISION;
  return {
    revision,
    features: featuresOf(revision, isAlone),
    clientInfo,
    clientCapabilities: capabilities as JsonObject,
  };
}

export function isImplementation(value: unknown): value is Implementation {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

/** Modules that a first list doesn't need load later. The revision's features say which methods it has. */
interface MethodEntry {
  run?: Method;
  load?: () => Promise<Method>;
  capability?: Capability;
  /** Counts against the rate limit. Default false. */
  limited?: boolean;
}

const METHODS: ReadonlyMap<string, MethodEntry> = new Map<string, MethodEntry>([
  ['ping', { run: async () => ({}) }],
  ['tools/list', { ...makeListMethodEntry('tools', 'tools'), run: listTools }],
  ['resources/list', makeListMethodEntry('resources', 'resources')],
  ['resources/templates/list', makeListMethodEntry('resources', 'resourceTemplates')],
  ['prompts/list', makeListMethodEntry('prompts', 'prompts')],
  [
    'tools/call',
    { capability: 'tools', limited: true, load: async () => (await import('./call-tool.ts')).callTool },
  ],
  [
    'resources/read',
    { capability: 'resources', limited: true, load: async () => (await importResources()).readResource },
  ],
  [
    'resources/subscribe',
    { capability: 'subscriptions', load: async () => (await importResources()).handleSubscribe },
  ],
  [
    'resources/unsubscribe',
    { capability: 'subscriptions', load: async () => (await importResources()).handleUnsubscribe },
  ],
  ['prompts/get', { capability: 'prompts', load: async () => (await importPrompts()).getPrompt }],
  [
    'completion/complete',
    { capability: 'completions', limited: true, load: async () => (await importPrompts()).completeArgument },
  ],
  [
    'logging/setLevel',
    { capability: 'logging', load: async () => (await import('./call-context.ts')).setLogLevel },
  ],
  ['tasks/get', makeTaskMethodEntry('getTask')],
  ['tasks/result', makeTaskMethodEntry('taskResult')],
  ['tasks/update', makeTaskMethodEntry('updateTask')],
  ['tasks/cancel', makeTaskMethodEntry('cancelTask')],
  ['tasks/list', makeTaskMethodEntry('listTasks')],
  ['skills/list', makeSkillMethodEntry('listSkills')],
  ['skills/get', makeSkillMethodEntry('getSkill')],
  ['resources/directory/read', makeSkillMethodEntry('readDirectory')],
  ['server/discover', { load: async () => (await importModern()).handleDiscover }],
  ['subscriptions/listen', { load: async () => (await import('./modern/listen.ts')).handleListen }],
]);

const listAllTools = listMethod('tools');

async function listTools(call: Call): Promise<object> {
  const { surface } = call.server;
  return listAllTools(
    surface === undefined
      ? call
      : { ...call, server: surface.serverForSurface(call.context.channel.surface) },
  );
}

function makeListMethodEntry(capability: Capability, list: ListName): MethodEntry {
  return { capability, limited: true, run: listMethod(list) };
}

function makeTaskMethodEntry(
  name: 'getTask' | 'taskResult' | 'updateTask' | 'cancelTask' | 'listTasks',
): MethodEntry {
  const run: Method = async (call) => {
    const { tasks } = call.server.features;
    if (tasks === undefined) throw new Error('This server was made without tasks.');
    return (await tasks())[name](call);
  };
  return { capability: 'tasks', run };
}

function makeSkillMethodEntry(name: 'listSkills' | 'getSkill' | 'readDirectory'): MethodEntry {
  const run: Method = async (call) => {
    const { skills } = call.server.features;
    if (skills === undefined) throw new Error('This server was made without skills.');
    return (await skills())[name](call);
  };
  return { capability: 'skills', limited: true, run };
}

async function importResources() {
  return import('./resources.ts');
}

async function importPrompts() {
  return import('./prompts.ts');
}

async function importModern() {
  return import('./modern/perform-modern.ts');
}

/**
 * A promise only while something must load or nodes count together: to wait costs a call more than to find.
 * @throws {ProtocolError} `-32601` for a missing method or capability; `-32603` over the rate limit
 */
export function findMethod(
  server: ServerInstance,
  name: string,
  features: RevisionFeatures,
  channel: Channel,
): Method | Promise<Method> {
  const { capabilities, canMatch } = server.cache;
  if (capabilities === undefined)
    return declaredCapabilities(server).then(() => findMethod(server, name, features, channel));
  const entry = features.methods.has(name) ? METHODS.get(name) : undefined;
  if (entry === undefined) throw methodNotFoundError(name, features);
  const { capability, limited, run } = entry;
  if (capability !== undefined && !capabilities.has(capability))
    throw new ProtocolError(METHOD_NOT_FOUND, `This server has no ${capability}.`, 'method');
  const { limiter } = channel;
  const taken = limited !== true || limiter === undefined || limiter.tryTake();
  if (taken === true && run !== undefined && (canMatch === true || !MATCHING.has(name))) return run;
  return loadMethod(server, name, entry, { taken, limiter });
}

async function loadMethod(
  server: ServerInstance,
  name: string,
  entry: MethodEntry,
  { taken, limiter }: { taken: boolean | Promise<boolean>; limiter: Channel['limiter'] },
): Promise<Method> {
  if (!(await taken)) throw limitReachedError('Too many calls.', limiter?.waitSeconds ?? 1);
  // Matchers are synchronous, so their features load first.
  if (server.cache.canMatch !== true && MATCHING.has(name)) {
    await server.features.patterns?.();
    await server.features.alternatives?.();
    await server.features.uriTemplates?.();
    server.cache.canMatch = true;
  }
  const run = entry.run ?? (await entry.load?.());
  if (run === undefined) throw new Error(`Nothing answers the method ${name}.`);
  return (entry.run = run);
}

function methodNotFoundError(name: string, { pushes }: RevisionFeatures): ProtocolError {
  const words =
    !pushes && METHODS.has(name)
      ? `${name} needs a session, and this server has none (--stateless).`
      : `Unknown method: ${name}`;
  return new ProtocolError(METHOD_NOT_FOUND, words, 'method');
}

const MATCHING = new Set([
  'tools/call',
  'resources/read',
  'resources/subscribe',
  'prompts/get',
  'completion/complete',
]);
