/** JSON Pointer (RFC 6901), as text and as the tokens it is made of. */
export function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

/** The tokens of a pointer that is empty or starts with `/`. */
export function pointerTokens(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeToken);
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

/** A URI fragment without its percent-encoding; as written when the encoding is broken. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
