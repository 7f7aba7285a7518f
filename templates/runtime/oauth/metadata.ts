// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The metadata of this server for clients that need a token (RFC 9728). */
import type { Implementation } from '../definition.ts';
import type { OpenDocument } from '../transports/http/guard.ts';
import type { AuthSettings } from './settings.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const POINTER = '/.well-known/oauth-authorization-server';

/** The URL of the metadata: the path of the resource comes last (section 3.1). */
export function metadataUrl({ origin, pathname }: URL): string {
  return `${origin}${WELL_KNOWN}${toSuffix(pathname)}`;
}

/** The metadata is served at several paths: clients derive one from the URL that they know, which a proxy may have changed. */
export function metadataPaths({ pathname }: URL, paths: readonly string[]): string[] {
  return withSuffixes(WELL_KNOWN, pathname, paths);
}

/** Clients of 2025-03-26 look for the issuer's metadata at these paths. */
export function pointerPaths({ pathname }: URL, paths: readonly string[]): string[] {
  return withSuffixes(POINTER, pathname, paths);
}

/** Warns if no path of the server is that of the resource, which clients compare with the URL that they call. */
export function checkResource({ href, pathname }: URL, paths: readonly string[]): string | undefined {
  const prefix = pathname.replace(/\/$/, '');
  if (paths.some((path) => path === prefix || path.startsWith(`${prefix}/`))) return undefined;
  return (
    `clients are told that this server is ${href}, and it serves ${paths.join(', ')}: unless a proxy changes the path, they ` +
    'refuse it. Check MCP_AUTH_AUDIENCE, or MCP_AUTH_RESOURCE, and --path.'
  );
}

function withSuffixes(place: string, pathname: string, paths: readonly string[]): string[] {
  return [...new Set(['', toSuffix(pathname), ...paths].map((path) => `${place}${path}`))];
}

function toSuffix(pathname: string): string {
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
