/** What a peer must not send: the connection ends with this code and reason (RFC 6455, section 7.1.7). */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly code: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}
