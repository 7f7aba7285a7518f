/** The token of a request: in the header `Authorization`, and nowhere else (MCP, "Access Token Usage"). */
import type { IncomingMessage } from 'node:http';

export type Bearer =
  | { kind: 'token'; token: string }
  | { kind: 'none' }
  /** One was sent, in a way that is refused whatever it is worth. */
  | { kind: 'misplaced' }
  /** By the scheme of tokens that are bound to a key (RFC 9449, section 7.1). */
  | { kind: 'constrained' }
  | { kind: 'malformed' };

/** RFC 6750, section 2.1. Schemes know no case (RFC 9110, section 11.1). */
const BEARER = /^bearer +([\w.~+/-]+=*) *$/i;

export function bearerOf({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): Bearer {
  // It would stand in logs and histories (RFC 6750, section 5.3).
  if (hasQueryToken(url)) return { kind: 'misplaced' };
  const { authorization } = headers;
  if (authorization === undefined) return { kind: 'none' };
  const token = BEARER.exec(authorization)?.[1];
  if (token !== undefined) return { kind: 'token', token };
  if (/^dpop\b/i.test(authorization)) return { kind: 'constrained' };
  return { kind: /^bearer\b/i.test(authorization) ? 'malformed' : 'none' };
}

function hasQueryToken(url: string): boolean {
  const query = url.indexOf('?');
  return query !== -1 && new URLSearchParams(url.slice(query)).has('access_token');
}
