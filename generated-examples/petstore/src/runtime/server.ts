// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The protocol: a message in, a reply out. Sessions, methods, both eras, and the order of stopping. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Catalog, listItems, type ListName, LISTS } from './catalog.ts';
import type { BindingWork, Call, CallGuest, Ending, Feature, Listed } from './feature.ts';
import type { Method, MethodCall, Phase, ServerDefinition, Services } from './feature.ts';
import * as rpc from './json-rpc.ts';
import type { Agreement, Id, Message, Params, Request } from './json-rpc.ts';
import { CallLimiter, EventStream, type Exchange, randomId, type Session, Work } from './session.ts';
import { type Flags, lacksFeature, LIMITS, readCallLimit, readGenerated, readGuards } from './settings.ts';
import { readSettings, type Settings } from './settings.ts';
import { cancelledOutcome, errorResult, failedOutcome } from './results.ts';
import { callTool, setLogLevel } from './tools.ts';
import { type Bindings, type CatalogData, type Env, type Outcome, type Schema } from './types.ts';
import { type StepOptions, ToolError, UsageError } from './types.ts';
import { compileSchema, type Extensions, type Validator } from './validate.ts';

const { INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, RpcError } = rpc;

/** A message to the client. `error` chooses the status over HTTP. */
export interface Reply {
  text: string;
  error?: rpc.RpcError;
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
  readonly methods: ReadonlyMap<string, Method>;
  /** What the model is told before its first call. Features add to it. */
  readonly instructions: string[];
  /** What /readyz says beside its status, by name. Whoever depends on something adds it. */
  readonly health = new Map<string, () => string>();
  /** What is open now, by the name of its metric. Whoever counts something adds it. */
  readonly gauges = new Map<string, () => number>();
  /** Called when the server is to stop, before it finishes what is in flight. */
  readonly onStopping: (() => void)[] = [];
  readonly #observers: readonly NonNullable<Feature['observe']>[];
  /** Around a call: who observes and admits, then the person's own code. */
  readonly #aroundCall: CallGuest[];
  readonly #aroundWork: CallGuest[];
  #aroundRequest: NonNullable<Feature['aroundRequest']>[] | undefined;
  /** /readyz says so while calls are still taken. */
  isDraining = false;
  isStopping = false;

  /** @throws {UsageError} for settings, features or handlers that can't be used */
  constructor(definition: ServerDefinition, { env, flags = {}, report }: ServerOptions) {
    const { features = [], handlers = {} } = definition;
    this.definition = definition;
    this.features = features;
    this.env = env;
    this.flags = flags;
    this.report = report;
    this.settings = readSettings(flags, env);
    this.instructions = [definition.instructions ?? []].flat();
    this.bindings = readGenerated(definition, 'bindings.json') as Bindings;
    this.#refuseMissingFeatures();
    const data = readGenerated(definition, 'catalog.json') as CatalogData;
    this.catalog = new Catalog(data, this.bindings, definition);
    this.catalog.restrict(readGuards(definition, data.guards, flags, env));
    for (const { catalog } of features) catalog?.select?.(this.catalog, this);
    this.catalog.lists = new Set(LISTS.filter((list) => this.catalog[list].size > 0));
    const services: Pick<Services, 'limiter' | 'sessions' | 'streams'> = {
      limiter: new CallLimiter(readCallLimit(flags, env)),
      sessions: { issueId: randomId },
      streams: { make: (_, ...stream) => new EventStream(...stream), resume: () => false },
    };
    this.services = Object.assign(services, ...features.map((feature) => feature.services)) as Services;
    const methods = [METHODS, ...features.map((feature) => feature.methods ?? {})];
    this.methods = new Map(methods.flatMap((rows) => Object.entries(rows)));
    this.#observers = features.flatMap(({ observe }) => observe ?? []);
    const guestsOf = (phase: Phase): CallGuest[] =>
      features.flatMap(({ aroundCall }) => aroundCall?.[phase] ?? []);
    this.#aroundCall = [...guestsOf('observe'), ...guestsOf('admit'), handlers.aroundCall ?? []].flat();
    this.#aroundWork = guestsOf('confirm');
  }

