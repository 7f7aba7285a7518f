/** What the lock remembers of tools: their names, and what finds their operations again (ADR 31). */
import type { Binding } from '../../templates/runtime/contract/bindings.ts';
import type { Tool } from '../model/server-model.ts';

interface Remembered {
  /** Operation key → tool name. */
  names: Record<string, string>;
  /** Operation key → operationId, of the tools that are called otherwise. */
  operationIds?: Record<string, string>;
}

interface Named {
  tools: readonly Pick<Tool, 'name' | 'binding'>[];
}

/** The name of each tool by what it is remembered by; one that `given` has wins. */
export function namesByOperation(
  { tools }: Named,
  given: Record<string, string> = {},
): Record<string, string> {
  return Object.fromEntries(
    tools.map(({ name, binding }) => {
      const key = operationKey(binding);
      return [key, Object.hasOwn(given, key) ? (given[key] ?? name) : name];
    }),
  );
}

/** Of the tools that are called otherwise. */
export function operationIdsOf({ tools }: Named): Pick<Remembered, 'operationIds'> {
  const ids = tools.flatMap(({ binding }): [string, string][] =>
    binding.kind === 'http' && binding.operationId !== undefined
      ? [[operationKey(binding), binding.operationId]]
      : [],
  );
  return ids.length === 0 ? {} : { operationIds: Object.fromEntries(ids) };
}

/** The names that a later run keeps, as `deriveServer` takes them. */
export function rememberedNames({
  names,
  operationIds = {},
}: Remembered): Record<string, string | { name: string; operationId: string }> {
  return Object.fromEntries(
    Object.entries(names).map(([key, name]) => {
      const operationId = Object.hasOwn(operationIds, key) ? operationIds[key] : undefined;
      return [key, operationId === undefined ? name : { name, operationId }];
    }),
  );
}

/** What a tool's name is remembered by. */
export function operationKey(binding: Binding): string {
  return binding.kind === 'http'
    ? `${binding.api === undefined ? '' : `${binding.api} `}${binding.method} ${binding.path}`
    : `${binding.module}#${binding.export}${binding.method === undefined ? '' : `.${binding.method}`}`;
}
