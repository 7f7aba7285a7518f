// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The functions of the program's modules, and the instances of classes whose methods they are. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { Session } from '../../session.ts';
import type { FunctionBinding } from './binding.ts';

/** By path below the project's `src/`. */
export type Modules = Readonly<Record<string, () => Promise<object>>>;
type Callable = (...args: unknown[]) => unknown;
type Report = (thrown: unknown) => void;
/** `finish` is part of the call: it reads a generator. */
export type Target = (args: unknown[], finish: (returned: unknown) => unknown) => Promise<unknown>;

function explainLoadFailure(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Newer versions of Node have more modules, such as `node:sqlite`; the stack has nothing of the user's code.
  return (cause as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_BUILTIN_MODULE'
    ? `${cause.message}. This is Node ${process.versions.node}: start the server with a newer one.`
    : (cause.stack ?? cause.message);
}

export class Program {
  readonly #modules: Modules;
  /** Instances by class, then by their owner: a session, or the program for all. */
  readonly #instances = new WeakMap<object, WeakMap<object, Instance>>();
  readonly #kept = new Set<Instance>();

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  /** In their order: what one module sets up, a function of another may need. @throws {Error} that names the module */
  async loadAll(report: Report): Promise<void> {
    // Stacks then name lines of the source, which works for modules that load from now on.
    process.setSourceMapsEnabled(true);
    for (const [name, load] of Object.entries(this.#modules)) {
      const exports = await load().catch((cause: unknown) => {
        throw new Error(`${name} can't be loaded. ${explainLoadFailure(cause)}`, { cause });
      });
      // Calls of an instance that was not made fail by its reason.
      for (const made of Object.values(exports)) if (made instanceof Promise) made.catch(report);
    }
  }

  async load({ module, export: name }: Pick<FunctionBinding, 'module' | 'export'>): Promise<unknown> {
    const exports = await ownMember(this.#modules, module)?.();
    if (exports === undefined) throw new Error(`There is no module ${module}.`);
    // Node does not find all names of a CommonJS module.
    const { default: whole } = exports as { default?: unknown };
    return Reflect.get(name in exports || !isRecord(whole) ? exports : whole, name);
  }

  /** @throws {Error} if the module has changed since it was compiled, and lacks the function */
  async find(binding: FunctionBinding, session: Session | undefined, report: Report): Promise<Target> {
    const { module, export: name, method, instance } = binding;
    const exported = await this.load(binding);
    const isHolder = method !== undefined && instance === undefined && isRecord(exported);
    if (!isHolder && !isCallable(exported))
      throw new Error(`The module ${module} exports no function or class ${name}.`);
    if (method === undefined) return async (args, finish) => finish(await (exported as Callable)(...args));
    if (instance === undefined)
      return async (args, finish) => finish(await callMethod(exported, method, args));
    const owner = instance === 'session' ? session : undefined;
    return async (args, finish) =>
      this.#instanceOf(exported as Callable, owner, report).use(async (value) =>
        finish(await callMethod(value, method, args)),
      );
  }

  #instanceOf(type: Callable, session: Session | undefined, report: Report): Instance {
    const ofType = this.#instances.get(type) ?? new WeakMap<object, Instance>();
    this.#instances.set(type, ofType);
    // A task's session is another object, which shares the requests of its client's.
    const owner = session?.inFlight ?? this;
    const earlier = ofType.get(owner);
    if (earlier !== undefined) return earlier;
    const made = new Instance(Reflect.construct(type, []) as object, report);
    this.#kept.add(made);
    ofType.set(owner, made);
    session?.onEnd(() => {
      ofType.delete(owner);
      void made.end().then(() => this.#kept.delete(made));
    });
    return made;
  }

  /** Disposes of what is left, also below calls that never return. */
  async close(): Promise<void> {
    await Promise.all([...this.#kept].map((instance) => instance.dispose()));
  }
}

/** It is disposed of when its session has ended and its calls have returned. */
class Instance {
  readonly #value: object;
  readonly #report: Report;
  readonly #running = new Set<Promise<unknown>>();
  #disposal: Promise<void> | undefined;

  constructor(value: object, report: Report) {
    this.#value = value;
    this.#report = report;
  }

  async use(work: (value: object) => Promise<unknown>): Promise<unknown> {
    const run = work(this.#value);
    this.#running.add(run);
    return run.finally(() => this.#running.delete(run));
  }

  async end(): Promise<void> {
    // A call for a session that has ended already is about to begin.
    await Promise.resolve();
    await Promise.allSettled(this.#running);
    await this.dispose();
  }

  dispose(): Promise<void> {
    const run = async (): Promise<void> => {
      const dispose: unknown =
        Reflect.get(this.#value, Symbol.asyncDispose) ?? Reflect.get(this.#value, Symbol.dispose);
      if (isCallable(dispose)) await Reflect.apply(dispose, this.#value, []);
    };
    return (this.#disposal ??= run().catch(this.#report));
  }
}

function callMethod(target: unknown, method: string, args: unknown[]): unknown {
  const work: unknown = Reflect.get(target as object, method);
  if (!isCallable(work)) throw new Error(`There is no method ${method}.`);
  return Reflect.apply(work, target, args);
}

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}
