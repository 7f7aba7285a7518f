/** Settings of the server over HTTP: read from flags and environment, with warnings about insecure ones. */
import { readTlsFiles, type ConnectionLimit } from '../transports/http/serve-http.ts';
import type { FlagValues } from './flags.ts';
import { HTTP_LIMIT_VARIABLES } from './limit-variables.ts';
import {
  boundOf,
  type Environment,
  type HttpSettings,
  limitsBy,
  listOf,
  named,
  type TlsFiles,
  UsageError,
  type Settings,
} from './settings.ts';
import { trustedProxies } from './trusted-proxies.ts';
import { isLoopback } from '../transports/http/origin-check.ts';
import type { Limits } from '../limits.ts';

/** @throws {UsageError} naming the flag or variable whose value can't be used */
export function readHttpSettings(flags: FlagValues, env: Environment): HttpSettings {
  return {
    allowedHosts: listOf(env['MCP_ALLOWED_HOSTS']).map(hostnameOf),
    ...trustedProxies(flags, env),
    connectionsPerAddress: connectionsOf(flags, env),
    limits: limitsBy(HTTP_LIMIT_VARIABLES, env),
    tls: tlsOf(flags, env),
  };
}

function hostnameOf(value: string): string {
  const url = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(value) ? `http://${value}` : '';
  if (URL.canParse(url)) return new URL(url).hostname;
  throw new UsageError(
    `MCP_ALLOWED_HOSTS must hold names without ports, such as mcp.example.com, separated by commas, not ${value}.`,
  );
}

function connectionsOf(flags: FlagValues, env: Environment): HttpSettings['connectionsPerAddress'] {
  const flag = flags.get('connections')?.[0];
  const variable = env['MCP_CONNECTIONS'];
  return boundOf(...named('--connections', flag, 'MCP_CONNECTIONS', variable));
}

function tlsOf(flags: FlagValues, env: Environment): TlsFiles | undefined {
  const [certName, cert] = named(
    '--tls-cert',
    flags.get('tls-cert')?.[0],
    'MCP_TLS_CERT',
    env['MCP_TLS_CERT'],
  );
  const [keyName, key] = named('--tls-key', flags.get('tls-key')?.[0], 'MCP_TLS_KEY', env['MCP_TLS_KEY']);
  if (cert === undefined && key !== undefined)
    throw new UsageError(
      `${keyName} goes with a certificate: give ${certName === 'MCP_TLS_CERT' ? '--tls-cert' : certName} as well.`,
    );
  const { MCP_TLS_PASSPHRASE: passphrase = '' } = env;
  if (cert === undefined) return undefined;
  const files = { cert, key: key ?? cert, ...(passphrase === '' ? {} : { passphrase }) };
  try {
    readTlsFiles(files);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `${certName} and ${keyName} must be PEM files of a certificate and its key: ${reason}. A key with a passphrase ` +
        'needs MCP_TLS_PASSPHRASE.',
      { cause },
    );
  }
  return files;
}

/** A sentence or two for each. Bounds that are off are told of where others than this machine reach the server. */
export function insecureHttpSettings(settings: Settings): string[] {
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

/** Undefined: as many as come. `warn` is told of the first address that has too many: others may be thousands. */
export function connectionLimit(
  { http }: Pick<Settings, 'http'>,
  { connectionsPerAddress }: Limits,
  warn: (words: string) => void,
): ConnectionLimit | undefined {
  const set = http?.connectionsPerAddress ?? 'default';
  if (set === 'off') return undefined;
  let isTold = false;
  const closed = (address: string): void => {
    if (!isTold) warn(crowd(address));
    isTold = true;
  };
  return { most: set === 'default' ? connectionsPerAddress : set, proxies: http?.proxies, closed };
}

function crowd(address: string): string {
  return (
    `${address} has as many connections as one address may have, and more are closed; of other addresses this is not told ` +
    'again. Is it a proxy? Then name it by --trusted-proxy. --connections sets the number.'
  );
}
