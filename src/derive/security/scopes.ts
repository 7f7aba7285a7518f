import type { Operation, SourceModel } from '../../model/source-model.ts';

/**
 * `x-mcp.scopes` of the operation › of the API › OpenAPI `security`: the first alternative with scopes of `oauth2` or
 * `openIdConnect` schemes. None if one alternative is empty, since the API then answers anyone.
 */
export function deriveScopes(operation: Operation, source: SourceModel): string[] {
  const written = operation.xMcp?.scopes ?? source.xMcp?.scopes;
  if (written !== undefined) return unique(written);
  const alternatives = operation.security ?? source.security ?? [];
  if (alternatives.some((requirement) => Object.keys(requirement).length === 0)) return [];
  const scopes = alternatives.map((requirement) =>
    Object.entries(requirement).flatMap(([scheme, names]) => (hasScopes(source, scheme) ? names : [])),
  );
  return unique(scopes.find((names) => names.length > 0) ?? []);
}

/** Since OpenAPI 3.1 other schemes may list roles, which are no OAuth scopes. */
function hasScopes({ securitySchemes }: SourceModel, name: string): boolean {
  const type = Object.hasOwn(securitySchemes, name) ? securitySchemes[name]?.type : undefined;
  return type === 'oauth2' || type === 'openIdConnect';
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
