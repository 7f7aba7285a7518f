// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Calls functions of the project as handlers of tools, resources and prompts. */
import type { FunctionBinding } from '../contract/bindings.ts';
import type { ListedResourceTemplate } from '../contract/json-schema.ts';
import { isRecord, getOwnMember } from '../contract/json-value.ts';
import { CallContext } from '../core/call-context.ts';
import { isResourceContents } from '../core/handler-result.ts';
import { AskError } from '../core/session.ts';
import type { Context, Ending, FunctionModules, ResourceAnswer, ServerHandle } from '../definition.ts';

import { ProtocolError, ToolError, InvalidArgumentsError, invalidParamsError } from '../protocol/json-rpc.ts';
import { convertTextsBySchema } from '../schema/compile-schema.ts';
import {
  ArgumentChecks,
  type Arguments,
  UndecodableArguments,
  CHECKED,
  PREPARED,
  decodeArguments,
  renameArguments,
  toCallParameters,
} from './decode-arguments.ts';
import {
  drainGenerator,
  runListGenerator,
  makeListedResources,
  makeToolResult,
  resultToJson,
  writeSerializable,
} from './result-content.ts';
import {
  type BoundFunctions,
  type OpenFunctions,
  type TemplateReading,
  toPromptResult,
} from './bound-functions.ts';
import { type Codecs, loadSchemaChecks, asBuffer } from './codecs.ts';

export const openFunctions: OpenFunctions = (modules, { codecs }, report, showsErrors = false) =>
  new Functions(modules, codecs, report, showsErrors);

type CallFunction = (args: Arguments, context: Context) => Promise<unknown>;
type Refuse = (misfits: readonly string[]) => Error;

class Functions implements BoundFunctions {
  readonly #targets: Targets;
  readonly #codecs: Codecs;
  readonly #report: (thrown: unknown) => void;
  readonly #checks: ArgumentChecks;
  readonly #showsErrors: boolean;

  constructor(
    modules: FunctionModules['modules'],
    codecs: Codecs = {},
    report: (thrown: unknown) => void,
    showsErrors: boolean,
  ) {
    this.#codecs = codecs;
    this.#checks = new ArgumentChecks(codecs);
    this.#targets = new Targets(modules, report);
    this.#report = report;
    this.#showsErrors = showsErrors;
  }

  async bindTool(binding: FunctionBinding, name: string): ReturnType<BoundFunctions['bindTool']> {
    const call = await this.#openFunction(binding, name);
    return async (args, context) => {
      const value = await call(args, context);
      try {
        return makeToolResult(value, binding, name, this.#codecs);
      } catch (thrown) {
        throw await this.#toCallerError(thrown, name, context);
      }
    };
  }

  async bindResource(
    binding: FunctionBinding,
    args: Record<string, unknown>,
  ): ReturnType<BoundFunctions['bindResource']> {
    const call = await this.#openFunction(binding, 'The resource', (misfits) =>
      makeUnfitArgumentsError('the resource', misfits),
    );
    return async (uri, _variables, context) => {
      this.#checkArguments(binding, args, uri);
      const value = await call(args, context);
      return this.#runGuarded(() => toResourceAnswer(value, binding, this.#codecs), 'The resource', context);
    };
  }

  async bindPrompt(binding: FunctionBinding, name: string): ReturnType<BoundFunctions['bindPrompt']> {
    const call = await this.#openFunction(binding, name, (misfits) => makeUnfitArgumentsError(name, misfits));
    return async (texts, context) => {
      const args = parseArguments(texts, binding);
      this.#checkArguments(binding, args, name);
      const value = await call(args, context);
      if (value === undefined || value === null)
        throw invalidParamsError(`The prompt ${name} says nothing for these arguments.`);
      return toPromptResult(value);
    };
  }

