// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The protocol: a message in, a reply out. Sessions, methods, both eras, and the order of stopping. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Catalog, listMethod } from './catalog.ts';
import { setLogLevel } from './context.ts';
import type {
  BindingWork,
  Call,
  CallGuest,
  Change,
  Feature,
  Listed,
  Method,
  MethodCall,
  PHASES,
  ServerDefinition,
  Services,
} from './feature.ts';
import {
  type Agreement,
  agreeOnLegacy,
  agreeOnModern,
  fitImplementation,
  hasBatches,
  hasCompletionsCapability,
  type Id,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  invalidParams,
  isId,
  isModernRequest,
  isRecord,
  limitReached,
  LONGEST_NAME,
  LONGEST_URI,
  type Message,
  META,
  METHOD_NOT_FOUND,
  MODERN_REVISIONS,
  type Notification,
  type Params,
  PARSE_ERROR,
  parseJson,
  readMessage,
  type Request,
  RpcError,
  writeJson,
} from './json-rpc.ts';
import { completeArgument, getPrompt } from './prompts.ts';
import { listen, readResource, subscribe, unsubscribe } from './resources.ts';
import { CallLimiter, EventBus, type Exchange, type Session, Work } from './session.ts';
import { type Flags, LIMITS, readCallLimit, readGuards, readSettings, type Settings } from './settings.ts';
import { callTool, cancelledOutcome, describeThrown, failedOutcome } from './tools.ts';
import { type Bindings, type CatalogData, type Env, type Outcome, UsageError } from './types.ts';

/** A message to the client. `error` chooses the status over HTTP. */
export interface Reply {
  text: string;
  error?: RpcError;
}

/** A result that is written already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export interface ServerOptions {
  env: Env;
  flags?: Flags;
  /** Logs a failure of the server or of the person's code. */
  report: (thrown: unknown) => void;
}

export class Server {
  readonly definition: ServerDefinition;
  readonly features: readonly Feature[];
  readonly env: Env;
  readonly flags: Flags;
  readonly catalog: Catalog;
  readonly bindings: Bindings;
  readonly services: Services;
  readonly settings: Settings;
  readonly report: (thrown: unknown) => void;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #aroundRequest: NonNullable<Feature['aroundRequest']>[];
  readonly #aroundCall: CallGuest[];
  readonly #confirm: CallGuest[];
  readonly #subscriptions = new Map<() => void, unknown>();
  #ending: (() => unknown) | undefined;
  isStopping = false;

