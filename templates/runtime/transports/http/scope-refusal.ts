/** A token that does not reach far enough, found out before its message reaches the core (RFC 6750, section 3.1). */
import type { RequestId } from '../../protocol/json-rpc.ts';
import type { ScopeError } from '../../protocol/scope-error.ts';
import { HttpRefusal } from './http-refusal.ts';

export class ScopeRefusal extends HttpRefusal {
  override readonly data: ScopeError['data'];

  /** @param challenge `WWW-Authenticate` */
  constructor({ message, code, data }: ScopeError, challenge: string, id?: RequestId) {
    super(403, message, { 'www-authenticate': challenge }, id, code);
    this.data = data;
  }
}