  async bindCompletion(binding: FunctionBinding): ReturnType<BoundFunctions['bindCompletion']> {
    const { properties, ...call } = binding;
    const target = await this.#targets.findTarget(call);
    return async (typed, others, context) => {
      const args = toCallParameters(call, { typed, others: renameArguments(properties, others) }, context);
      const done = this.#runGuarded(() => target(args, context), 'The completion', context, binding.throws);
      return (await done) as string[];
    };
  }

  async bindPrepare(binding: FunctionBinding, name: string): ReturnType<BoundFunctions['bindPrepare']> {
    const call = await this.#openFunction(binding, name);
    return async (args, context) => {
      const prepared = await call(args, context);
      return { ...args, [PREPARED]: isRecord(prepared) ? prepared : {} };
    };
  }

  async bindLister(
    binding: FunctionBinding,
    template: ListedResourceTemplate,
    { argumentsOf, by }: TemplateReading,
  ): ReturnType<BoundFunctions['bindLister']> {
    const call = await this.#openFunction(binding, 'The list');
    const findMisfits = (uri: string): string[] | undefined => {
      const args = argumentsOf(uri);
      return args && (by === undefined ? [] : this.#checks.findMisfits(by, args));
    };
    return async (context) =>
      makeListedResources(await call({}, context), template, findMisfits, this.#report);
  }

  async runStartFunction(
    binding: FunctionBinding,
    server: ServerHandle,
  ): ReturnType<BoundFunctions['runStartFunction']> {
    const target = await this.#targets.findTarget(binding);
    const end = await target(
      binding.parameters === 'object' ? [] : binding.parameters.map(() => server),
      undefined,
    );
    return typeof end === 'function' ? (end as Ending) : undefined;
  }

  async close(waits = false): Promise<void> {
    return this.#targets.close(waits);
  }

  async #openFunction(
    binding: FunctionBinding,
    name: string,
    refuse: Refuse = (misfits) => new InvalidArgumentsError(name, misfits),
  ): Promise<CallFunction> {
    const target = await this.#targets.findTarget(binding).catch((thrown: unknown): Target => {
      if (binding.method === undefined) throw thrown;
      return async () => Promise.reject(thrown as Error); // An instance that was not made fails its calls.
    });
    const { streams = false, checks } = binding;
    const call: CallFunction = async (args, context) => {
      try {
        const list = rethrowUndecodable(() => toCallParameters(binding, args, context, this.#codecs), refuse);
        if (streams === false) return await target(list, context);
        const run = streams === 'items' ? runListGenerator : drainGenerator;
        return await target(list, context, async (made) => run(made as AsyncGenerator<unknown>, context));
      } catch (thrown) {
        throw await this.#toCallerError(thrown, name, context, binding.throws);
      }
    };
    if (checks === undefined) return call;
    const check = await loadSchemaChecks(checks, async (each) => this.#targets.load(each));
    return async (args, context) => {
      const decoded = rethrowUndecodable(() => decodeArguments(binding, args, this.#codecs), refuse);
      const checked = await this.#runGuarded(() => check(decoded), name, context);
      if ('misfits' in checked) throw refuse(checked.misfits);
      return call({ ...args, [CHECKED]: checked }, context);
    };
  }

  async #runGuarded<T>(
    work: () => T,
    name: string,
    context: Context,
    throws?: readonly string[],
  ): Promise<Awaited<T>> {
    try {
      return await work();
    } catch (thrown) {
      throw await this.#toCallerError(thrown, name, context, throws);
    }
  }

  /** Unexpected errors are logged; the client only learns that the call failed. Those of `throws` are for the client. */
  async #toCallerError(thrown: unknown, name: string, context: Context, throws?: readonly string[]) {
    if (thrown instanceof ToolError || thrown instanceof ProtocolError || thrown instanceof AskError)
      return thrown;
    const isMeant = throws !== undefined && isErrorNamed(thrown, throws);
    // Stopping a cancelled call is no fault. The signal is created at its first use, so it is read last.
    if (!isMeant && (!isAbortError(thrown) || !context.signal.aborted))
      this.#report(context instanceof CallContext ? await context.describeFailure(name, thrown) : thrown);
    const told = isMeant || this.#showsErrors ? await messageForCaller(thrown, context) : '';
    const words = isMeant && told !== '' ? told : told && `${name} failed: ${told}`;
    return new ToolError(words || `${name} failed. The log of the server says why.`, { cause: thrown });
  }

  #checkArguments(binding: FunctionBinding, args: Record<string, unknown>, name: string): void {
    const misfits = this.#checks.findSchemaMisfits(binding, args);
    if (misfits.length > 0) throw makeUnfitArgumentsError(name, misfits);
  }
}

function rethrowUndecodable<T>(work: () => T, refuse: Refuse): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof UndecodableArguments)) throw thrown;
    throw refuse(thrown.misfits);
  }
}