  /** @throws {UsageError} for settings, features or handlers that can't be used */
  constructor(definition: ServerDefinition, { env, flags = {}, report }: ServerOptions) {
    const { features = [], handlers = {}, generated } = definition;
    const read = (file: string): unknown =>
      JSON.parse(
        generated instanceof URL
          ? readFileSync(new URL(file, generated), 'utf8')
          : (generated[file] ?? 'null'),
      );
    this.definition = definition;
    this.features = features;
    this.env = env;
    this.flags = flags;
    this.report = report;
    this.settings = readSettings(flags, env);
    this.bindings = read('bindings.json') as Bindings;
    this.#refuseMissingFeatures();
    this.catalog = new Catalog(read('catalog.json') as CatalogData, this.bindings, handlers);
    this.catalog.restrict(readGuards(definition, this.catalog.guards, flags, env));
    for (const { catalog } of features) catalog?.select?.(this.catalog, this);
    const limiter = new CallLimiter(readCallLimit(flags, env));
    const bus = new EventBus();
    this.services = Object.assign({ bus, limiter }, ...features.map(({ services }) => services)) as Services;
    this.#methods = new Map(
      [METHODS, ...features.map(({ methods = {} }) => methods)].flatMap((rows) => Object.entries(rows)),
    );
    const guestsOf = (phase: (typeof PHASES)[number]): CallGuest[] =>
      features.flatMap(({ aroundCall }) => aroundCall?.[phase] ?? []);
    this.#aroundRequest = features.flatMap(({ aroundRequest }) => aroundRequest ?? []);
    this.#aroundCall = [
      ...guestsOf('observe'),
      ...guestsOf('admit'),
      ...(handlers.aroundCall === undefined ? [] : [handlers.aroundCall]),
    ];
    this.#confirm = guestsOf('confirm');
  }

  #refuseMissingFeatures(): void {
    const { requires = [], refuses = {} } = this.bindings;
    const names = new Set(this.features.map(({ name }) => name));
    const missing = requires.find((name) => !names.has(name));
    if (missing !== undefined)
      throw new UsageError(
        `src/server.ts lacks the feature ${missing}, which tools of this server need. Run \`npx --no mcpgen generate\`.`,
      );
    for (const [variable, feature] of Object.entries(refuses))
      if (this.env[variable] && this.env[variable] !== '0' && !names.has(feature))
        throw new UsageError(
          `${variable} is set, but this server was generated without ${feature}. Add it: npx --no mcpgen generate --feature ${feature}`,
        );
  }

  /** The feature that does the work of bindings of this kind. */
  workOf(kind: string): BindingWork {
    const work = this.features.find((feature) => Object.hasOwn(feature.work ?? {}, kind))?.work?.[kind];
    if (work === undefined) throw new Error(`No feature of src/server.ts does work of the kind ${kind}.`);
    return work;
  }

  /** Finds an item that no list has. */
  findBeside(kind: Call['kind'], name: string, call: MethodCall): Listed | undefined {
    for (const { catalog } of this.features) {
      const listed = catalog?.find?.(kind, name, call);
      if (listed !== undefined) return listed;
    }
    return undefined;
  }

  // Messages.

  /** Answers a message or batch as it came. */
  async receiveText(text: string, exchange: Exchange): Promise<Reply | undefined> {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      return errorReply(undefined, new RpcError(PARSE_ERROR, 'The message is not JSON.'));
    }
    return Array.isArray(value)
      ? this.receiveBatch(value, exchange)
      : this.receive(readMessage(value), exchange);
  }

  /** Undefined for notifications, replies and cancelled requests. Never rejects. */
  async receive(message: Message, exchange: Exchange): Promise<Reply | undefined> {
    const { session } = exchange;
    switch (message.kind) {
      case 'request':
        return this.#answer(message, exchange);
      case 'response':
        if (message.id !== undefined) session.receiveReply(message.id, message.reply);
        return undefined;
      case 'invalid':
        return errorReply(message.id, new RpcError(INVALID_REQUEST, message.reason));
      case 'notification':
        if (message.method === 'notifications/initialized' && session.agreement !== undefined)
          this.#makeReady(session);
        if (message.method === 'notifications/cancelled' && isId(message.params['requestId'])) {
          const { requestId, reason } = message.params as { requestId: Id; reason?: unknown };
          session.inFlight
            .get(requestId)
            ?.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
        }
        return undefined;
    }
  }

  async receiveBatch(values: readonly unknown[], exchange: Exchange): Promise<Reply | undefined> {
    const messages = values.map(readMessage);
    const requests = messages.filter((message) => message.kind === 'request');
    const { agreement } = exchange.session;
    const refusal = requests.some(({ method }) => method === 'initialize')
      ? '`initialize` must not be part of a batch.'
      : requests.some((request) => isModernRequest(request))
        ? 'A request of the modern era must not be part of a batch.'
        : agreement === undefined || !hasBatches(agreement.revision)
          ? 'The revision of this session has no batches.'
          : values.length === 0
            ? 'The batch is empty.'
            : values.length > LIMITS.batchMessages
              ? `A batch holds at most ${LIMITS.batchMessages} messages.`
              : undefined;
    if (refusal !== undefined) return errorReply(undefined, new RpcError(INVALID_REQUEST, refusal));
    const replies = await Promise.all(messages.map((message) => this.receive(message, exchange)));
    const texts = replies.flatMap((reply) => reply?.text ?? []);
    return texts.length === 0 ? undefined : { text: `[${texts.join(',')}]` };
  }

  #answer(request: Request, exchange: Exchange): Promise<Reply | undefined> {
    const { id, method, params } = request;
    const { inFlight } = exchange.session;
    const refusal = inFlight.has(id)
      ? new RpcError(INVALID_REQUEST, `A request with the id ${writeJson(id)} is at work.`, { status: 200 })
      : inFlight.size >= LIMITS.requestsInFlight
        ? limitReached(`${LIMITS.requestsInFlight} requests are at work already.`, 1)
        : findLongText(params);
    if (refusal !== undefined) return Promise.resolve(errorReply(id, refusal));
    const work = new Work();
    inFlight.set(id, work);
    return new Promise((resolve) => {
      // A handler may ignore the cancellation. The client doesn't wait, but the request counts until its handler ends.
      // `initialize` must not be cancelled (MCP, "Cancellation").
      if (method !== 'initialize') work.onCancel(() => resolve(undefined));
      void this.#perform(request, exchange, work)
        .then((result) => resultReply(id, method, result))
        .catch((thrown: unknown) => this.#errorReply(id, thrown))
        .then((reply) => {
          work.isDone = true;
          inFlight.delete(id);
          resolve(work.reason === undefined || method === 'initialize' ? reply : undefined);
        });
    });
  }

  async #perform(request: Request, exchange: Exchange, work: Work): Promise<object> {
    const { id, method, params } = request;
    const { session } = exchange;
    const isModern = isModernRequest(request, exchange.headerVersion);
    if (method === 'initialize' && !isModern) return this.#initialize(session, params);
    const agreement = isModern ? agreeOnModern(request, exchange.compareHeaders) : session.agreement;
    if (agreement === undefined) {
      if (method === 'ping') return {};
      throw new RpcError(INVALID_REQUEST, 'The session is not initialized: `initialize` comes first.');
    }
    const row = this.#findMethod(method, agreement);
    if (row.isLimited === true) {
      const seconds = await this.services.limiter.take(session.client);
      if (seconds > 0) throw limitReached('Too many calls.', seconds);
    }
    const call: MethodCall = { server: this, session, exchange, agreement, id, method, params, work };
    let next = async (changed: MethodCall): Promise<object> => {
      if (isModern && changed.params['requestState'] !== undefined)
        throw invalidParams('`requestState` is not of this request: send the request again without it.');
      return row.run(changed);
    };
    for (const guest of this.#aroundRequest.toReversed()) {
      const rest = next;
      next = (changed) => guest(changed, rest);
    }
    const result = await next(call);
    return isModern ? this.#addEnvelope(result, method) : result;
  }

  #findMethod(name: string, agreement: Agreement): Method {
    const row = this.#methods.get(name);
    if (row === undefined || (row.era ?? agreement.era) !== agreement.era)
      throw new RpcError(METHOD_NOT_FOUND, `Unknown method: ${name}`);
    const { capability } = row;
    // 2024-11-05 has completions, and no capability of that name.
    const isServed = (name: string): boolean =>
      name === 'completions'
        ? this.catalog.hasCompletions
        : Object.hasOwn(this.capabilities(agreement), name);
    if (capability !== undefined && !isServed(capability))
      throw new RpcError(METHOD_NOT_FOUND, `This server has no ${capability}.`);
    return row;
  }

  methodRow(name: string): Method | undefined {
    return this.#methods.get(name);
  }

  #errorReply(id: Id, thrown: unknown): Reply {
    if (!(thrown instanceof RpcError)) this.report(thrown);
    return errorReply(
      id,
      thrown instanceof RpcError ? thrown : new RpcError(INTERNAL_ERROR, 'Internal error.'),
    );
  }

  // Sessions.

  #initialize(session: Session, params: Request['params']): object {
    if (session.agreement !== undefined)
      throw new RpcError(INVALID_REQUEST, 'The session is initialized already.', { status: 200 });
    const agreement = agreeOnLegacy(params);
    session.agreement = agreement;
    const { info, instructions, meta } = this.definition;
    return {
      protocolVersion: agreement.revision,
      capabilities: this.capabilities(agreement),
      serverInfo: fitImplementation(info, agreement.revision),
      instructions,
      _meta: meta,
    };
  }

  #makeReady(session: Session): void {
    if (session.isReady) return;
    session.isReady = true;
    const forget = this.services.bus.subscribe((change) => {
      if (change.kind === 'list' || session.subscriptions.has(change.uri))
        session.push(changeNotification(change));
    });
    session.onEnd(forget);
  }

  /** What the server declares to a client. A list that is empty at the start is not declared. */
  capabilities(agreement: Agreement): Record<string, unknown> {
    const { lists, hasCompletions } = this.catalog;
    const tellsChanges = this.definition.handlers?.started !== undefined;
    const listChanged = tellsChanges ? { listChanged: true } : {};
    return {
      ...(lists.has('tools') && { tools: listChanged }),
      ...((lists.has('resources') || lists.has('resourceTemplates')) && {
        resources: { ...(tellsChanges && { subscribe: true }), ...listChanged },
      }),
      ...(lists.has('prompts') && { prompts: listChanged }),
      ...(hasCompletions && hasCompletionsCapability(agreement.revision) && { completions: {} }),
      logging: {},
      ...Object.assign({}, ...this.features.map(({ capabilities }) => capabilities?.(this, agreement))),
    };
  }

  // 2026-07-28.

  discover(agreement: Agreement): object {
    const { instructions, meta } = this.definition;
    return {
      supportedVersions: [...MODERN_REVISIONS],
      capabilities: this.capabilities(agreement),
      instructions,
      _meta: meta,
    };
  }

  /** Adds the type of the result, the server's name, and how long a client may keep it ("Caching"). */
  #addEnvelope(result: object, method: string): object {
    const serverInfo = { [`${META}serverInfo`]: this.definition.info };
    const isList = method === 'server/discover' || method.endsWith('/list');
    const caching = isList
      ? { ttlMs: LIMITS.listTtlMs, cacheScope: 'public' }
      : method === 'resources/read' && { ttlMs: 0, cacheScope: 'private' };
    if (result instanceof JsonText) {
      const head = JSON.stringify({ resultType: 'complete', ...caching, _meta: serverInfo });
      return new JsonText(`${head.slice(0, -1)},${result.text.slice(1)}`);
    }
    const { resultType = 'complete', _meta: meta, ...rest } = result as Record<string, unknown>;
    return {
      resultType,
      ...(resultType === 'complete' && caching),
      ...rest,
      _meta: { ...(meta as object | undefined), ...serverInfo },
    };
  }

  /** Waits until the client cancels, or the server stops. @throws {RpcError} if too many wait */
  async untilUnsubscribed({ work, session }: MethodCall): Promise<void> {
    const own = [...this.#subscriptions.values()].filter((client) => client === session.client);
    if (this.#subscriptions.size >= LIMITS.subscriptions || own.length >= LIMITS.subscriptionsPerClient)
      throw limitReached('Too many subscriptions are open.', 60);
    if (this.isStopping) return;
    await new Promise<void>((resolve) => {
      this.#subscriptions.set(resolve, session.client);
      work.onCancel(() => {
        this.#subscriptions.delete(resolve);
        resolve();
      });
    });
  }

  // Calls.

  /** Runs those who observe and admit, then the person's own code, around a call. */
  around(call: Call, inner: () => Promise<Outcome>): Promise<Outcome> {
    return runGuests(this.#aroundCall, call, () => inner().catch(failedOutcome));
  }

  /** Runs those who confirm around the work of a call. Its arguments are checked, and no longer change. */
  confirm(call: Call, inner: () => Promise<Outcome>): Promise<Outcome> {
    return runGuests(this.#confirm, call, inner);
  }

  // Start and end.

  get transportNames(): string[] {
    return ['stdio', ...this.features.flatMap(({ transports = {} }) => Object.keys(transports))];
  }

  /** What holds for callers, in one line. */
  describe(): string {
    const admitting = this.features.find(({ admit }) => admit !== undefined);
    const isHttp = this.flags['transport'] === 'http';
    const words = this.features.flatMap((feature) => feature.startLine?.(this) ?? []);
    return [
      `callers: ${isHttp && admitting !== undefined ? admitting.name : 'anyone'}`,
      `read-only: ${this.catalog.isReadOnly ? 'on' : 'off'}`,
      `confirm: ${this.#confirm.length > 0 ? 'on' : 'off'}`,
      ...words,
    ].join(' · ');
  }

  /** Starts features, then the person's code. @throws {Error} with the place of the failure */
  async start(): Promise<void> {
    for (const feature of this.features) await feature.start?.(this, this.flags, this.env);
    const ending = await this.definition.handlers?.started?.(this.catalog.handle(this.services.bus));
    if (typeof ending === 'function') this.#ending = ending;
  }

  /** Refuses new subscriptions, and ends those that wait. Transports then finish what is in flight. */
  beginStopping(): void {
    this.isStopping = true;
    for (const end of this.#subscriptions.keys()) end();
    this.#subscriptions.clear();
  }

  /** Ends the person's code, then the features in reverse, observers last. Each has a few seconds. */
  async close(): Promise<void> {
    const observers = this.features.filter(({ aroundCall }) => aroundCall?.observe !== undefined);
    const others = this.features.filter((feature) => !observers.includes(feature));
    const endings = [...others.toReversed(), ...observers.toReversed()].map(({ stop }) => stop);
    for (const ending of [this.#ending, ...endings]) {
      const done = Promise.resolve()
        .then(ending)
        .catch((thrown: unknown) => this.report(thrown));
      await Promise.race([done, sleep(LIMITS.closeMs, undefined, { ref: false })]);
    }
  }
}

const METHODS: Record<string, Method> = {
  ping: { run: () => ({}), era: 'legacy' },
  'server/discover': { run: ({ server, agreement }) => server.discover(agreement), era: 'modern' },
  'tools/list': { run: listMethod('tools'), capability: 'tools', isLimited: true },
  'tools/call': { run: callTool, capability: 'tools', isLimited: true, nameParam: 'name' },
  'resources/list': { run: listMethod('resources'), capability: 'resources', isLimited: true },
  'resources/templates/list': {
    run: listMethod('resourceTemplates'),
    capability: 'resources',
    isLimited: true,
  },
  'resources/read': { run: readResource, capability: 'resources', isLimited: true, nameParam: 'uri' },
  'resources/subscribe': { run: subscribe, capability: 'resources', era: 'legacy' },
  'resources/unsubscribe': { run: unsubscribe, capability: 'resources', era: 'legacy' },
  'subscriptions/listen': { run: listen, era: 'modern' },
  'prompts/list': { run: listMethod('prompts'), capability: 'prompts', isLimited: true },
  'prompts/get': { run: getPrompt, capability: 'prompts', nameParam: 'name' },
  'completion/complete': { run: completeArgument, capability: 'completions', isLimited: true },
  'logging/setLevel': { run: setLogLevel, era: 'legacy' },
};

export function errorReply(id: Id | undefined, error: RpcError): Reply {
  const { message } = error;
  // The person's own code may throw anything: a code is an integer (JSON-RPC 2.0, section 5.1), and data is JSON.
  const code = Number.isInteger(error.code) ? error.code : INTERNAL_ERROR;
  const data = isJson(error.data) ? error.data : undefined;
  const written = writeJson({ code, message, ...(data !== undefined && { data }) });
  return {
    text: `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${writeJson(id)},`}"error":${written}}`,
    error,
  };
}

function isJson(value: unknown): boolean {
  try {
    return writeJson(value) !== undefined;
  } catch {
    return false;
  }
}

/** Writes the result here, where one that JSON can't hold is still refused. @throws {Error} */
function resultReply(id: Id, method: string, result: object): Reply {
  let text: string | undefined;
  try {
    text = result instanceof JsonText ? result.text : writeJson(result);
  } catch (cause) {
    throw new Error(`The answer to ${method} can't be written as JSON: ${describeThrown(cause)}`, { cause });
  }
  // `toJSON` may return any value, or undefined.
  if (text?.startsWith('{') !== true) throw new Error(`The answer to ${method} is no JSON object.`);
  return { text: `{"jsonrpc":"2.0","id":${writeJson(id)},"result":${text}}` };
}

export function changeNotification(change: Change): Notification {
  return change.kind === 'list'
    ? { jsonrpc: '2.0', method: `notifications/${change.list}/list_changed` }
    : { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: change.uri } };
}

/** Texts that methods look up, match or compare. */
const SEARCHED = new Set(['name', 'value', 'cursor', 'level', 'uri', 'protocolVersion']);

function findLongText(params: Params): RpcError | undefined {
  for (const holder of [params, params['ref'], params['argument']]) {
    if (!isRecord(holder)) continue;
    for (const name in holder) {
      const text = holder[name];
      if (typeof text !== 'string' || text.length <= LONGEST_NAME || !SEARCHED.has(name)) continue;
      const most = name === 'uri' ? LONGEST_URI : LONGEST_NAME;
      if (text.length > most) return invalidParams(`\`${name}\` may have ${most} characters at most.`);
    }
  }
  return undefined;
}

/** Each guest gets the rest of the chain. Whatever throws becomes an outcome, and a cancelled call ends at once. */
function runGuests(
  guests: readonly CallGuest[],
  call: Call,
  inner: () => Promise<Outcome>,
): Promise<Outcome> {
  let next = inner;
  for (const guest of guests.toReversed()) {
    const rest = next;
    next = () => untilCancelled(call, async () => guest(call, rest));
  }
  return next();
}

function untilCancelled({ work }: Call, run: () => Promise<Outcome>): Promise<Outcome> {
  return new Promise((resolve) => {
    const forget = work.onCancel(() => resolve(cancelledOutcome()));
    void run()
      .catch(failedOutcome)
      .then((outcome) => {
        forget();
        resolve(outcome);
      });
  });
}
