import type { ServerBinding } from '../../../../templates/runtime/contract/bindings.ts';
import type { Rec } from '../document/record.ts';

/**
 * Combines `schemes`, `host` and `basePath`. Missing parts come from the document's URL. https comes first, since the
 * first server gets the credentials.
 */
export function swaggerServers({ host, basePath, schemes }: Rec, base: string): ServerBinding[] {
  const from = /^https?:/.test(base) ? new URL(base) : undefined;
  const path = typeof basePath === 'string' ? `/${basePath.replace(/^\/+/, '')}` : '';
  const name = typeof host === 'string' && host.trim() !== '' ? cleanHost(host) : from?.host;
  const tail = path.replace(/\/$/, '');
  if (name === undefined) return tail === '' ? [] : [{ url: tail }];
  return chooseSchemes(schemes, from).map((scheme) => ({ url: `${scheme}://${name}${tail}` }));
}

/** Documents sometimes hold a whole URL in `host`. */
function cleanHost(host: string): string {
  return host
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/\/+$/, '');
}

function chooseSchemes(schemes: unknown, from: URL | undefined): string[] {
  const written = Array.isArray(schemes) ? schemes : [];
  const usable = ['https', 'http'].filter((scheme) => written.includes(scheme));
  return usable.length > 0 ? usable : [from === undefined ? 'https' : from.protocol.replace(':', '')];
}
