import { ProtocolError } from '../../protocol/protocol-error.ts';
import type { Call } from '../call.ts';

/** The revision's own way to say that there is no resource at `uri`. */
export function unknownResource({ agreement }: Pick<Call, 'agreement'>, uri: string): ProtocolError {
  return new ProtocolError(agreement.features.unknownResource, `Resource not found: ${uri}`, 'work', { uri });
}
