import { isLoopback } from '../transports/http/origin-check.ts';

/**
 * An absolute URL that nobody in between can answer: https, or http on this machine. Without a user and a fragment.
 */
export function secureUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !URL.canParse(text) || /[\s#]/.test(text)) return undefined;
  const url = new URL(text);
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(bareHost(url)));
  return isSecure && url.username === '' && url.password === '' ? url : undefined;
}

/** Without a query too, as issuers and resources are written (RFC 8414, section 2; RFC 9728, section 1.2). */
export function secureName(text: unknown): URL | undefined {
  const url = secureUrl(text);
  return url === undefined || url.href.includes('?') ? undefined : url;
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
