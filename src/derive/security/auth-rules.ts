import type { AuthChoice, AuthRules } from '../../config/options/auth.ts';
import type { ServerModel } from '../../model/server-model.ts';

/** Undefined: callers need no token. */
export function authRules(choice: AuthChoice | undefined): AuthRules | undefined {
  if (choice === undefined || choice === 'none') return undefined;
  return choice === 'oauth' ? {} : choice;
}

/** The API's issuer and this server's issuer may use different scopes. */
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
