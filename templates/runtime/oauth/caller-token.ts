/** The token that a caller came with, and who it is about. */
import type { AuthInfo } from '../definition.ts';
import { holdsSecret } from '../redact.ts';

/**
 * The tokens that callers came with, for an exchange, and to tell that they go nowhere else: kept as long as what they say
 * is. Whoever has the `AuthInfo` of a caller (handlers, hooks, logs) does not have its token.
 */
const tokens = new WeakMap<AuthInfo, string>();

export function keepToken(caller: AuthInfo, token: string): void {
  tokens.set(caller, token);
}

export function tokenOf(caller: AuthInfo): string | undefined {
  return tokens.get(caller);
}

/** Whether a text holds the caller's token, however it is spelled. */
export function holdsToken(caller: AuthInfo, text: string): boolean {
  const token = tokenOf(caller);
  return token !== undefined && holdsSecret(text, token);
}

/** Issuer and subject as one text: who it is, whatever the token says beside it. */
export function subjectKey({ issuer, subject }: AuthInfo): string {
  return JSON.stringify([issuer, subject]);
}
