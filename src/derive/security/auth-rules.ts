/** Whether callers are asked who they are, and what their tokens must allow. Who issues them is for the environment. */
import type { ExchangeRule, OnBehalfMode } from '../../../templates/runtime/on-behalf.ts';
import type { ServerModel } from '../../model/server-model.ts';

/** A project with OAuth, one without, or one with OAuth and rules. */
export type AuthChoice = 'oauth' | 'none' | AuthRules;

export interface AuthRules {
  /** Scopes that every request needs. Default none. */
  scopes?: string[];
  /** Scope → narrower ones that it stands for too. Default none. */
  implies?: Record<string, string[]>;
  /** Scope of a source → those that callers need in its place. Default: the same. */
  scopeMap?: Record<string, string[]>;
  /** What a caller without credentials of its own for the API comes to; `MCP_AUTH_ON_BEHALF` wins. Default `required`. */
  onBehalf?: OnBehalfMode;
  /**
   * Security scheme, or `<api>/<scheme>`, → what its token is asked for in exchange for the caller's (RFC 8693). Default: the
   * environment says it for all that send a token.
   */
  exchange?: Record<string, ExchangeRule>;
}

/** Undefined: nobody is asked. */
export function authRules(choice: AuthChoice | undefined): AuthRules | undefined {
  if (choice === undefined || choice === 'none') return undefined;
  return choice === 'oauth' ? {} : choice;
}

/** The scopes of an API are those of its own issuer, whose tokens may know others than those of this server. */
export function mapScopes(model: ServerModel, { scopeMap }: AuthRules): ServerModel {
  if (scopeMap === undefined) return model;
  const map = (scopes: string[]): string[] => [
    ...new Set(scopes.flatMap((scope) => mapped(scope, scopeMap))),
  ];
  const bound = <B extends { scopes?: string[] }>(binding: B): B =>
    binding.scopes === undefined ? binding : { ...binding, scopes: map(binding.scopes) };
  const withScopes = <I extends { binding: { scopes?: string[] } }>(item: I): I => ({
    ...item,
    binding: bound(item.binding),
  });
  return {
    ...model,
    tools: model.tools.map((tool) => ({ ...tool, scopes: map(tool.scopes) })),
    resources: model.resources.map(withScopes),
    resourceTemplates: model.resourceTemplates.map(withScopes),
    prompts: model.prompts.map(withScopes),
  };
}

function mapped(scope: string, scopeMap: Record<string, string[]>): string[] {
  return Object.hasOwn(scopeMap, scope) ? (scopeMap[scope] ?? []) : [scope];
}
