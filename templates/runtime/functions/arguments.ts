// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Turns arguments by name into the parameters of a function: an object or a list, with the `Context` in its place. */
import type { FunctionBinding } from '../contract/bindings.ts';
import type { Context } from '../definition.ts';
import { decodeArgument, NotRevivable } from './decode-arguments.ts';
import { compileSchema, type Validator } from '../schema/index.ts';
import { isRecord, member } from '../contract/json-value.ts';
import type { Codecs } from './union-branches.ts';

/** The arguments that `prepare` returned: they need no decoding, and no client can send this member. */
export const PREPARED = Symbol('prepared');

export type Arguments = Record<string, unknown> & { [PREPARED]?: Record<string, unknown> };

/** @throws {NotRevivable} for an argument that its schema accepts and its type does not */
export function toParameters(
  binding: FunctionBinding,
  args: Arguments,
  context: Context,
  codecs: Codecs = {},
): unknown[] {
  const { parameters, contextAt, contextIn, rest = false } = binding;
  const revived = decodeArguments(binding, args, codecs);
  const values = args[PREPARED] === undefined ? revived : { ...revived, ...args[PREPARED] };
  const list =
    parameters === 'object'
      ? [withContext(values, contextIn, context)]
      : // The function's own default applies to an absent argument.
        parameters.map((name) => member(values, name));
  const last = rest ? list.pop() : undefined;
  if (contextAt !== undefined) list.splice(contextAt, 0, context);
  if (Array.isArray(last)) list.push(...(last as unknown[]));
  // Functions may use `arguments.length`.
  while (list.length > 0 && list.at(-1) === undefined) list.pop();
  return list;
}

/** Decodes arguments by name. @throws {NotRevivable} for an argument that its schema accepts and its type does not */
export function decodeArguments(
  binding: FunctionBinding,
  args: Record<string, unknown>,
  codecs: Codecs = {},
): Record<string, unknown> {
  refuseInherited(args);
  return decodeArgument(renameArguments(binding.properties, args), binding.argumentCodec, codecs) as Record<
    string,
    unknown
  >;
}

function withContext(
  args: Record<string, unknown>,
  names: readonly string[] = [],
  context: Context,
): Record<string, unknown> {
  return names.length === 0 ? args : { ...args, ...Object.fromEntries(names.map((name) => [name, context])) };
}

/** Renames arguments to the names of the function's parameters. */
export function renameArguments<T>(
  properties: FunctionBinding['properties'],
  args: Record<string, T>,
): Record<string, T> {
  if (properties === undefined) return args;
  const names = new Map(Object.entries(properties));
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [names.get(name) ?? name, value]));
}

export class ArgumentChecks {
  readonly #codecs: Codecs;
  readonly #validators = new WeakMap<object, Validator>();

  constructor(codecs: Codecs) {
    this.#codecs = codecs;
  }

  /** Returns a clause for each argument that the schema refuses. */
  bySchema({ input }: FunctionBinding, args: Record<string, unknown>): string[] {
    if (input === undefined) return [];
    let validate = this.#validators.get(input);
    if (validate === undefined) this.#validators.set(input, (validate = compileSchema(input)));
    return validate(args).map(({ message }) => message);
  }

  /** Returns a clause for each argument that the schema or the type refuses. */
  all(binding: FunctionBinding, args: Record<string, unknown>): string[] {
    const misfits = this.bySchema(binding, args);
    if (misfits.length > 0) return misfits;
    try {
      decodeArguments(binding, args, this.#codecs);
      return [];
    } catch (thrown) {
      if (thrown instanceof NotRevivable) return [...thrown.misfits];
      throw thrown;
    }
  }
}

/** @throws {NotRevivable} for a member `__proto__` or `constructor.prototype` at any depth */
export function refuseInherited(args: Record<string, unknown>): void {
  const top = inheritedIn(args);
  if (top !== undefined) throw new NotRevivable({ path: [], words: `must have no member \`${top}\`` });
  for (const name of Object.keys(args)) {
    const found = findInherited(args[name]);
    if (found !== undefined)
      throw new NotRevivable({ path: [name], words: `must have no member \`${found}\`` });
  }
}

/** The search has its own stack, since a client may send a value of any depth. */
function findInherited(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const found = inheritedIn(next);
    if (found !== undefined) return found;
    for (const part of Object.values(next)) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return undefined;
}

/** Only objects are refused: a text or a number under these names changes no prototype. */
function inheritedIn(value: object): string | undefined {
  if (Object.hasOwn(value, '__proto__') && isRecord(Reflect.get(value, '__proto__'))) return '__proto__';
  if (!Object.hasOwn(value, 'constructor')) return undefined;
  const constructor: unknown = Reflect.get(value, 'constructor');
  return isRecord(constructor) && Object.hasOwn(constructor, 'prototype')
    ? 'constructor.prototype'
    : undefined;
}
