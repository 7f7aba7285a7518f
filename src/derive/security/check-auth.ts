/** Checks scopes and token exchanges that callers could never satisfy, and scopes that the server does not ask for. */
import type { AuthRules } from '../../config/options/auth.ts';
import { suggest } from '../../../templates/runtime/contract/suggest.ts';
import { apisOf } from '../../../templates/runtime/contract/apis.ts';
import { isScopeToken } from '../../../templates/runtime/contract/token-syntax.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Origin } from '../../model/origin.ts';
import type { ServerModel } from '../../model/server-model.ts';

/** Checks a model whose scopes have been mapped. */
export function checkAuth(
  model: ServerModel,
  { exchange = {} }: AuthRules,
  diagnostics: DiagnosticCollector,
): void {
  for (const [scope, { item, origin }] of mapNeededScopes(model))
    if (!isScopeToken(scope)) diagnostics.report('impossible-scope', { scope, item }, { at: origin });
  const schemes = tokenSchemes(model);
  for (const scheme of Object.keys(exchange)) {
    if (schemes.includes(scheme)) continue;
    const near = suggest(scheme, schemes);
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
export function checkUnasked(model: ServerModel, diagnostics: DiagnosticCollector): void {
  const unasked = listNeeds(model).filter(({ kind, scopes }) => kind === 'function' && scopes.length > 0);
  const [first] = unasked;
  if (first === undefined) return;
  const { item, origin } = first;
  diagnostics.report('scopes-not-asked', { item, others: unasked.length - 1 }, { at: origin });
}

function mapNeededScopes(model: ServerModel): Map<string, Need> {
  const first = new Map<string, Need>();
  for (const need of listNeeds(model))
    for (const scope of need.scopes) if (!first.has(scope)) first.set(scope, need);
  return first;
}

interface Need {
  item: string;
  origin: Origin;
  scopes: readonly string[];
  kind: string;
}

function listNeeds({ tools, resources, resourceTemplates, prompts }: ServerModel): Need[] {
  return [
    ...tools.map(({ name, origin, scopes, binding }) => ({
      item: name,
      origin,
      scopes,
      kind: binding.kind,
    })),
    ...[...resources, ...resourceTemplates].map(({ name, origin, binding }) => ({
      item: name,
      origin,
      scopes: binding.scopes ?? [],
      kind: binding.do.kind,
    })),
    ...prompts.map(({ name, origin, binding }) => ({
      item: name,
      origin,
      scopes: binding.scopes ?? [],
      kind: binding.kind,
    })),
  ];
}

/** Schemes that send a token, by the names that `exchange` accepts. */
function tokenSchemes(model: ServerModel): string[] {
  return apisOf(model).flatMap(({ name: api, securitySchemes }) =>
    Object.entries(securitySchemes)
      .filter(([, { type }]) => type === 'bearer' || type === 'oauth2')
      .flatMap(([name]) => (api === undefined ? [name] : [name, `${api}/${name}`])),
  );
}
