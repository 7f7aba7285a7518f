/** Whose word for where requests come from is taken. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FlagValues } from './flags.ts';
import { type Environment, listOf, type TrustedProxies, UsageError } from './settings.ts';

/** Anyone can write the header: a few addresses that do must not keep a proxy from being named. */
const MOST_TOLD = 10;

/**
 * Tells once of each address that sends `X-Forwarded-For` and is not named as a proxy: limits by address count all of its
 * clients as one.
 */
export function unnamedProxies(
  proxies: BlockList | undefined,
  warn: (words: string) => void,
): (request: IncomingMessage) => void {
  const told = new Set<string>();
  return ({ headers, socket: { remoteAddress = '' } }) => {
    if (headers['x-forwarded-for'] === undefined || told.size >= MOST_TOLD || told.has(remoteAddress)) return;
    if (proxies?.check(remoteAddress, isIP(remoteAddress) === 6 ? 'ipv6' : 'ipv4') === true) return;
    told.add(remoteAddress);
    warn(
      `a request of ${remoteAddress} has X-Forwarded-For, which is ignored, since that address is not named as a proxy. ` +
        `If it is yours, set MCP_TRUSTED_PROXIES=${remoteAddress} or --trusted-proxy: until then limits by address ` +
        'count all of its clients as one.',
    );
  };
}

/** Of IPv6, whole registries and providers share a block whose prefix is shorter. */
const SHORTEST_IPV6 = 20;

/** Unique local and link-local addresses (RFC 4193; RFC 4291, section 2.5.6): of one network, however wide. */
const LOCAL_IPV6 = /^f(?:[cd]|e[89ab])/i;
const SHORTEST_LOCAL = 7;

/** First bytes of the IPv4 addresses that hosts have. */
const FIRST_BYTES = Array.from({ length: 223 }, (_, index) => index + 1);

interface Block {
  address: string;
  /** Of its prefix, in bits. */
  length: number;
  family: 'ipv4' | 'ipv6';
}

/** @throws {UsageError} for what is no address and no block */
export function trustedProxies(flags: FlagValues, env: Environment): TrustedProxies {
  const given = flags.get('trusted-proxy');
  const name = given === undefined ? 'MCP_TRUSTED_PROXIES' : '--trusted-proxy';
  const texts = given ?? listOf(env['MCP_TRUSTED_PROXIES']);
  if (texts.length === 0) return { proxies: undefined, wideProxies: [] };
  const proxies = new BlockList();
  const wideProxies = texts.filter((text) => {
    const block = blockOf(text, name);
    addTo(proxies, block);
    return isWide(block);
  });
  return { proxies, wideProxies };
}

function blockOf(text: string, name: string): Block {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const most = family === 'ipv6' ? 128 : 32;
  const length = prefix === undefined ? most : Number(prefix);
  if (isIP(address) !== 0 && length <= most) return { address, length, family };
  throw new UsageError(`${name} must be an address, or a block of them such as 10.0.0.0/8, not ${text}.`);
}

function addTo(list: BlockList, { address, length, family }: Block): void {
  list.addSubnet(address, length, family);
}

/** A block of IPv4 does when it spans two of `/8`, also one that stands in a block of IPv6 (RFC 4291, section 2.5.5.2). */
function isWide(block: Block): boolean {
  const alone = new BlockList();
  addTo(alone, block);
  if (FIRST_BYTES.filter((byte) => alone.check(`${byte}.0.0.1`)).length > 1) return true;
  const { address, length, family } = block;
  return family === 'ipv6' && length < (LOCAL_IPV6.test(address) ? SHORTEST_LOCAL : SHORTEST_IPV6);
}
