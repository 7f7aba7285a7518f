/** The caller's token does not reach far enough (RFC 6750, section 3.1: `insufficient_scope`). */
import { INVALID_REQUEST, ProtocolError } from './protocol-error.ts';

export class ScopeError extends ProtocolError {
  /** All that the request needs, also those that the token has. */
  readonly scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    const words = `The token does not reach this far: it takes the scopes ${scopes.join(', ')}.`;
    super(INVALID_REQUEST, words, 'scope', { requiredScopes: [...scopes] });
    this.scopes = scopes;
  }
}
