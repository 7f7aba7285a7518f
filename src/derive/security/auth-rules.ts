import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { type OperationBinding, listApis } from '../../model/bindings.ts';
import { isScopeToken } from '../../util/http-syntax.ts';
import { nearest } from '../../../templates/runtime/validate.ts';
import type { AuthChoice, AuthRules } from '../../config/options/auth.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Origin } from '../../model/origin.ts';
import type { ServerModel } from '../../model/server-model.ts';
import type { Operation, SourceModel } from '../../model/source-model.ts';

export function resolveAuthRules(choice: AuthChoice | undefined): AuthRules | undefined {
  if (choice === undefined || choice === 'none') return undefined;
  return choice === 'oauth' ? {} : choice;
}

/** Replaces the API's scopes by those of this server's issuer, since the two may differ. */
export function mapScopesOfModel(model: ServerModel, { scopeMap }: AuthRules): ServerModel {
  if (scopeMap === undefined) return model;
  const mapScopes = (scopes: string[]): string[] => [
    ...new Set(
      scopes.flatMap((scope) => (Object.hasOwn(scopeMap, scope) ? (scopeMap[scope] ?? []) : [scope])),
    ),
  ];
  const mapBindingScopes = <B extends { scopes?: string[] }>(binding: B): B =>
    binding.scopes === undefined ? binding : { ...binding, scopes: mapScopes(binding.scopes) };
  const mapItemScopes = <I extends { binding: { scopes?: string[] } }>(item: I): I => ({
    ...item,
    binding: mapBindingScopes(item.binding),
  });
  return {
    ...model,
    tools: model.tools.map((tool) => ({ ...tool, scopes: mapScopes(tool.scopes) })),
    resources: model.resources.map(mapItemScopes),
    resourceTemplates: model.resourceTemplates.map(mapItemScopes),
    prompts: model.prompts.map(mapItemScopes),
    ...(model.operations && { operations: mapOperations(model.operations, mapBindingScopes) }),
  };
}

function mapOperations(
  operations: NonNullable<ServerModel['operations']>,
  change: (binding: OperationBinding) => OperationBinding,
): NonNullable<ServerModel['operations']> {
  const all = Object.entries(operations).map(([source, byId]): [string, Record<string, OperationBinding>] => [
    source,
    Object.fromEntries(Object.entries(byId).map(([id, binding]) => [id, change(binding)])),
  ]);
  return Object.fromEntries(all);
}

export function reportAuthProblems(
  model: ServerModel,
  { exchange = {} }: AuthRules,
  diagnostics: DiagnosticCollector,
): void {
  for (const [scope, { item, origin }] of mapScopesToFirstNeed(model))
    if (!isScopeToken(scope)) diagnostics.report('impossible-scope', { scope, item }, { at: origin });
  const schemes = listApis(model).flatMap(({ name: api, securitySchemes }) =>
    Object.entries(securitySchemes)
      .filter(([, { type }]) => type === 'bearer' || type === 'oauth2')
      .flatMap(([name]) => (api === undefined ? [name] : [name, `${api}/${name}`])),
  );
  for (const scheme of Object.keys(exchange)) {
    if (schemes.includes(scheme)) continue;
    const near = nearest(scheme, schemes);
    diagnostics.report('exchange-for-no-scheme', {
      scheme,
      suggestion: near === undefined ? '' : ` Did you mean \`${near}\`?`,
    });
  }
}

/**
 * Reports scopes of functions on a server without `auth`. Scopes of operations are checked by their API, but a
 * `@scope` only by this server.
 */
export function reportUnenforcedScopes(model: ServerModel, diagnostics: DiagnosticCollector): void {
  const unasked = listScopeNeeds(model).filter(
    ({ kind, scopes }) => kind === 'function' && scopes.length > 0,
  );
  const [first] = unasked;
  if (first === undefined) return;
  const { item, origin } = first;
  diagnostics.report('scopes-not-asked', { item, others: unasked.length - 1 }, { at: origin });
}

function mapScopesToFirstNeed(model: ServerModel): Map<string, Need> {
  const first = new Map<string, Need>();
  for (const need of listScopeNeeds(model))
    for (const scope of need.scopes) if (!first.has(scope)) first.set(scope, need);
  return first;
}

interface Need {
  item: string;
  origin: Origin;
  scopes: readonly string[];
  kind: string;
}

function listScopeNeeds({ tools, resources, resourceTemplates, prompts }: ServerModel): Need[] {
  return [
    ...tools.map(({ name: item, origin, scopes, binding: { kind } }) => ({ item, origin, scopes, kind })),
    ...[...resources, ...resourceTemplates, ...prompts].map(({ name: item, origin, binding }) => {
      const { kind } = 'do' in binding ? binding.do : binding;
      return { item, origin, scopes: binding.scopes ?? [], kind };
    }),
  ];
}

/**
 * `x-mcp.scopes` of the operation › of the API › OpenAPI `security`: the first alternative with scopes of `oauth2` or
 * `openIdConnect` schemes. None if one alternative is empty, since the API then answers anyone.
 */
export function deriveScopes(operation: Operation, source: SourceModel): string[] {
  const written = operation.xMcp?.scopes ?? source.xMcp?.scopes;
  if (written !== undefined) return uniqueNames(written);
  const alternatives = operation.security ?? source.security ?? [];
  if (alternatives.some((requirement) => Object.keys(requirement).length === 0)) return [];
  // Since OpenAPI 3.1 other schemes may list roles, which are no OAuth scopes.
  const scopes = alternatives.map((requirement) =>
    Object.entries(requirement).flatMap(([scheme, names]) =>
      /^(?:oauth2|openIdConnect)$/.test(ownMember(source.securitySchemes, scheme)?.type ?? '') ? names : [],
    ),
  );
  return uniqueNames(scopes.find((names) => names.length > 0) ?? []);
}

function uniqueNames(names: readonly string[]): string[] {
  return [...new Set(names)];
}
