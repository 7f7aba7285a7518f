/** The headers of a response that describe the resource: a HEAD request returns nothing else. */

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

/** One line for each header, as in `etag: "1"`, in the order they came. */
export function reportedHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => isReported(name))
    .map(([name, value]) => `${name}: ${value}`);
}
