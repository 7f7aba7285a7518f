/** What only a listener on HTTP heeds of flags and environment. */
import { BlockList, isIP } from 'node:net';
import { readTlsFiles, type TlsFiles } from '../transports/http/tls-files.ts';
import type { FlagValues } from './flags.ts';
import { boundOf, type Environment, listOf, named, UsageError } from './settings.ts';

export interface HttpSettings {
  /** As `URL` spells them; none: any on an address of the network, those of this machine on a loopback address. */
  allowedHosts: readonly string[];
  /** Whose `X-Forwarded-For` counts; undefined: nobody's. */
  proxies: BlockList | undefined;
  /** Connections of one address open at one time. */
  connectionsPerAddress: number | 'off' | 'default';
  /** Undefined: without TLS. */
  tls: TlsFiles | undefined;
}

/** @throws {UsageError} naming the flag or variable whose value can't be used */
export function readHttpSettings(flags: FlagValues, env: Environment): HttpSettings {
  return {
    allowedHosts: listOf(env['MCP_ALLOWED_HOSTS']).map(hostnameOf),
    proxies: proxiesOf(flags, env),
    connectionsPerAddress: connectionsOf(flags, env),
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

function proxiesOf(flags: FlagValues, env: Environment): BlockList | undefined {
  const given = flags.get('trusted-proxy');
  const blocks = given ?? listOf(env['MCP_TRUSTED_PROXIES']);
  if (blocks.length === 0) return undefined;
  const list = new BlockList();
  for (const block of blocks)
    if (!addTo(list, block))
      throw new UsageError(
        `${given === undefined ? 'MCP_TRUSTED_PROXIES' : '--trusted-proxy'} must be an address, or a block of them ` +
          `such as 10.0.0.0/8, not ${block}.`,
      );
  return list;
}

/** False for what is no address and no block. */
function addTo(list: BlockList, block: string): boolean {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(block) ?? [];
  const family = isIP(address);
  const most = family === 6 ? 128 : 32;
  const length = prefix === undefined ? most : Number(prefix);
  if (family === 0 || length > most) return false;
  list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4');
  return true;
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
