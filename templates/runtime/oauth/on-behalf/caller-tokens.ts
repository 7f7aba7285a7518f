/**
 * The tokens that callers came with, for an exchange alone: kept as long as what they say is, and nowhere else. Whoever has
 * the `AuthInfo` of a caller (handlers, hooks, logs) does not have its token.
 */
import type { AuthInfo } from '../../definition.ts';

const tokens = new WeakMap<AuthInfo, string>();

export function keepToken(caller: AuthInfo, token: string): void {
  tokens.set(caller, token);
}

export function tokenOf(caller: AuthInfo): string | undefined {
  return tokens.get(caller);
}