/** A prompt or a resource refuses arguments by a protocol error, a tool by its result. */
function makeUnfitArgumentsError(of: string, misfits: readonly string[]): ProtocolError {
  const lines = misfits.map((each) => `- ${each}`);
  return invalidParamsError([`The arguments of ${of} do not fit:`, ...lines].join('\n'));
}

/** By name, since a package may be loaded twice; also of a class that the error's own extends. */
function isErrorNamed(thrown: unknown, names: readonly string[]): boolean {
  if (!(thrown instanceof Error)) return false;
  const own = [thrown.name];
  for (let each: unknown = Object.getPrototypeOf(thrown); isRecord(each); each = Object.getPrototypeOf(each))
    own.push(each.constructor.name);
  return own.some((name) => names.includes(name));
}

/** Messages of packages may hold addresses with credentials. */
async function messageForCaller(thrown: unknown, context: Context): Promise<string> {
  const message = thrown instanceof Error ? thrown.message : typeof thrown === 'string' ? thrown : '';
  return context instanceof CallContext ? context.redactMessage(message) : message;
}

function isAbortError(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}

function parseArguments(texts: Record<string, string>, { input }: FunctionBinding): Record<string, unknown> {
  const { properties = {} } = input ?? {};
  const entries = Object.entries(texts).map(([name, text]) => [
    name,
    convertTextsBySchema(text, getOwnMember(properties, name)),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** `undefined` and `null` mean that there is no such resource. */
function toResourceAnswer(
  value: unknown,
  { result: { as = 'content', codec } = {} }: FunctionBinding,
  codecs: Codecs,
): ResourceAnswer {
  if (value === undefined || value === null) return undefined;
  if (as === 'json') return writeSerializable(resultToJson(value, codec, codecs));
  if (typeof value === 'string') return value;
  const bytes = asBuffer(value);
  if (bytes !== undefined) return bytes;
  if (isResourceContents(value)) return value;
  if (Array.isArray(value) && value.every(isResourceContents)) return value;
  return writeSerializable(resultToJson(value, codec ?? { kind: 'any' }, codecs));
}

/** Without a context, instances belong to the process. `finish` does what is left of the call, such as reading a generator. */
export type Target = (
  args: unknown[],
  context: Context | undefined,
  finish?: (returned: unknown) => unknown,
) => unknown;

type Callable = (...args: unknown[]) => unknown;

/** Makes instances of classes at the first call that needs one, and keeps them. */
export class Targets {
  readonly #modules: FunctionModules['modules'];
  readonly #report: (thrown: unknown) => void;
  /** Instances by class and owner: a session, or these targets, which stand for the process. */
  #instances = new WeakMap<object, WeakMap<object, Owned>>();
  #isReplaced = false;
  readonly #kept = new Set<Owned>();

  constructor(modules: FunctionModules['modules'], report: (thrown: unknown) => void) {
    this.#modules = modules;
    this.#report = report;
  }

  async load({ module, export: name }: Pick<FunctionBinding, 'module' | 'export'>): Promise<unknown> {
    const load = getOwnMember(this.#modules, module);
    if (load === undefined) throw new Error(`There is no module ${module}.`);
    const exports = await load();
    // Node finds not all names of a CommonJS module.
    const { default: whole } = exports as { default?: unknown };
    return Reflect.get(name in exports || !isRecord(whole) ? exports : whole, name);
  }

  /** @throws {Error} if the module or the function is missing, because it changed since it was compiled */
  async findTarget(binding: FunctionBinding): Promise<Target> {
    const { module, export: name, method, instance } = binding;
    const found = await this.load(binding);
    if (method !== undefined && instance === undefined && isRecord(found))
      return (args, _context, finish = returnUnchanged) => finish(callMethod(found, method, args));
    if (!isCallable(found)) throw new Error(`The module ${module} exports no function or class ${name}.`);
    if (method === undefined) return (args, _context, finish = returnUnchanged) => finish(found(...args));
    if (instance === undefined)
      return (args, _context, finish = returnUnchanged) => finish(callMethod(found, method, args));
    return async (args, context, finish = returnUnchanged) =>
      this.#getInstance(found, instance, context).useInstance((value) =>
        finish(callMethod(value, method, args)),
      );
  }

  /** Disposes of the instances that are left: also of those whose calls never return, unless it waits. */
  async close(waits: boolean): Promise<void> {
    this.#isReplaced = waits;
    // Calls of replaced code may still begin, inside others: each has an instance of its own.
    if (waits) this.#instances = new WeakMap();
    await Promise.all([...this.#kept].map(async (each) => (waits ? each.end() : each.dispose())));
  }

  #getInstance(type: Callable, instance: 'process' | 'session', context: Context | undefined): Owned {
    const session = instance === 'session' && context instanceof CallContext ? context.owner : undefined;
    const owned = this.#instances.get(type) ?? new WeakMap<object, Owned>();
    this.#instances.set(type, owned);
    const known = owned.get(session ?? this);
    if (known !== undefined) return known;
    const made = new Owned(
      Reflect.construct(type, []) as object,
      () => this.#kept.delete(made),
      this.#report,
    );
    this.#kept.add(made);
    if (this.#isReplaced) {
      void made.end();
      return made;
    }
    owned.set(session ?? this, made);
    session?.whenEnded(() => {
      owned.delete(session);
      void made.end();
    });
    return made;
  }
}

/** An instance that the server made. It is disposed of when its owner has ended and its calls have returned. */
class Owned {
  readonly #value: object;
  readonly #forget: () => void;
  readonly #report: (thrown: unknown) => void;
  readonly #running = new Set<Promise<unknown>>();
  #disposal: Promise<void> | undefined;

  constructor(value: object, forget: () => void, report: (thrown: unknown) => void) {
    this.#value = value;
    this.#forget = forget;
    this.#report = report;
  }

  async useInstance(work: (value: object) => unknown): Promise<unknown> {
    const run = (async () => work(this.#value))();
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  async end(): Promise<void> {
    await Promise.resolve(); // The call that makes it for an ended session is still to begin.
    await Promise.allSettled(this.#running);
    await this.dispose();
  }

  async dispose(): Promise<void> {
    return (this.#disposal ??= this.#disposeValue());
  }

  async #disposeValue(): Promise<void> {
    try {
      const value = this.#value;
      const dispose: unknown = Reflect.get(value, Symbol.asyncDispose) ?? Reflect.get(value, Symbol.dispose);
      if (isCallable(dispose)) await Reflect.apply(dispose, value, []);
    } catch (thrown) {
      this.#report(thrown);
    }
    this.#forget();
  }
}

function returnUnchanged(returned: unknown): unknown {
  return returned;
}

function callMethod(target: object, method: string, args: unknown[]): unknown {
  const found: unknown = Reflect.get(target, method);
  if (!isCallable(found)) throw new Error(`There is no method ${method}.`);
  return Reflect.apply(found, target, args);
}

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}
