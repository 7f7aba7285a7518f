/** What a server with OAuth asks of its callers, and can't be met. */
import { apisOf } from '../../templates/runtime/upstream/apis.ts';
import { isScopeToken } from '../../templates/runtime/protocol/scope-token.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Origin } from '../model/origin.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { AuthRules } from './auth-rules.ts';
import { nearest } from './nearest.ts';

/** Of a model whose scopes are mapped. */
export function checkAuth(
  model: ServerModel,
  { exchange = {} }: AuthRules,
  diagnostics: DiagnosticCollector,
): void {
  for (const [scope, { item, origin }] of scopesOf(model))
    if (!isScopeToken(scope)) diagnostics.report('impossible-scope', { scope, item }, { at: origin });
  const schemes = tokenSchemes(model);
  for (const scheme of Object.keys(exchange)) {
    if (schemes.includes(scheme)) continue;
    const near = nearest(scheme, schemes);
    diagnostics.report('exchange-for-no-scheme', {
      scheme,
      suggestion: near === undefined ? '' : ` Did you mean \`${near}\`?`,
    });
  }
}

/** Each with the first item that needs it. */
function scopesOf(model: ServerModel): Map<string, { item: string; origin: Origin }> {
  const { tools, resources, resourceTemplates, prompts } = model;
  const bound = [...resources, ...resourceTemplates, ...prompts];
  const needs = [
    ...tools.map(({ name, origin, scopes }) => ({ item: name, origin, scopes })),
    ...bound.map(({ name, origin, binding }) => ({ item: name, origin, scopes: binding.scopes ?? [] })),
  ];
  const first = new Map<string, { item: string; origin: Origin }>();
  for (const { scopes, ...where } of needs)
    for (const scope of scopes) if (!first.has(scope)) first.set(scope, where);
  return first;
}

/** Schemes that send a token, as `exchange` may name them. */
function tokenSchemes(model: ServerModel): string[] {
  return apisOf(model).flatMap(({ name: api, securitySchemes }) =>
    Object.entries(securitySchemes)
      .filter(([, { type }]) => type === 'bearer' || type === 'oauth2')
      .flatMap(([name]) => (api === undefined ? [name] : [name, `${api}/${name}`])),
  );
}
