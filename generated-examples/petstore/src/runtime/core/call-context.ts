// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The context of a handler: caller, progress, logs, questions to the client. Also `logging/setLevel`, and hooks. */
import { LOG_LEVELS, missingFeatureText } from '../contract/feature.ts';
import { omitUndefined, isRecord, readJson, writeJson } from '../contract/json-value.ts';
import type { AuthInfo, CallOnce, ClientView, Context, LogLevel } from '../definition.ts';
import type { Meta } from './handler-result.ts';
import {
  type OutgoingNotification,
  ToolError,
  invalidParamsError,
  isRequestId,
} from '../protocol/json-rpc.ts';
import { META } from '../protocol/revisions.ts';
import { type Call, InFlightRequest, type Method, describeThrown, runMethodForCaller } from './call.ts';
import { AskError, type Channel, type ClientRequester } from './session.ts';
import { RateLimiter } from './shared-state.ts';

/** `questions.ts` has the types of the arguments, in a project with the feature ask. */
type Asking = (...asked: never[]) => Promise<never>;

export class CallContext implements Context {
  readonly #call: Call;
  #reached = -Infinity;
  #progress: RateLimiter | undefined;
  #logs: RateLimiter | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.inFlight.signal;
  }

  get client(): ClientView {
    const { clientInfo, clientCapabilities, revision } = this.#call.agreement;
    return { capabilities: clientCapabilities, revision, ...omitUndefined({ info: clientInfo }) };
  }

  get auth(): AuthInfo | undefined {
    return this.#call.context.caller?.auth;
  }

  /** All calls of a session get the same object; in the modern era, all of a channel. */
  get owner(): Channel {
    const { session, context } = this.#call;
    return session ?? context.channel;
  }

  /** Describes a failure for the log. The module loads late, since calls rarely fail. */
  async describeFailure(name: string, thrown: unknown): Promise<string> {
    const { describeError } = await import('../redact.ts');
    const redact = await this.#createRedactor();
    return redact(`${name} failed (request ${writeJson(this.#call.id)}): ${describeError(thrown, redact)}`);
  }

  async redactMessage(message: string): Promise<string> {
    return (await this.#createRedactor())(message);
  }

  async #createRedactor(): Promise<(text: string) => string> {
    const { server, context } = this.#call;
    const { listSecrets, createRedactor: redactor } = await import('../redact.ts');
    const redact = redactor(listSecrets(server.env, await server.bindings()));
    return (text) => context.caller?.withoutToken?.(redact(text)) ?? redact(text);
  }

  get meta(): Meta | undefined {
    const { _meta: meta } = this.#call.params;
    return isRecord(meta) ? (meta as Meta) : undefined;
  }

  // Closures, so that a handler may destructure its context; getters, since most calls use none.
  get log(): Context['log'] {
    return async (level, data, logger) => {
      const { server } = this.#call;
      const least = minimumLogLevel(this.#call);
      if (least === undefined || !isSevereEnough(level, least)) return;
      this.#logs ??= createPerSecondLimiter(server.limits.logsPerSecond);
      if (!this.#logs.tryTake()) return;
      const params = { level, ...omitUndefined({ logger }), data: hasNoJson(data) ? null : data };
      await this.#sendUnlessOver({ jsonrpc: '2.0', method: 'notifications/message', params });
    };
  }

  get progress(): Context['progress'] {
    return async (done, total, message) => {
      const { agreement, session, server } = this.#call;
      const token = this.meta?.['progressToken'];
      const isReady = session === undefined || session.ready;
      // `done` must be a number that JSON has: no NaN, no infinity.
      if (!isRequestId(token) || !isReady || !Number.isFinite(done) || done <= this.#reached) return;
      this.#progress ??= createPerSecondLimiter(server.limits.progressPerSecond);
      if (!this.#progress.tryTake()) return;
      this.#reached = done;
      const params = omitUndefined({
        progressToken: token,
        progress: done,
        total: Number.isFinite(total) ? total : undefined,
        message: agreement.features.progressMessage ? message : undefined,
      });
      await this.#sendUnlessOver({ jsonrpc: '2.0', method: 'notifications/progress', params });
    };
  }

  get elicit(): Asking {
    return this.#createAskFunction('elicitForm', 2);
  }

  get elicitUrl(): Asking {
    return this.#createAskFunction('elicitUrl', 2);
  }

  get sample(): Asking {
    return this.#createAskFunction('sample', 1);
  }

  get roots(): Asking {
    return this.#createAskFunction('listRoots', 0);
  }

  get remember(): Context['remember'] {
    return async (key, work) => knownRequester(this.#call)?.remember(key, work) ?? work();
  }

  get call(): Context['call'] {
    return async (tool, args, options) =>
      (await import('./call-tool.ts')).callNamedTool(this.#call, tool, args, options);
  }

  get api(): Context['api'] {
    const sources: unknown = createMembersProxy((source) =>
      createMembersProxy((operationId) => async (args: object = {}, options: CallOnce = {}) => {
        const { server } = this.#call;
        server.cache.upstream ??= import('./call-tool.ts').then(({ loadUpstream }) => loadUpstream(server));
        const upstream = await server.cache.upstream;
        return upstream.callOperation(this.#call, { source, operationId }, args, options);
      }),
    );
    return sources as Context['api'];
  }

  get closeStream(): Context['closeStream'] {
    return () => {
      if (!this.#isOver) this.#call.context.closeStream?.();
    };
  }

  #createAskFunction(kind: 'elicitForm' | 'elicitUrl' | 'sample' | 'listRoots', optionsAt: number): Asking {
    return async (...asked) => {
      const { ask } = this.#call.server.features;
      if (ask === undefined) throw new AskError(missingFeatureText('ask'));
      const options = asked[optionsAt] ?? {};
      // The order of keys must not depend on what is awaited.
      const known = knownRequester(this.#call)?.open(options);
      const feature = await ask();
      const question = known ?? feature.getClientRequester(this.#call).open(options);
      try {
        return (await feature[kind](this.#call, question, ...asked)) as never;
      } finally {
        question.drop();
      }
    };
  }

  async #sendUnlessOver(message: OutgoingNotification): Promise<void> {
    if (!this.#isOver) await this.#call.context.send(message);
  }

  get #isOver(): boolean {
    return this.#call.inFlight.isOver;
  }
}

/** Deepest nesting of calls between tools, since two that call each other would never end. */
const MOST_DEPTH = 8;

interface Target {
  method: string;
  name: string;
  args: object;
}

/**
 * A call inside a call: signal, credentials and session are inherited, the caller needs the scopes of the target, and
 * a handler that runs again gets the same result.
 * @throws {ToolError} beyond the depth; `ScopeError`
 */
export async function performInnerCall<T extends object>(
  outer: Call,
  { method, name, args }: Target,
  options: CallOnce,
  work: (call: Call, args: Record<string, unknown>) => Promise<T>,
): Promise<T> {
  const { depth = 0, server, agreement, context, inFlight: around } = outer;
  if (depth >= MOST_DEPTH)
    throw new ToolError(`${name} was not called: ${MOST_DEPTH} calls are inside one another already.`);
  const runInnerCall = async (requester?: ClientRequester): Promise<T> => {
    // The tool gets the arguments as a client would send them: without `undefined`, dates as texts.
    const given = readJson(writeJson(args)) as Record<string, unknown>;
    const params = { name, arguments: given, _meta: dropProgressToken(outer.params) };
    const audited = server.audit?.begin({ method, params }, context, server, around.audited?.trace);
    const inFlight = new InFlightRequest(false, audited, around);
    const features = { ...agreement.features, invalidArguments: 'tool-error' as const };
    const call: Call = { ...outer, agreement: { ...agreement, features }, params, inFlight };
    Object.assign(call, { depth: depth + 1, requester });
    const runNestedCall = async (each: Call): Promise<T> => work(each, given);
    try {
      const result =
        context.caller === undefined
          ? await runNestedCall(call)
          : await runMethodForCaller(call, method, runNestedCall);
      audited?.done(result);
      return result as T;
    } catch (thrown) {
      audited?.failed(thrown);
      throw thrown;
    } finally {
      inFlight.end();
    }
  };
  const requester = knownRequester(outer) ?? (await server.features.ask?.())?.getClientRequester(outer);
  return requester === undefined ? runInnerCall() : requester.makeInnerCall(options, runInnerCall);
}

/** Two calls that report under one token would break the rule that progress rises. */
function dropProgressToken({ _meta: meta }: Call['params']): object | undefined {
  if (!isRecord(meta)) return undefined;
  return { ...meta, progressToken: undefined };
}

/** The requester of rounds, tasks and inner calls. Undefined for a call on a session. */
export function knownRequester(call: Call): ClientRequester | undefined {
  return (call.requester ??= call.newRequester?.());
}

/** Any name is a member, since the bindings that know the names load late. A promise would be asked for `then`. */
function createMembersProxy(make: (name: string) => object): object {
  return new Proxy(
    {},
    { get: (_, name) => (typeof name === 'string' && name !== 'then' ? make(name) : undefined) },
  );
}

/** `JSON.stringify` would leave out the member, which is required. */
function hasNoJson(data: unknown): boolean {
  return data === undefined || typeof data === 'function' || typeof data === 'symbol';
}

function createPerSecondLimiter(count: number): RateLimiter {
  return new RateLimiter(count, Date.now, 1_000);
}

export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}

export function isSevereEnough(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}

/** The least severe level that session or modern request wants. Undefined: it wants no logs. */
export function minimumLogLevel({ session, params }: Call): LogLevel | undefined {
  if (session !== undefined) return session.isAlone ? undefined : session.logLevel;
  const { _meta: meta } = params;
  const level = isRecord(meta) ? meta[META.logLevel] : undefined;
  return isLogLevel(level) ? level : undefined;
}

export const setLogLevel: Method = async ({ session, params }) => {
  const { level } = params;
  if (!isLogLevel(level)) throw invalidParamsError(`\`level\` must be one of ${LOG_LEVELS.join(', ')}.`);
  await session?.save?.({ level });
  if (session !== undefined) session.logLevel = level;
  return {};
};

/** A failure of the project's hook, whose message is for the caller. */
export class HookError extends Error {
  override readonly name = 'HookError';
}

export async function runHook<T>(hook: () => T | Promise<T>, wordsOf = describeThrown): Promise<T> {
  try {
    return await hook();
  } catch (thrown) {
    throw new HookError(wordsOf(thrown), { cause: thrown });
  }
}
