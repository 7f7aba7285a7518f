/** Identifies an operation independently of its name and its place in the document: `GET /pets/{petId}`. */
import type { Binding, StepsBinding } from './bindings.ts';
import type { Origin } from './origin.ts';
import type { Operation } from './source-model.ts';

export function operationKey({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/**
 * An operation's key without the names of its variables. OpenAPI treats paths that differ only in these as identical
 * (3.1, 4.8.8 "Paths Object").
 */
export function keyWithoutVariableNames(key: string): string {
  return key.replace(/\{[^{}]*\}/g, '{}');
}

/** Returns the place of the `operationId`; the operation's origin if it has none. */
export function operationIdOrigin({
  origin,
  operationId,
}: Pick<Operation, 'origin' | 'operationId'>): Origin {
  if (operationId === undefined || origin.kind !== 'document') return origin;
  return { ...origin, pointer: `${origin.pointer}/operationId` };
}

/** Identifies the work of a tool in locks: `GET /pets/{petId}`, `src/tools.ts#forecast`. */
export function bindingKey(binding: Binding | StepsBinding): string {
  if (binding.kind === 'steps') return `workflow ${binding.workflow}`;
  return binding.kind === 'http'
    ? `${binding.api === undefined ? '' : `${binding.api} `}${binding.method} ${binding.path}`
    : `${binding.module}#${binding.export}${binding.method === undefined ? '' : `.${binding.method}`}`;
}
