/** What settings take away from the protection of a server: told once to the one who runs it, who may not have meant it. */
import { isLoopback } from '../transports/http/origin-check.ts';
import type { Settings } from './settings.ts';

/** A sentence or two for each. Bounds that are off are told of where others than this machine reach the server. */
export function weakenedHttp(settings: Settings): string[] {
  const { http } = settings;
  return [
    ...(http?.wideProxies ?? []).map(anyProxy),
    ...(http === undefined || isLoopback(settings.host) ? [] : offOf(settings)),
  ];
}

function anyProxy(block: string): string {
  return (
    `${block} is trusted as a proxy, and that is so wide that clients are in it: each may write any address into ` +
    'X-Forwarded-For, and limits by address hold nobody. Name the addresses of the proxies alone, by --trusted-proxy or MCP_TRUSTED_PROXIES.'
  );
}

function offOf({ host, rateLimit, http }: Settings): string[] {
  const where = `and the server is bound to ${host}`;
  return [
    ...(rateLimit === 'off'
      ? [
          `Calls are not limited (--rate-limit off), ${where}: one client may take it from all others, and the API too.`,
        ]
      : []),
    ...(http?.connectionsPerAddress === 'off'
      ? [`Connections are not limited (--connections off), ${where}: one address may take them all.`]
      : []),
  ];
}
