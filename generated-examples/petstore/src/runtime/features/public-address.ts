// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Which addresses are of the internet, and of no network or metadata service of this machine. */
import { BlockList, isIP } from 'node:net';

const NOT_PUBLIC = new BlockList();
/** IANA IPv4 Special-Purpose Address Registry, multicast, reserved blocks; metadata services of Azure, Alibaba and Oracle. */
for (const block of [
  ...[
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
  ],
  ...[
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
  ],
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'],
]) {
  const [address = '', length] = block.split('/');
  NOT_PUBLIC.addSubnet(address, Number(length), 'ipv4');
  // Routers translate these back (NAT64, RFC 6052).
  NOT_PUBLIC.addSubnet(`64:ff9b::${address}`, 96 + Number(length), 'ipv6');
}
for (const [address, length] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(address, length, 'ipv6');

const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');
GLOBAL_IPV6.addSubnet('64:ff9b::', 96, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/s, '');
  if (isIP(bare) === 4) return !NOT_PUBLIC.check(bare, 'ipv4');
  return isIP(bare) === 6 && GLOBAL_IPV6.check(bare, 'ipv6') && !NOT_PUBLIC.check(bare, 'ipv6');
}
