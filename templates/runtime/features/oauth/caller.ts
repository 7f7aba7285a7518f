// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The caller of a request, as handlers know him, and his token, which they never see. */
import type { JsonObject } from '../../types.ts';

/** What a checked token says. The token itself is not in it. */
export interface AuthInfo {
  readonly issuer: string;
  /** Unique only together with the issuer. */
  readonly subject: string;
  readonly clientId?: string;
  /** Those that were granted, without those that they imply. */
  readonly scopes: readonly string[];
  /** Seconds since 1970. An introspection may leave it out (RFC 7662, section 2.2). */
  readonly expiresAt?: number;
  readonly claims: Readonly<JsonObject>;
  /** The keys of the client that each request proves (RFC 7800). Absent for bearer tokens. */
  readonly confirmation?: Confirmation;
}
export type Confirmation = Readonly<Partial<Record<'jkt' | 'x5t#S256', string>>>;
export type Claims = Readonly<Record<string, unknown>>;

export interface VerifiedToken {
  issuer: string;
  subject: string;
  clientId?: string;
  scopes: readonly string[];
  /** Seconds since 1970. */
  expiresAt: number;
  claims?: JsonObject;
  /** The key that the token is bound to, as a claim names it. Refused without the feature dpop. */
  cnf?: JsonObject;
}

/**
 * Checks a token completely, signature and audience included. `undefined` leaves it to the checks of this server, `Unavailable` says
 * that it can't be checked now, any other error refuses it. `signal` aborts after five seconds.
 */
export type VerifyToken = (
  token: string,
  options: { signal: AbortSignal },
) => VerifiedToken | undefined | Promise<VerifiedToken | undefined>;

/** Thrown by `verifyToken`, it answers with 503. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** Apart from `AuthInfo`, which handlers and logs see. An exchange needs it, and so does the check that it goes to no API. */
const tokens = new WeakMap<AuthInfo, string>();

export const keepToken = (auth: AuthInfo, token: string): void => void tokens.set(auth, token);
export const tokenOf = (auth: AuthInfo): string | undefined => tokens.get(auth);

/** Whose sessions, limits and credentials these are: one name at two issuers is two callers. */
export const subjectOf = ({ issuer, subject }: AuthInfo): string => JSON.stringify([issuer, subject]);

/** Shorter parts of a token occur in ordinary words. */
const PART = 8;

/** Replaces each part of a token of eight characters or more: one that is split over several arguments can't be read from a log either. */
export function redactToken(text: string, token: string): string {
  const parts = new Set<string>();
  for (let at = 0; at + PART <= token.length; at++) parts.add(token.slice(at, at + PART));
  let redacted = '';
  let [kept, end] = [0, 0];
  for (let at = 0; at + PART <= text.length; at++) {
    if (!parts.has(text.slice(at, at + PART))) continue;
    if (at >= end) redacted += text.slice(kept, at) + '[redacted]';
    kept = end = at + PART;
  }
  return redacted + text.slice(kept);
}

/** URLs and forms escape by `%2B`, JSON by `\u002b` and `\/`, and each may escape the other. */
const ESCAPE = /%([\da-f]{2})|\\u00([\da-f]{2})|\\([\\/])/gi;
const MAX_ESCAPES = 4;

/** Whether a text holds the caller's token, plain or as URLs, forms and JSON escape it. */
export function holdsToken(text: string, auth: AuthInfo): boolean {
  const token = tokens.get(auth);
  if (token === undefined) return false;
  let plain = text;
  for (let times = 0; times < MAX_ESCAPES && !plain.includes(token); times++)
    plain = plain.replace(ESCAPE, (_, percent?: string, unicode?: string, character?: string) =>
      character === undefined
        ? String.fromCharCode(Number.parseInt(percent ?? unicode ?? '', 16))
        : character,
    );
  return plain.includes(token);
}
