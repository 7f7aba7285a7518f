/** What only a listener on HTTP heeds of flags and environment. */
import { readTlsFiles } from '../transports/http/serve-http.ts';
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
} from './settings.ts';
import { trustedProxies } from './trusted-proxies.ts';

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
