// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Finds the function of a binding. Instances of classes are made at the first call that needs one, and kept. */
import type { FunctionBinding } from '../contract/bindings.ts';
import { CallContext } from '../core/call-context.ts';
import type { Context, FunctionModules } from '../definition.ts';
import { isRecord } from '../contract/json-value.ts';

/** Calls the function. Without a context, instances belong to the process. */
export type Target = (args: unknown[], context: Context | undefined) => unknown;

type Callable = (...args: unknown[]) => unknown;

export class Targets {
  readonly #modules: FunctionModules['modules'];
  /** Instances by class: one for the process, and one for each session. */
  readonly #single = new WeakMap<object, object>();
  readonly #bySession = new WeakMap<object, WeakMap<object, object>>();

  constructor(modules: FunctionModules['modules']) {
    this.#modules = modules;
  }

  /** @throws {Error} if the module can't be loaded, or has no such function because it changed since it was compiled */
  async find({ module, export: name, method, instance }: FunctionBinding): Promise<Target> {
    const load = Object.hasOwn(this.#modules, module) ? this.#modules[module] : undefined;
    if (load === undefined) throw new Error(`There is no module ${module}.`);
    const found: unknown = Reflect.get(await load(), name);
    if (method !== undefined && instance === undefined && isRecord(found))
      return (args) => callMethod(found, method, args);
    if (!isCallable(found)) throw new Error(`The module ${module} exports no function or class ${name}.`);
    if (method === undefined) return (args) => found(...args);
    if (instance === undefined) return (args) => callMethod(found, method, args);
    return (args, context) => callMethod(this.#getInstance(found, instance, context), method, args);
  }

  #getInstance(type: Callable, instance: 'process' | 'session', context: Context | undefined): object {
    if (instance === 'process' || !(context instanceof CallContext))
      return getInstance(this.#single, type, type);
    let owned = this.#bySession.get(type);
    if (owned === undefined) this.#bySession.set(type, (owned = new WeakMap()));
    return getInstance(owned, context.owner, type);
  }
}

function getInstance(instances: WeakMap<object, object>, key: object, type: Callable): object {
  let found = instances.get(key);
  if (found === undefined) {
    found = Reflect.construct(type, []) as object;
    instances.set(key, found);
  }
  return found;
}

function callMethod(target: object, method: string, args: unknown[]): unknown {
  const found: unknown = Reflect.get(target, method);
  if (!isCallable(found)) throw new Error(`There is no method ${method}.`);
  return Reflect.apply(found, target, args);
}

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}
