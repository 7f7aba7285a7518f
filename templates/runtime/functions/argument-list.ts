/** Arguments by name as a function takes them: one object, or one after the other, the `Context` where it stands. */
import type { FunctionBinding } from '../contract/bindings.ts';
import type { Context } from '../definition.ts';
import { refuseInherited } from './inherited-members.ts';
import { type Codecs, revive } from './revive.ts';

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
  const revived = revivedArguments(binding, args, codecs);
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
export function revivedArguments(
  binding: FunctionBinding,
  args: Record<string, unknown>,
  codecs: Codecs = {},
): Record<string, unknown> {
  refuseInherited(args);
  return revive(named(binding.properties, args), binding.argumentCodec, codecs) as Record<string, unknown>;
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
