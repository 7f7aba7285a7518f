// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Downloads that an API keeps elsewhere: a GET is followed to another public origin. No API sends this server into its own network or to a metadata service. */
import type { Agent } from 'node:http';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Feature } from '../feature.ts';
import type { FollowElsewhere } from '../send.ts';
import { ToolError } from '../types.ts';

/** Any other header may hold a credential. */
const HARMLESS = ['accept', 'accept-encoding'];

/** @param allows says whether an address may be connected to */
export function redirects({
  allows = isPublicAddress,
}: { allows?: (address: string) => boolean } = {}): Feature {
  const follow: FollowElsewhere = async (request, target) => {
    if (!/^(?:GET|HEAD)$/.test(request.method) || !/^https?:$/.test(target.protocol)) return undefined;
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    // `lookup` is not asked for an address.
    if (isIP(host) !== 0 && !allows(host)) return undefined;
    const headers = new Map([...request.headers].filter(([name]) => HARMLESS.includes(name)));
    const agent = await openGuardedAgent(target.protocol, allows, refusal);
    return { method: request.method, url: target, headers, agent };
  };
  return { name: 'redirects', parts: { redirects: { follow } } };
}

function refusal(host: string): ToolError {
  return new ToolError(
    `The API redirected to ${host}, which is not public, so that was not followed. Check API_BASE_URL.`,
  );
}

// Addresses.

export function listBlocks(v4: string, v6: string): BlockList {
  const list = new BlockList();
  for (const [address = '', bits] of v6.split(' ').map((text) => text.split('/')))
    list.addSubnet(address, Number(bits), 'ipv6');
  for (const [address = '', bits] of v4.split(' ').map((text) => text.split('/'))) {
    list.addSubnet(address, Number(bits), 'ipv4');
    // Routers translate these back (NAT64, RFC 6052).
    list.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), 'ipv6');
  }
  return list;
}

/** IANA's registries of special addresses, multicast, reserved blocks; metadata services of Azure, Alibaba and Oracle. */
const SPECIAL = listBlocks(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 ' +
    '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32',
  '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
);
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');
GLOBAL_IPV6.addSubnet('64:ff9b::', 96, 'ipv6');
export function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/s, '');
  if (isIP(bare) === 0 || isListed(SPECIAL, bare)) return false;
  return isIP(bare) === 4 || isListed(GLOBAL_IPV6, bare);
}

/** A name is judged where the connection is made, which is shared with no other request, so that it can't resolve to another address in between. */
export async function openGuardedAgent(
  protocol: string,
  allows: (address: string) => boolean,
  refusal: (host: string) => Error,
): Promise<Agent> {
  const { lookup: resolve } = await import('node:dns');
  const { Agent: NewAgent } = await (protocol === 'https:' ? import('node:https') : import('node:http'));
  const lookup: LookupFunction = (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) done(error ?? new Error(`${name} has no address`), []);
      else if (!addresses.every(({ address }) => allows(address))) done(refusal(name), []);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  return new NewAgent({ lookup });
}