  #refuseMissingFeatures(): void {
    const { requires = [], refuses = {} } = this.bindings;
    const names = new Set(this.features.map(({ name }) => name));
    const missing = requires.find((name) => !names.has(name));
    if (missing !== undefined)
      throw new UsageError(
        `src/server.ts lacks the feature ${missing}, which the server needs. List it in \`features\`, or run \`npx mcpgen generate\`.`,
      );
    for (const [variable, feature] of Object.entries(refuses))
      if (this.env[variable] && this.env[variable] !== '0' && !names.has(feature))
        throw lacksFeature(variable, feature);
  }

  findWork(kind: string): BindingWork | undefined {
    return this.features.flatMap(({ work }) => rpc.ownMember(work, kind) ?? [])[0];
  }

  /** What features bring of this kind, by name. */
  parts<T>(kind: string): Readonly<Record<string, T>> {
    return Object.assign({}, ...this.features.map(({ parts }) => rpc.ownMember(parts, kind))) as Record<
      string,
      T
    >;
  }

  compileSchema(schema: Schema, maxWork?: number): Validator {
    const [makeTest] = Object.values(this.parts<Extensions['makeTest']>('patterns'));
    return compileSchema(schema, { keywords: this.parts('keywords'), makeTest }, maxWork);
  }

  workOf(kind: string): BindingWork {
    const work = this.findWork(kind);
    if (work !== undefined) return work;
    throw new Error(`No feature of src/server.ts does work of the kind ${kind}.`);
  }

  observeRefusal(status: number): void {
    for (const { observeRefusal } of this.features) observeRefusal?.(status);
  }

  findBeside(kind: Call['kind'], name: string, call: MethodCall): Listed | undefined {
    return this.features.flatMap(({ catalog }) => catalog?.find?.(kind, name, call) ?? [])[0];
  }

  // Messages.

  /** A message or a batch. Undefined: it gets no answer. @throws {RpcError} for what can't be forwarded, else never */
  receive(value: unknown, exchange: Exchange): Promise<Reply | undefined> {
    const message = Array.isArray(value) ? undefined : rpc.readMessage(value);
    if (this.isStopping && (message === undefined || message.kind === 'request')) {
      const error = new RpcError(INTERNAL_ERROR, 'The server is stopping.', { status: 503 });
      return Promise.resolve(errorReply(message?.kind === 'request' ? message.id : undefined, error));
    }
    return message === undefined
      ? this.#receiveBatch(value as unknown[], exchange)
      : this.#receiveOne(message, exchange);
  }

  #receiveOne(message: Message, exchange: Exchange): Promise<Reply | undefined> {
    if (message.kind === 'request') return this.#answer(message, exchange);
    if (message.kind !== 'invalid') return this.#takeNote(message, exchange);
    return Promise.resolve(errorReply(message.id, new RpcError(INVALID_REQUEST, message.reason)));
  }

  /** A response or a notification: neither is answered. */
  async #takeNote(
    message: Exclude<Message, { kind: 'request' | 'invalid' }>,
    exchange: Exchange,
  ): Promise<undefined> {
    const { session } = exchange;
    if (message.kind === 'response') {
      const take = message.id === undefined ? undefined : session.replies.get(message.id);
      if (take === undefined) await this.#forward(message, exchange);
      else take(message.reply);
      return;
    }
    const { method, params } = message;
    if (method === 'notifications/initialized' && session.agreement !== undefined) this.makeReady(session);
    if (method === 'notifications/cancelled' && rpc.isId(params['requestId'])) {
      const { requestId, reason } = params;
      const work = session.inFlight.get(requestId as Id);
      if (work === undefined) await this.#forward(message, exchange);
      else work.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
    }
  }

  async #forward(message: Message, exchange: Exchange): Promise<void> {
    for (const { forward } of this.features) await forward?.(message, exchange);
  }

  /** From now on the client may be sent anything. */
  makeReady(session: Session): void {
    if (session.isReady) return;
    session.isReady = true;
    for (const { ready } of this.features) ready?.(session, this);
  }

  /** Only 2025-03-26 has batches. */
  async #receiveBatch(values: readonly unknown[], exchange: Exchange): Promise<Reply | undefined> {
    const { session } = exchange;
    const messages = values.map(rpc.readMessage);
    const standsAlone = (message: Message): boolean =>
      message.kind === 'request' && (message.method === 'initialize' || rpc.isModernRequest(message));
    const isTaken = rpc.hasBatches(session.agreement?.revision ?? '') && !messages.some(standsAlone);
    if (!isTaken || messages.length === 0 || messages.length > LIMITS.batchMessages) {
      const reason = `Only 2025-03-26 has batches, of 1 to ${LIMITS.batchMessages} messages that need its session.`;
      return errorReply(undefined, new RpcError(INVALID_REQUEST, reason));
    }
    // One after the other: a batch of large answers is never held at once.
    const texts: string[] = [];
    let room = LIMITS.writtenBytes - LIMITS.refusalBytes * messages.length;
    for (const message of messages) {
      if (session.hasEnded) break;
      const reply = await this.#receiveOne(message, exchange);
      if (reply === undefined) continue;
      const text = fitMessage(reply.text, room);
      room -= Buffer.byteLength(text);
      texts.push(text);
    }
    return texts.length === 0 ? undefined : { text: `[${texts.join(',')}]` };
  }

  #answer(request: Request, exchange: Exchange): Promise<Reply | undefined> {
    const { id, method } = request;
    const { inFlight } = exchange.session;
    const work = new Work();
    const observers = this.#observers.flatMap((observe) => observe(request, exchange) ?? []);
    const tellEnd = (ending: Ending): void => {
      for (const observer of observers.splice(0)) observer(ending);
    };
    const makeReply = async (): Promise<Reply> => {
      try {
        checkRequest(request, inFlight);
        inFlight.set(id, work);
        const result = await this.#perform(request, exchange, work);
        const text = `{"jsonrpc":"2.0","id":${rpc.writeJson(id)},"result":${rpc.writeJson(result)}}`;
        tellEnd({ result });
        return { text };
      } catch (thrown) {
        if (!(thrown instanceof RpcError)) this.report(thrown);
        const error = thrown instanceof RpcError ? thrown : new RpcError(INTERNAL_ERROR, 'Internal error.');
        tellEnd({ error });
        return errorReply(id, error);
      } finally {
        work.isDone = true;
        if (inFlight.get(id) === work) inFlight.delete(id);
      }
    };
    // `initialize` must not be cancelled (MCP, "Cancellation").
    if (method === 'initialize') return makeReply();
    // A handler may ignore the cancellation. The client doesn't wait, but the request counts until its handler ends.
    return new Promise((resolve) => {
      work.onCancel(() => {
        tellEnd({});
        resolve(undefined);
      });
      void makeReply().then(resolve);
    });
  }

  async #perform(request: Request, exchange: Exchange, work: Work): Promise<object> {
    const { method, params } = request;
    const { session } = exchange;
    const isModern = rpc.isModernRequest(request, exchange.headerVersion);
    if (method === 'initialize' && !isModern) return this.#initialize(session, params);
    const agreement = isModern ? rpc.agreeOnModern(request) : session.agreement;
    if (agreement === undefined) {
      if (method === 'ping') return {};
      throw new RpcError(INVALID_REQUEST, 'The session is not initialized: `initialize` comes first.');
    }
    const row = this.#findMethod(method, agreement);
    if (row.isLimited === true) await this.count(session.client);
    const { id } = request;
    // Spreading the request would take a sixth of a quick call.
    const call: MethodCall = {
      id,
      method,
      params,
      server: this,
      message: request,
      session,
      exchange,
      agreement,
      work,
    };
    // Read with the first request: a feature may set its members when it starts.
    this.#aroundRequest ??= this.features.flatMap(({ aroundRequest }) => aroundRequest ?? []);
    const result = await chain(this.#aroundRequest, async (changed: MethodCall): Promise<object> => {
      if (isModern && changed.params['requestState'] !== undefined)
        throw rpc.invalidParams('`requestState` is not of this request: send the request again without it.');
      return row.run(changed);
    })(call);
    return isModern ? this.#addEnvelope(result, method) : result;
  }

  /** @throws {RpcError} for a call too many */
  async count(client: string): Promise<void> {
    const seconds = await this.services.limiter.take(client);
    if (seconds > 0) throw rpc.limitReached('Too many calls.', seconds);
  }

  #findMethod(name: string, agreement: Agreement): Method {
    const row = this.methods.get(name);
    if (row === undefined || (row.era ?? agreement.era) !== agreement.era)
      throw new RpcError(METHOD_NOT_FOUND, `Unknown method: ${name}`);
    const { capability } = row;
    const isServed =
      capability === undefined ||
      this.catalog.lists.has(capability as ListName) ||
      Object.hasOwn(this.capabilities(agreement), capability);
    if (isServed) return row;
    throw new RpcError(METHOD_NOT_FOUND, `This server has no ${capability}.`);
  }

  // Sessions.

  #initialize(session: Session, params: Params): object {
    if (session.agreement !== undefined)
      throw new RpcError(INVALID_REQUEST, 'The session is initialized already.', { status: 200 });
    const agreement = rpc.agreeOnLegacy(params);
    session.agreement = agreement;
    const serverInfo = rpc.fit('implementation', this.definition.info, agreement.revision);
    return { protocolVersion: agreement.revision, serverInfo, ...this.#describe(agreement) };
  }

  /** What the server declares to a client. A list that is empty at the start is not declared. */
  capabilities(agreement: Agreement): Record<string, unknown> {
    const ofFeatures = this.features.map(({ capabilities }) => capabilities?.(this, agreement) ?? {});
    const extensions = ofFeatures.flatMap((member) => ('extensions' in member ? [member.extensions] : []));
    return {
      ...(this.catalog.lists.has('tools') && { tools: {} }),
      logging: {},
      ...Object.assign({}, ...ofFeatures),
      ...(extensions.length > 0 && { extensions: Object.assign({}, ...extensions) as object }),
    };
  }

  // 2026-07-28.

  discover(agreement: Agreement): object {
    return { supportedVersions: rpc.MODERN_REVISIONS, ...this.#describe(agreement) };
  }

  #describe(agreement: Agreement): object {
    const instructions = this.instructions.join('\n\n') || undefined;
    return { capabilities: this.capabilities(agreement), instructions, _meta: this.definition.meta };
  }

  /** Adds the type of the result, the server's name, and how long a client may keep it ("Caching"). */
  #addEnvelope(result: object, method: string): object {
    const serverInfo = { [`${rpc.META}serverInfo`]: this.definition.info };
    const isList = method === 'server/discover' || method.endsWith('/list');
    const caching = isList && { ttlMs: LIMITS.listTtlMs, cacheScope: 'public' };
    const { resultType = 'complete', _meta: meta, ...rest } = result as Record<string, unknown>;
    const _meta = { ...(meta as object | undefined), ...serverInfo };
    return { resultType, ...(resultType === 'complete' && caching), ...rest, _meta };
  }

  // Calls.

  /** Runs what the code of a handler starts, with the guests of steps around it. */
  step<T>(outer: Call, options: StepOptions, run: (call: Call) => Promise<T>): Promise<T> {
    const guests = this.features.flatMap(({ aroundStep }) =>
      aroundStep === undefined ? [] : (call: Call, next: typeof run) => aroundStep(call, options, next),
    );
    return chain(guests, run)(outer);
  }

  /** What was thrown for the model or the client is told; any other error of code is logged, too. */
  fail({ work }: Pick<Call, 'work'>, thrown: unknown): Outcome {
    const isMessage = thrown instanceof ToolError || thrown instanceof RpcError;
    if (!isMessage && work.reason === undefined) this.report(thrown);
    return failedOutcome(thrown);
  }

  /**
   * Runs guests around a call, or around its work, when its arguments are checked and no longer change. Each gets the rest of the chain.
   * Whatever throws becomes an outcome, and a cancelled call ends at once for each.
   */
  async around(
    call: Call,
    inner: () => Outcome | Promise<Outcome>,
    part: 'call' | 'work' = 'call',
  ): Promise<Outcome> {
    const guests = part === 'call' ? this.#aroundCall : this.#aroundWork;
    if (guests.length > 0 || call.work.reason !== undefined) return this.#aroundEach(guests, call, inner);
    try {
      return await inner();
    } catch (thrown) {
      return this.fail(call, thrown);
    }
  }

  async #aroundEach(
    guests: readonly CallGuest[],
    call: Call,
    inner: () => Outcome | Promise<Outcome>,
  ): Promise<Outcome> {
    const { work } = call;
    const settle = (run: () => Outcome | Promise<Outcome>): Promise<Outcome> =>
      new Promise((resolve) => {
        const forget = work.onCancel(() => resolve(cancelledOutcome()));
        if (work.reason !== undefined) return;
        const outcome = Promise.resolve().then(run);
        void outcome
          .catch((thrown: unknown) => this.fail(call, thrown))
          .then(resolve)
          .finally(forget);
      });
    let innermost: Promise<Outcome> | undefined;
    let next = () => settle(() => (innermost = Promise.resolve().then(inner)));
    for (const guest of guests.toReversed()) {
      const rest = next;
      next = () => settle(async () => (await guest(call, rest)) ?? failedOutcome(FORGOTTEN));
    }
    const outcome = await next();
    // A handler that ignores the cancellation counts until it ends.
    if (work.reason !== undefined) await innermost?.catch(() => undefined);
    return outcome;
  }

  // Start and end.

  /** The line of the start: what protects the server comes first. */
  describe(): string {
    const admitting = this.features.find(({ admit }) => admit !== undefined);
    const isAdmitted = this.flags['transport'] === 'http' && admitting !== undefined;
    const parts = this.features.flatMap((feature) => feature.startLine?.(this) || []);
    const confirm = parts.find((part) => part.startsWith('confirm: ')) ?? 'confirm: off';
    const callers = `callers: ${isAdmitted ? admitting.name : 'anyone'}`;
    const readOnly = `read-only: ${this.catalog.isReadOnly ? 'on' : 'off'}`;
    return [...new Set([callers, readOnly, confirm, ...parts])].join(' · ');
  }

  /** @throws {Error} with the place of the failure */
  async start(): Promise<void> {
    for (const feature of this.features) await feature.start?.(this, this.flags, this.env);
  }

  /** Transports then finish what is in flight. */
  beginStopping(): void {
    this.isDraining = this.isStopping = true;
    for (const end of this.onStopping) end();
  }

  /** Ends the features in reverse, observers last. Each has a few seconds. */
  async close(): Promise<void> {
    const isObserver = ({ observe, aroundCall }: Feature): boolean =>
      (observe ?? aroundCall?.observe) !== undefined;
    const reversed = this.features.toReversed();
    const inOrder = [...reversed.filter((feature) => !isObserver(feature)), ...reversed.filter(isObserver)];
    for (const { stop } of inOrder) {
      const done = Promise.resolve().then(stop).catch(this.report);
      await Promise.race([done, sleep(LIMITS.closeMs, undefined, { ref: false })]);
    }
  }
}

