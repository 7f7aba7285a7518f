/** The text that a value of `Mcp-Name` or `Mcp-Param-*` stands for ("Value Encoding"). */

/** Visible ASCII, blanks and tabs (RFC 9110, section 5.5, without what is obsolete). */
const PLAIN = /^[\t\u0020-\u007e]*$/;

/** Alphabet and padding of RFC 4648, section 4. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Undefined when the value is not encoded as it must be. */
export function headerText(value: string): string | undefined {
  if (!PLAIN.test(value)) return undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : decoded(encoded);
}

function decoded(encoded: string): string | undefined {
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  // Bits that no byte takes up would let two headers stand for one value.
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
