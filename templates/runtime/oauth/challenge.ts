/** `WWW-Authenticate` (RFC 6750, section 3; RFC 9728, section 5.1): why a request is refused, and how to come back. */
import { isScopeToken } from '../contract/token-syntax.ts';

export interface Challenge {
  error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  description?: string;
  scopes: readonly string[];
  /** Where the metadata of this server are. */
  metadata: string;
}

export function writeChallenge({ error, description, scopes, metadata }: Challenge): string {
  const words = scopes.filter(isScopeToken).join(' ');
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description.replace(/["\\]/g, "'")}"`]),
    ...(words === '' ? [] : [`scope="${words}"`]),
    `resource_metadata="${metadata}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
