// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The proxies whose X-Forwarded-For is trusted. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FlagValues } from './flags.ts';
import { type Environment, splitList, type TrustedProxies, UsageError } from './settings.ts';

/** The log names several addresses, since anyone can send the header and only one of them may be the proxy. */
const MOST_REPORTED = 10;

/** Warns once about each address that sends `X-Forwarded-For` and is not named as a proxy. */
export function watchUnnamedProxies(
  proxies: BlockList | undefined,
  warn: (words: string) => void,
): (request: IncomingMessage) => void {
  const reported = new Set<string>();
  return ({ headers, socket: { remoteAddress = '' } }) => {
    if (
      headers['x-forwarded-for'] === undefined ||
      reported.size >= MOST_REPORTED ||
      reported.has(remoteAddress)
    )
      return;
    if (proxies?.check(remoteAddress, isIP(remoteAddress) === 6 ? 'ipv6' : 'ipv4') === true) return;
    reported.add(remoteAddress);
    warn(
      `a request of ${remoteAddress} has X-Forwarded-For, which is ignored, since that address is not named as a proxy. ` +
        `If it is yours, set MCP_TRUSTED_PROXIES=${remoteAddress} or --trusted-proxy: until then limits by address ` +
        'count all of its clients as one.',
    );
  };
}

/** An IPv6 block with a shorter prefix belongs to several providers or a whole registry. */
const SHORTEST_IPV6 = 20;

/** Unique local and link-local addresses (RFC 4193; RFC 4291, section 2.5.6) stay within one network, however wide the block. */
const LOCAL_IPV6 = /^f(?:[cd]|e[89ab])/i;
const SHORTEST_LOCAL = 7;

/** The first bytes of IPv4 addresses that hosts can have. */
const FIRST_BYTES = Array.from({ length: 223 }, (_, index) => index + 1);

type Block = [address: string, prefixBits: number, family: 'ipv4' | 'ipv6'];

/** @throws {UsageError} for a text that is neither an address nor a block */
export function readTrustedProxies(flags: FlagValues, env: Environment): TrustedProxies {
  const given = flags.get('trusted-proxy');
  const name = given === undefined ? 'MCP_TRUSTED_PROXIES' : '--trusted-proxy';
  const texts = given ?? splitList(env['MCP_TRUSTED_PROXIES']);
  if (texts.length === 0) return { proxies: undefined, wideProxies: [] };
  const proxies = new BlockList();
  const wideProxies = texts.filter((text) => {
    const block = parseBlock(text, name);
    proxies.addSubnet(...block);
    return isWide(block);
  });
  return { proxies, wideProxies };
}

function parseBlock(text: string, name: string): Block {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const most = family === 'ipv6' ? 128 : 32;
  const bits = prefix === undefined ? most : Number(prefix);
  if (isIP(address) !== 0 && bits <= most) return [address, bits, family];
  throw new UsageError(`${name} must be an address, or a block of them such as 10.0.0.0/8, not ${text}.`);
}

/** A wide IPv4 block spans two of `/8`, also if it is written as IPv6 (RFC 4291, section 2.5.5.2). */
function isWide([address, bits, family]: Block): boolean {
  const alone = new BlockList();
  alone.addSubnet(address, bits, family);
  if (FIRST_BYTES.filter((byte) => alone.check(`${byte}.0.0.1`)).length > 1) return true;
  return family === 'ipv6' && bits < (LOCAL_IPV6.test(address) ? SHORTEST_LOCAL : SHORTEST_IPV6);
}
