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

function blocks(list: readonly string[]): BlockList {
  const found = new BlockList();
  for (const block of list) {
    const [address = '', length] = block.split('/');
    found.addSubnet(address, Number(length), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return found;
}
