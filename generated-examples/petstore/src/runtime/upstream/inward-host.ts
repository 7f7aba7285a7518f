/** Hosts that mean this machine or the network it is in: an API elsewhere has no say about them. */
import { BlockList, isIP } from 'node:net';

/** `link-local`: where clouds hand out credentials to the machine itself. */
export type Reach = 'public' | 'inward' | 'link-local';

const LINK_LOCAL = blocks(['169.254.0.0/16', 'fe80::/10']);

/** RFC 6890, without what is no use to anyone. */
const INWARD = blocks([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::/128', '::1/128', 'fc00::/7', 'fec0::/10'],
]);

/**
 * By what the host says of itself: names other than `localhost` are not looked up.
 *
 * @param hostname as `URL` spells it
 */
export function reachOf(hostname: string): Reach {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'inward';
  const family = isIP(host);
  if (family === 0) return 'public';
  const type = family === 6 ? 'ipv6' : 'ipv4';
  if (LINK_LOCAL.check(host, type)) return 'link-local';
  return INWARD.check(host, type) ? 'inward' : 'public';
}

/** Blocks of IPv4 with what stands for them in IPv6, which whoever is in between may translate back. */
function blocks(list: readonly string[]): BlockList {
  const found = new BlockList();
  for (const block of list) {
    const [address = '', length] = block.split('/');
    found.addSubnet(address, Number(length), isIP(address) === 6 ? 'ipv6' : 'ipv4');
    if (isIP(address) !== 4) continue;
    // NAT64 (RFC 6052), and addresses that are compatible with IPv4 (RFC 4291, section 2.5.5.1).
    for (const prefix of ['64:ff9b::', '::']) found.addSubnet(prefix + address, 96 + Number(length), 'ipv6');
    found.addSubnet(sixToFour(address), 16 + Number(length), 'ipv6');
  }
  return found;
}

/** RFC 3056, section 2. */
function sixToFour(address: string): string {
  const [first, second] = [address.split('.').slice(0, 2), address.split('.').slice(2)].map((half) =>
    half.map((byte) => Number(byte).toString(16).padStart(2, '0')).join(''),
  );
  return `2002:${first}:${second}::`;
}
