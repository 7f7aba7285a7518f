// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Settings of the server over HTTP: read from flags and environment, with warnings about insecure ones. */
import { readTlsFiles, type ConnectionLimit } from '../transports/http/serve-http.ts';
import type { FlagValues } from './flags.ts';
import { HTTP_LIMIT_VARIABLES } from './limit-variables.ts';
import { checkPassedHeaders } from './pass-headers.ts';
import {
  type Environment,
  type HttpSettings,
  parseBound,
  readLimits,
  readSetting,
  type Settings,
  splitList,
  type TlsFiles,
  UsageError,
} from './settings.ts';
import { readTrustedProxies } from './trusted-proxies.ts';
import { isLoopback } from '../transports/http/origin-check.ts';
import type { Limits } from '../limits.ts';

/** @throws {UsageError} naming the flag or variable whose value can't be used */
export function readHttpSettings(flags: FlagValues, env: Environment, hasApi: boolean): HttpSettings {
  return {
    allowedHosts: splitList(env['MCP_ALLOWED_HOSTS']).map(parseHostname),
    ...readTrustedProxies(flags, env),
    connectionsPerAddress: parseBound(...readSetting(flags, env, 'connections', 'MCP_CONNECTIONS')),
    limits: readLimits(HTTP_LIMIT_VARIABLES, env),
    passHeaders: hasApi ? readPassedHeaders(flags, env) : [],
    tls: readTls(flags, env),
  };
}

function parseHostname(value: string): string {
  const url = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(value) ? `http://${value}` : '';
  if (URL.canParse(url)) return new URL(url).hostname;
  throw new UsageError(
    `MCP_ALLOWED_HOSTS must hold names without ports, such as mcp.example.com, separated by commas, not ${value}.`,
  );
}

function readPassedHeaders(flags: FlagValues, env: Environment): string[] {
  const given = flags.get('pass-header');
  if (given !== undefined) return checkPassedHeaders('--pass-header', given);
  return checkPassedHeaders('MCP_PASS_HEADERS', splitList(env['MCP_PASS_HEADERS']));
}

function readTls(flags: FlagValues, env: Environment): TlsFiles | undefined {
  const [certName, cert] = readSetting(flags, env, 'tls-cert', 'MCP_TLS_CERT');
  const [keyName, key] = readSetting(flags, env, 'tls-key', 'MCP_TLS_KEY');
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

/**
 * Warnings about settings that weaken the server's protection. Bounds that are off are reported only if other machines can
 * reach the server.
 */
export function insecureHttpSettings({ host, rateLimit, http }: Settings): string[] {
  if (http === undefined) return [];
  const warnings = http.wideProxies.map(
    (block) =>
      `${block} is trusted as a proxy, and that is so wide that clients are in it: each may write any address into ` +
      'X-Forwarded-For, and limits by address hold nobody. Name the addresses of the proxies alone, by --trusted-proxy or MCP_TRUSTED_PROXIES.',
  );
  if (isLoopback(host)) return warnings;
  const where = `and the server is bound to ${host}`;
  if (rateLimit === 'off')
    warnings.push(
      `Calls are not limited (--rate-limit off), ${where}: one client may take it from all others, and the API too.`,
    );
  if (http.connectionsPerAddress === 'off')
    warnings.push(
      `Connections are not limited (--connections off), ${where}: one address may take them all.`,
    );
  return warnings;
}

/** Undefined if connections are not limited. `warn` gets only the first address over the limit, since there may be thousands. */
export function connectionLimit(
  { http }: Pick<Settings, 'http'>,
  { connectionsPerAddress }: Limits,
  warn: (words: string) => void,
): ConnectionLimit | undefined {
  const set = http?.connectionsPerAddress ?? 'default';
  if (set === 'off') return undefined;
  let isWarned = false;
  const closed = (address: string): void => {
    if (isWarned) return;
    isWarned = true;
    warn(
      `${address} has as many connections as one address may have, and more are closed; of other addresses this is not told ` +
        'again. Is it a proxy? Then name it by --trusted-proxy. --connections sets the number.',
    );
  };
  return { most: set === 'default' ? connectionsPerAddress : set, proxies: http?.proxies, closed };
}
