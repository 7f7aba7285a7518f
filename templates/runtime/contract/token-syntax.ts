// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Names that standards give to things: whether a text may be one, and which headers describe a resource. */

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

/** "NameStartChar" and "NameChar" (section 2.3) without the colon, which separates a prefix (Namespaces in XML). */
const XML_START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const XML_NAME = new RegExp(
  `^[${XML_START}][${XML_START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}]*$`,
  'u',
);

export function isXmlName(text: string): boolean {
  return XML_NAME.test(text);
}

/** Headers about the connection, the server or credentials, and headers that only browsers and caches use, are left out. */
const LEFT_OUT = new Set(
  (
    'alt-svc connection cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy date ' +
    'expect-ct keep-alive nel origin-agent-cluster permissions-policy proxy-authenticate proxy-connection ' +
    'referrer-policy report-to reporting-endpoints server server-timing set-cookie strict-transport-security te ' +
    'timing-allow-origin trailer transfer-encoding upgrade vary via www-authenticate x-content-type-options ' +
    'x-dns-prefetch-control x-download-options x-frame-options x-permitted-cross-domain-policies x-powered-by ' +
    'x-xss-protection'
  ).split(' '),
);

/** @param name in lower case */
export function isReported(name: string): boolean {
  return !LEFT_OUT.has(name) && !/^(access-control|content-security-policy)\b/.test(name);
}
