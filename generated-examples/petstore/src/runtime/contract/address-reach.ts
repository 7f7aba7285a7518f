// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** IP addresses: public, of this machine or its network, or of metadata services of clouds. */
import { BlockList, isIP } from 'node:net';

/** `link-local`: clouds hand out credentials to the machine there. */
export type Reach = 'public' | 'inward' | 'link-local';

const LINK_LOCAL = makeBlockList([
  ...['169.254.0.0/16', 'fe80::/10'],
  // Metadata services at public addresses: Azure; Alibaba; Oracle.
  ...['168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'],
  // Metadata services at IPv6 addresses: AWS with EKS Pod Identity; Google; Oracle; Scaleway.
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'],
]);

/** IANA IPv4 Special-Purpose Address Registry, multicast, and reserved blocks. */
const INWARD_IPV4 = makeBlockList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]);

/** The only assigned part of IPv6, and NAT64 (RFC 6052), to which names resolve in networks with IPv6 alone. */
const GLOBAL_IPV6 = makeBlockList(['2000::/3', '64:ff9b::/96']);

const SPECIAL_IPV6 = makeBlockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/**
 * @param host an IP address, or a host as `URL` spells it. Names other than `localhost` count as public: the addresses that
 * they resolve to are judged
 */
export function classifyAddress(host: string): Reach {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (bare === 'localhost' || bare.endsWith('.localhost')) return 'inward';
  return isIP(bare) === 0 ? 'public' : classifyIpAddress(bare);
}

function classifyIpAddress(given: string): Reach {
  // The name of an interface may follow, as in `fe80::1%eth0`.
  const address = given.replace(/%.*$/s, '');
  const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (LINK_LOCAL.check(address, type)) return 'link-local';
  const isGlobal = type === 'ipv4' || GLOBAL_IPV6.check(address, type);
  const isSpecial = INWARD_IPV4.check(address, type) || SPECIAL_IPV6.check(address, type);
  return isGlobal && !isSpecial ? 'public' : 'inward';
}

export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && classifyIpAddress(address) === 'public';
}

/** Undefined when the host is a name. `URL` spells every notation of an address in the same way. */
export function ipAddressOfUrl({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';

  constructor(host: string, address: string) {
    super(
      host === address
        ? `${address} is not public`
        : `${host} has the address ${address}, which is not public`,
    );
  }
}

/** IPv4 blocks, with the IPv6 addresses that contain them: a router may translate these back. */
function makeBlockList(list: readonly string[]): BlockList {
  const found = new BlockList();
  for (const block of list) {
    const [address = '', length] = block.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    found.addSubnet(address, Number(length), family);
    if (family === 'ipv6') continue;
    // NAT64 (RFC 6052), and addresses that are compatible with IPv4 (RFC 4291, section 2.5.5.1).
    for (const prefix of ['64:ff9b::', '::']) found.addSubnet(prefix + address, 96 + Number(length), 'ipv6');
    found.addSubnet(to6to4Prefix(address), 16 + Number(length), 'ipv6');
  }
  return found;
}

/** RFC 3056, section 2. */
function to6to4Prefix(address: string): string {
  const [first, second] = [address.split('.').slice(0, 2), address.split('.').slice(2)].map((half) =>
    half.map((byte) => Number(byte).toString(16).padStart(2, '0')).join(''),
  );
  return `2002:${first}:${second}::`;
}
