/** `WWW-Authenticate` (RFC 6750, section 3; RFC 9728, section 5.1): why a request is refused, and how to come back. */

export interface Challenge {
  error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  description?: string;
  scopes: readonly string[];
  /** Where the metadata of this server are. */
  metadata: string;
}

/** Of RFC 6749, section 3.3: what a header can hold, and clients can ask for. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export function writeChallenge({ error, description, scopes, metadata }: Challenge): string {
  const words = scopes.filter((scope) => SCOPE.test(scope)).join(' ');
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description.replace(/["\\]/g, "'")}"`]),
    ...(words === '' ? [] : [`scope="${words}"`]),
    `resource_metadata="${metadata}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
