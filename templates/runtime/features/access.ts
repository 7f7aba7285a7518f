// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The effect that a call of a tool may have, by its hints. */
import type { CallView, HttpBinding, ToolInfo } from '../types.ts';

/** Each includes those before it. */
const ACCESS = ['read', 'write', 'destructive'] as const;
export type Access = (typeof ACCESS)[number];

/** Without hints a tool may do anything. */
export function readAccess({ annotations = {} }: Pick<ToolInfo, 'annotations'>): Access {
  if (annotations.readOnlyHint === true) return 'read';
  return annotations.destructiveHint === false ? 'write' : 'destructive';
}

export function readsByMethod({ method }: Pick<HttpBinding, 'method'>): boolean {
  return /^(?:GET|HEAD|OPTIONS|QUERY)$/.test(method);
}

export function mayCall(by: Access, target: Access): boolean {
  return ACCESS.indexOf(target) <= ACCESS.indexOf(by);
}

/** Calls whose user has confirmed one call that they make → its arguments, as JSON. */
export const confirmedArguments = new WeakMap<CallView, string>();
