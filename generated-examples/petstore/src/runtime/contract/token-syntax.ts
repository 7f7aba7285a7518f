/** RFC 9110, section 5.6.2: a method, a header's name, a subprotocol. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export function isHttpToken(value: string): boolean {
  return TOKEN.test(value);
}

/** RFC 6749, section 3.3: what a token can be asked for, and a header can hold between quotes. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export function isScopeToken(value: string): boolean {
  return SCOPE.test(value);
}
