/** Arguments by name as a function takes them: one object, or one after the other, the `Context` where it stands. */
import type { FunctionBinding } from '../contract/bindings.ts';
import type { Context } from '../definition.ts';
import { decodeArgument, NotRevivable } from './decode-arguments.ts';
import { compileSchema, type Validator } from '../schema/index.ts';
import { isRecord } from '../contract/json-value.ts';
import type { Codecs } from './union-branches.ts';

/** Arguments that a function prepared for another, as that one takes them: no client can give any. */
export const PREPARED = Symbol('prepared');

export type Arguments = Record<string, unknown> & { [PREPARED]?: Record<string, unknown> };

/** @throws {NotRevivable} for an argument that its schema takes and its type does not */
export function argumentList(
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
      : parameters.map((name) => own(values, name));
  const last = rest ? list.pop() : undefined;
  if (contextAt !== undefined) list.splice(contextAt, 0, context);
  if (Array.isArray(last)) list.push(...(last as unknown[]));
  // Some functions count what they are given.
  while (list.length > 0 && list.at(-1) === undefined) list.pop();
  return list;
}

/**
 * By the names of parameters.
 *
 * @throws {NotRevivable} for an argument that its schema takes and its type does not
 */
export function decodeArguments(
  binding: FunctionBinding,
  args: Record<string, unknown>,
  codecs: Codecs = {},
): Record<string, unknown> {
  refuseInherited(args);
  return decodeArgument(named(binding.properties, args), binding.argumentCodec, codecs) as Record<
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

/** Absent is `undefined`, so that the function's own default applies. */
function own(args: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** By the names that the function knows. */
export function named<T>(
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

  /** What the schema finds wrong, a clause each. */
  bySchema({ input }: FunctionBinding, args: Record<string, unknown>): string[] {
    if (input === undefined) return [];
    let validate = this.#validators.get(input);
    if (validate === undefined) this.#validators.set(input, (validate = compileSchema(input)));
    return validate(args).map(({ message }) => message);
  }

  /** What is wrong at all. */
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
  const own = inheritedIn(args);
  if (own !== undefined) throw new NotRevivable({ path: [], words: `must have no member \`${own}\`` });
  for (const name of Object.keys(args)) {
    const found = findInherited(args[name]);
    if (found !== undefined)
      throw new NotRevivable({ path: [name], words: `must have no member \`${found}\`` });
  }
}

/** Keeps its own stack: the depth of a value is its sender's choice. */
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

/** Text and numbers under these names are data: to assign them changes nothing. */
function inheritedIn(value: object): string | undefined {
  if (Object.hasOwn(value, '__proto__') && isRecord(Reflect.get(value, '__proto__'))) return '__proto__';
  if (!Object.hasOwn(value, 'constructor')) return undefined;
  const constructor: unknown = Reflect.get(value, 'constructor');
  return isRecord(constructor) && Object.hasOwn(constructor, 'prototype')
    ? 'constructor.prototype'
    : undefined;
}
