// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * A cache of credentials of callers, in which each is requested once for concurrent calls, and the parser of those
 * that the project's own code gives.
 */
import { isRecord, putAndDropOldest } from '../../contract/json-value.ts';
import { canonicalJson } from '../../core/rounds.ts';
import type { AuthInfo, CallerScheme } from '../../definition.ts';
import type { Waiting } from '../../feature-loaders.ts';
import { isExpiry, isText } from '../claims.ts';

export interface Holding<T> {
  value: T;
  /** Milliseconds since 1970. A time in the past: the value is for the calls that wait, and is not kept. */
  until: number;
}

type Ask<T> = (signal: AbortSignal) => Promise<Holding<T>>;

export class Held<T> {
  readonly #most: number;
  readonly #now: () => number;
  readonly #holdings = new Map<string, Holding<T>>();
  readonly #pending = new Map<string, SharedAsk<T>>();

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  async getOrAsk(key: string, ask: Ask<T>, waiting: Waiting): Promise<Holding<T>> {
    const holding = this.#holdings.get(key);
    if (holding !== undefined && this.#now() < holding.until) return holding;
    return (this.#pending.get(key) ?? this.#beginRequest(key, ask)).joinWaiting(waiting);
  }

  forgetHolding(key: string, holding: Holding<T>): void {
    if (this.#holdings.get(key) === holding) this.#holdings.delete(key);
  }

  #beginRequest(key: string, ask: Ask<T>): SharedAsk<T> {
    const shared = new SharedAsk(ask, () => this.#endRequest(key, shared));
    this.#pending.set(key, shared);
    shared.outcome.then(
      (holding) => this.#endRequest(key, shared) && this.#keepHolding(key, holding),
      () => this.#endRequest(key, shared),
    );
    return shared;
  }

  /** Ends a pending request. Returns false if another one has replaced it. */
  #endRequest(key: string, shared: SharedAsk<T>): boolean {
    return this.#pending.get(key) === shared && this.#pending.delete(key);
  }

  #keepHolding(key: string, holding: Holding<T>): void {
    this.#holdings.delete(key);
    if (this.#now() < holding.until) putAndDropOldest(this.#holdings, key, holding, this.#most);
  }
}

/** Several calls wait for one request, which is aborted when the last of them is cancelled. */
class SharedAsk<T> {
  readonly outcome: Promise<Holding<T>>;
  readonly #controller = new AbortController();
  readonly #left: () => void;
  #waiting = 0;

  constructor(ask: Ask<T>, left: () => void) {
    this.#left = left;
    this.outcome = ask(this.#controller.signal);
  }

  async joinWaiting(waiting: Waiting): Promise<Holding<T>> {
    this.#waiting++;
    const release = waiting.onEnd(() => {
      if (--this.#waiting > 0) return;
      this.#left();
      this.#controller.abort();
    });
    try {
      return await this.outcome;
    } finally {
      release();
    }
  }
}

export const SHAPES: Readonly<Record<CallerScheme['type'], string>> = {
  apiKey: '{ apiKey }',
  basic: '{ username, password? }',
  bearer: '{ token }',
  oauth2: '{ token }',
  http: '{ authorization }',
};

/** Returns credentials by the variables that hold the server's own; undefined for an answer that can't be used. */
export function parseCredentials(scheme: CallerScheme, given: unknown): Record<string, string> | undefined {
  if (!isRecord(given)) return undefined;
  switch (scheme.type) {
    case 'apiKey':
      return namedCredential(scheme.env.key, given['apiKey']);
    case 'basic': {
      const { username, password = '' } = given;
      if (!isText(username) || typeof password !== 'string') return undefined;
      return { [scheme.env.username]: username, [scheme.env.password]: password };
    }
    case 'bearer':
    case 'oauth2':
      return namedCredential(scheme.env.token, given['token']);
    case 'http':
      return namedCredential(scheme.env.authorization, given['authorization']);
  }
}

/** Returns milliseconds since 1970; 0 without an expiry; undefined if it is no time in the future. */
export function parseExpiry(given: unknown, now: number): number | undefined {
  const { expiresAt } = isRecord(given) ? given : {};
  if (expiresAt === undefined) return 0;
  return isExpiry(expiresAt) && expiresAt * 1000 > now ? expiresAt * 1000 : undefined;
}

function namedCredential(variable: string, value: unknown): Record<string, string> | undefined {
  return isText(value) ? { [variable]: value } : undefined;
}

/** These claims differ between tokens of the same caller (RFC 7519, section 4.1). */
const TOKEN_CLAIMS = new Set(['exp', 'nbf', 'iat', 'jti']);

const keys = new WeakMap<AuthInfo, string>();

/**
 * The key has all that may decide the credentials, so that a token with fewer scopes, of another client or for
 * another tenant never gets credentials of a wider one.
 */
export function callerKey(caller: AuthInfo): string {
  const known = keys.get(caller);
  if (known !== undefined) return known;
  const { issuer, subject, clientId = null, scopes, claims } = caller;
  const lasting = Object.fromEntries(Object.entries(claims).filter(([name]) => !TOKEN_CLAIMS.has(name)));
  const key = canonicalJson([issuer, subject, clientId, [...scopes].sort(), lasting]);
  keys.set(caller, key);
  return key;
}
