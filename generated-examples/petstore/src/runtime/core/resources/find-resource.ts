/** Which listed resource or template a URI belongs to, and what its variables say. */
import type { Bindings, ResourceBinding } from '../../contract/bindings.ts';
import type { ResourceDefinition } from '../../definition.ts';
import { matchUriTemplate } from '../../uri-template/index.ts';
import type { ServerInstance } from '../server-instance.ts';
import { reviveTexts } from '../revive-texts.ts';
import { ProtocolError } from '../../protocol/protocol-error.ts';
import type { Call } from '../call.ts';

/** A document's resource, or one of the project's own. */
export type FoundResource = { scopes: readonly string[] } & (
  | { kind: 'bound'; binding: ResourceBinding; args: Record<string, unknown> }
  | { kind: 'own'; own: OwnResource; variables: Record<string, string> }
);

type OwnResource = Pick<ResourceDefinition, 'read' | 'mimeType' | 'scopes'>;

/** An exact URI first, then the first template in the listed order that makes it. */
export function findResource(
  server: ServerInstance,
  bindings: Bindings,
  uri: string,
): FoundResource | undefined {
  const { catalog, handlers } = server;
  const { resources, resourceTemplates } = bindings;
  if (catalog.items('resources').some((resource) => resource.uri === uri)) {
    const own = memberOf(handlers.resources, uri);
    const binding = memberOf(resources, uri);
    const scopes = scopesOf(binding, own);
    if (own !== undefined) return { kind: 'own', own, variables: {}, scopes };
    if (binding !== undefined) return { kind: 'bound', binding, args: {}, scopes };
  }
  for (const { uriTemplate } of catalog.items('resourceTemplates')) {
    const variables = variablesOf(uriTemplate, uri);
    if (variables === undefined) continue;
    const own = memberOf(handlers.resourceTemplates, uriTemplate);
    const binding = memberOf(resourceTemplates, uriTemplate);
    const scopes = scopesOf(binding, own);
    if (own !== undefined) return { kind: 'own', own, variables: asTexts(variables), scopes };
    if (binding !== undefined)
      return { kind: 'bound', binding, args: reviveVariables(variables, binding), scopes };
  }
  return undefined;
}

/** What the binding of a template is given for a URI; undefined where the template does not read that. */
export function argumentsOf(
  uriTemplate: string,
  uri: string,
  binding: ResourceBinding,
): Record<string, unknown> | undefined {
  const variables = variablesOf(uriTemplate, uri);
  return variables && reviveVariables(variables, binding);
}

function variablesOf(uriTemplate: string, uri: string): Record<string, string | string[]> | undefined {
  const variables = matchUriTemplate(uriTemplate, uri);
  return variables === undefined || escapes(variables) ? undefined : variables;
}

/** Code of the project's own may ask for more than the item whose place it takes, not for less. */
function scopesOf(
  bound: Pick<ResourceBinding, 'scopes'> = {},
  own: Pick<OwnResource, 'scopes'> = {},
): string[] {
  return [...(bound.scopes ?? []), ...(own.scopes ?? [])];
}

function memberOf<T>(items: Readonly<Record<string, T>> = {}, key: string): T | undefined {
  return Object.hasOwn(items, key) ? items[key] : undefined;
}

function asTexts(variables: Readonly<Record<string, string | string[]>>): Record<string, string> {
  const texts = Object.entries(variables).map(([name, value]) => [name, [value].flat().join(',')]);
  return Object.fromEntries(texts) as Record<string, string>;
}

/**
 * A dot segment would lead out of the place that the template describes (RFC 3986, section 5.2.4); servers of Java
 * find one in `..;x` too.
 */
function escapes(variables: Record<string, string | string[]>): boolean {
  const parts = Object.values(variables).flat();
  return parts.some((value) => value.split(/[/\\]/).some((segment) => /^\.{1,2}(?:$|;)/.test(segment)));
}

/**
 * The variables of a URI are texts; the arguments they stand for may be numbers, booleans or lists. A text that is no
 * number or boolean stays a text, for validation to refuse.
 */
function reviveVariables(
  variables: Readonly<Record<string, string | string[]>>,
  { variables: renamed = {}, schemas = {} }: Pick<ResourceBinding, 'variables' | 'schemas'>,
): Record<string, unknown> {
  const entries = Object.entries(variables).map(([name, value]) => {
    const argument = memberOf(renamed, name) ?? name;
    return [argument, reviveTexts(value, memberOf(schemas, argument))];
  });
  return Object.fromEntries(entries);
}

/** The revision's own way to say that there is no resource at `uri`. */
export function unknownResource({ agreement }: Pick<Call, 'agreement'>, uri: string): ProtocolError {
  return new ProtocolError(agreement.features.unknownResource, `Resource not found: ${uri}`, 'work', { uri });
}
