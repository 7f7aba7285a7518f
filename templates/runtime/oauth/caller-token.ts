// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The tokens of callers, and their keys. */
import type { AuthInfo } from '../definition.ts';
import { holdsSecret } from '../redact.ts';

/**
 * Tokens are kept apart from the `AuthInfo`, which handlers, hooks and logs see. An exchange needs them, and so does the check
 * that a caller's token is sent to no API.
 */
const tokens = new WeakMap<AuthInfo, string>();

export function keepToken(caller: AuthInfo, token: string): void {
  tokens.set(caller, token);
}

export function findToken(caller: AuthInfo): string | undefined {
  return tokens.get(caller);
}

/** Finds the caller's token in a text, in any encoding. */
export function holdsToken(caller: AuthInfo, text: string): boolean {
  const token = findToken(caller);
  return token !== undefined && holdsSecret(text, token);
}

/** Identifies a caller by issuer and subject. */
export function subjectKey({ issuer, subject }: AuthInfo): string {
  return JSON.stringify([issuer, subject]);
}
