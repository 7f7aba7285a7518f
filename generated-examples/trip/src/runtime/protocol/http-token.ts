/** RFC 9110, section 5.6.2: a method, a header's name, a subprotocol. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export function isHttpToken(value: string): boolean {
  return TOKEN.test(value);
}
