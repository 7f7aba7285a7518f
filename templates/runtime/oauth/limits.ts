/** The bounds of what is kept of issuers and tokens. */
export const AUTH_LIMITS = {
  /** Milliseconds after which the keys of an issuer are fetched anew, and a JWT that they verified is looked at again. */
  keysMs: 10 * 60_000,
  /** Milliseconds that keys count for while their issuer can't be reached. */
  staleKeysMs: 60 * 60_000,
  /** Milliseconds from one fetch of keys to the next for the sake of a token whose key is not among them. */
  cooldownMs: 30_000,
  /** Milliseconds after a fetch that failed during which none is tried. */
  failureMs: 5_000,
  /** Tokens that are remembered as good, and as many as bad: the one that was checked longest ago is forgotten first. */
  tokens: 10_000,
  /** Milliseconds that a token that was asked about is remembered, and never longer than it is valid: it may be revoked meanwhile. */
  introspectionMs: 30_000,
  /** Milliseconds after which a token that the project's own code took is looked at again, for what it opened and still lasts. */
  ownMs: 30_000,
  /** Milliseconds that the project's own code has to check a token. */
  ownTimeoutMs: 5_000,
  /** Checks of tokens that the project's own code has under way at a time. */
  ownChecks: 1_000,
  /** Milliseconds that one which goes on after its time is still counted among them. */
  ownLateMs: 60_000,
  /** Milliseconds that a bad token is remembered. */
  refusedMs: 5_000,
  /** Milliseconds that what a token opened goes on while nobody can say whether it is still good. */
  uncheckedMs: 60_000,
  /** Questions about tokens under way at a time; others wait. */
  questions: 64,
  /** Answers in a row that say nothing of their tokens, after which nobody is asked for `failureMs`. */
  failuresInARow: 10,
  /** Checks a minute of one address that end in a refusal, or in a question without an answer. */
  refusalsPerMinute: 300,
  /** Checks a minute beyond these that an address still has, of JWTs: to look at a signature costs about as much as a request. */
  spareJwtsPerMinute: 3_000,
  /** The same, of other tokens: somebody is asked about each. */
  spareQuestionsPerMinute: 120,
  /** Milliseconds without a check beyond the limit, after which the log says that it is over. */
  calmMs: 60_000,
  /** Addresses of which the log says so at one time. */
  toldAddresses: 100,
  /** Addresses whose refusals are counted. */
  addresses: 10_000,
};

/** After which issuers that could not be reached may be there again. */
export const RETRY_SECONDS = String(AUTH_LIMITS.failureMs / 1000);

export type AuthLimits = typeof AUTH_LIMITS;
