/**
 * The tokens that callers came with, for an exchange, and to tell that they go nowhere else: kept as long as what they say
 * is. Whoever has the `AuthInfo` of a caller (handlers, hooks, logs) does not have its token.
 */
import type { AuthInfo } from '../../definition.ts';

const tokens = new WeakMap<AuthInfo, string>();

export function keepToken(caller: AuthInfo, token: string): void {
  tokens.set(caller, token);
}

export function tokenOf(caller: AuthInfo): string | undefined {
  return tokens.get(caller);
}

/** How often a text may have been put into another that encodes it: a URL in a form in JSON. */
const MOST_ENCODINGS = 3;

/** Whether the token stands in a text, as it came or as URLs, forms and JSON write it. */
export function holdsToken(caller: AuthInfo, text: string): boolean {
  const token = tokenOf(caller);
  if (token === undefined) return false;
  let plain = text;
  for (let round = 0; round < MOST_ENCODINGS && !plain.includes(token); round++) {
    const shorter = decoded(plain);
    if (shorter === plain) return false;
    plain = shorter;
  }
  return plain.includes(token);
}

/** With its ASCII, which is all that a token has, as it was before; the rest may stay what it is. */
function decoded(text: string): string {
  return text.replace(
    /%([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\([/"\\])/gi,
    (_, percent?: string, escaped?: string, character = '') => {
      const code = percent ?? escaped;
      return code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
}
