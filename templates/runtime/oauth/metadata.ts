/** What this server says of itself to those who need a token for it (RFC 9728). */
import type { Implementation } from '../definition.ts';
import type { OpenDocument } from '../transports/http/guard.ts';
import type { AuthSettings } from './settings.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const POINTER = '/.well-known/oauth-authorization-server';

/** Its URL, as refusals name it: the path of the resource comes behind (section 3.1). */
export function metadataUrl({ origin, pathname }: URL): string {
  return `${origin}${WELL_KNOWN}${suffixOf(pathname)}`;
}

/** Where it is served: clients guess the place by the URL that they know, which a proxy may have changed. */
export function metadataPaths({ pathname }: URL, paths: readonly string[]): string[] {
  return withSuffixes(WELL_KNOWN, pathname, paths);
}

/** Where clients of 2025-03-26 look for those of the issuer. */
export function pointerPaths({ pathname }: URL, paths: readonly string[]): string[] {
  return withSuffixes(POINTER, pathname, paths);
}

/** Words for the one who runs the server, where no path of it is that of the resource, which clients compare with what they call. */
export function strayResource({ href, pathname }: URL, paths: readonly string[]): string | undefined {
  const prefix = pathname.replace(/\/$/, '');
  if (paths.some((path) => path === prefix || path.startsWith(`${prefix}/`))) return undefined;
  return (
    `clients are told that this server is ${href}, and it serves ${paths.join(', ')}: unless a proxy changes the path, they ` +
    'refuse it. Check MCP_AUTH_AUDIENCE, or MCP_AUTH_RESOURCE, and --path.'
  );
}

function withSuffixes(place: string, pathname: string, paths: readonly string[]): string[] {
  return [...new Set(['', suffixOf(pathname), ...paths].map((path) => `${place}${path}`))];
}

function suffixOf(pathname: string): string {
  return pathname === '/' ? '' : pathname;
}

export function describeResource(
  { resource, issuers }: Pick<AuthSettings, 'resource' | 'issuers'>,
  scopes: readonly string[],
  { name, title }: Pick<Implementation, 'name' | 'title'>,
): OpenDocument {
  const metadata = {
    resource: resource.pathname === '/' ? resource.origin : resource.href,
    authorization_servers: issuers,
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_name: title ?? name,
  };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(metadata) };
}