const FORGOTTEN = new Error(
  '`aroundCall` returned nothing: it must return what `next()` gives, or another outcome.',
);

/** The first guest is outermost, and each gets the rest. */
function chain<Input, Result>(
  guests: readonly ((input: Input, next: (input: Input) => Result) => Result)[],
  last: (input: Input) => Result,
): (input: Input) => Result {
  return guests.reduceRight<typeof last>((next, guest) => (input) => guest(input, next), last);
}

const METHODS: Readonly<Record<string, Method>> = {
  ping: { run: () => ({}), era: 'legacy' },
  'server/discover': { run: ({ server, agreement }) => server.discover(agreement), era: 'modern' },
  'tools/list': { run: (call) => listItems('tools', call), capability: 'tools', isLimited: true },
  'tools/call': { run: callTool, capability: 'tools', isLimited: true, nameParam: 'name' },
  'logging/setLevel': { run: setLogLevel, era: 'legacy' },
};

export function errorReply(id: Id | undefined, error: rpc.RpcError): Reply {
  const { message, data } = error;
  // The person's own code may throw anything: a code is an integer (JSON-RPC 2.0, section 5.1), and data is JSON.
  const code = Number.isInteger(error.code) ? error.code : INTERNAL_ERROR;
  const head = `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${rpc.writeJson(id)},`}"error":`;
  try {
    return { text: `${head}${rpc.writeJson({ code, message, data })}}`, error };
  } catch {
    return { text: `${head}${JSON.stringify({ code, message })}}`, error };
  }
}

/** A sentence takes the place of a reply that clients would not take. @throws {Error} if it is another message */
export function fitMessage(text: string, limit = LIMITS.writtenBytes): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const message = rpc.parseJson(text);
  const size =
    limit === LIMITS.writtenBytes ? 'it is longer than' : 'the answers to the batch are together longer than';
  const reason = `The answer was left out: ${size} ${LIMITS.writtenBytes} bytes. Ask for less at a time.`;
  // A notification or a question of a handler, which gets the error.
  if (!rpc.isRecord(message) || message['method'] !== undefined) throw new Error(reason);
  const { id, result } = message;
  if (!rpc.isRecord(result) || !Array.isArray(result['content']))
    return errorReply(id as Id, new RpcError(INTERNAL_ERROR, reason)).text;
  const { resultType } = result;
  return rpc.writeJson({ ...message, result: { resultType, ...errorResult(reason) } });
}

/** Texts that methods look up, match or compare. */
const SEARCHED = ['name', 'value', 'cursor', 'level', 'uri', 'taskId', 'protocolVersion'];

/** @throws {RpcError} before its method runs */
function checkRequest({ id, params }: Request, inFlight: ReadonlyMap<Id, Work>): void {
  const reason = `A request with the id ${rpc.writeJson(id)} is in progress.`;
  if (inFlight.has(id)) throw new RpcError(INVALID_REQUEST, reason, { status: 200 });
  if (inFlight.size >= LIMITS.requestsInFlight)
    throw rpc.limitReached(`${LIMITS.requestsInFlight} requests are at work already.`, 1);
  for (const holder of [params, params['ref'], params['argument']])
    for (const name of SEARCHED) {
      const text = rpc.isRecord(holder) ? holder[name] : undefined;
      const limit = name === 'uri' ? rpc.MAX_URI : rpc.MAX_NAME;
      if (typeof text === 'string' && text.length > limit)
        throw rpc.invalidParams(`\`${name}\` may have ${limit} characters at most.`);
    }
}
