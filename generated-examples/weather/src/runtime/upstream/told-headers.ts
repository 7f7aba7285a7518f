/** The headers of an answer that tell something of what was asked for: all that HEAD answers with. */

/** Those of the connection, of the server, of credentials, and those that only browsers and caches between heed. */
const UNTOLD = new Set(
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
export function isTold(name: string): boolean {
  return !UNTOLD.has(name) && !/^(access-control|content-security-policy)\b/.test(name);
}

/** `etag: "1"`, a line each, in the order they came. */
export function toldHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => isTold(name))
    .map(([name, value]) => `${name}: ${value}`);
}
