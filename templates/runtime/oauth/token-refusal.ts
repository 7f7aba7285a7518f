/** Why a token does not count (RFC 6750, section 3.1: `invalid_token`). The words are ours, and hold nothing of the token. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  /** For the log, where the issuer or the server must be changed: why its tokens are refused. It is told once of each issuer. */
  readonly fault: string | undefined;
  /** Its issuer has signed it: nobody else can have made it up. */
  isSigned = false;

  constructor(message: string, fault?: string) {
    super(message);
    this.fault = fault;
  }
}

/** Tokens can't be checked now, whatever they are worth: whoever issues them can't be reached, or says what nobody can use. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  /** Somebody was asked about this very token: what anyone can bring about by made-up ones, and so is counted. */
  readonly isOfToken: boolean;

  constructor(message: string, isOfToken = false) {
    super(message);
    this.isOfToken = isOfToken;
  }
}
