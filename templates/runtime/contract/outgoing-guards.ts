// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * One table of IP addresses for the compiler and the runtime: which are public, which lead to this machine or its network, and
 * which are metadata services of clouds.
 */
import type { ClientRequest } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** `link-local`: where clouds hand out credentials to the machine itself. */
export type Reach = 'public' | 'inward' | 'link-local';

/** Link-local blocks, and the addresses outside of them at which clouds have their metadata services. */
const LINK_LOCAL = blocks([
  ...['169.254.0.0/16', 'fe80::/10'],
  // Azure; Alibaba; Oracle.
  ...['168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'],
  // AWS, EKS Pod Identity too; Google; Oracle; Scaleway.
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'],
]);

/** IANA IPv4 Special-Purpose Address Registry, multicast, and reserved blocks. */
const INWARD_IPV4 = blocks([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]);

/** The only assigned part of IPv6, and NAT64 (RFC 6052): there names resolve to it where a network has IPv6 alone. */
const GLOBAL_IPV6 = blocks(['2000::/3', '64:ff9b::/96']);

/** Within these: protocol assignments with Teredo, documentation, 6to4. */
const SPECIAL_IPV6 = blocks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/**
 * @param host an IP address, or a host as `URL` spells it. Names other than `localhost` are public here: they are judged by the
 *   addresses that they resolve to
 */
export function classifyAddress(host: string): Reach {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (bare === 'localhost' || bare.endsWith('.localhost')) return 'inward';
  return isIP(bare) === 0 ? 'public' : reachOfAddress(bare);
}

function reachOfAddress(given: string): Reach {
  // The name of an interface may follow, as in `fe80::1%eth0`.
  const address = given.replace(/%.*$/s, '');
  const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (LINK_LOCAL.check(address, type)) return 'link-local';
  const isGlobal = type === 'ipv4' || GLOBAL_IPV6.check(address, type);
  const isSpecial = INWARD_IPV4.check(address, type) || SPECIAL_IPV6.check(address, type);
  return isGlobal && !isSpecial ? 'public' : 'inward';
}

/** Whether it is an IP address, and public. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && reachOfAddress(address) === 'public';
}

/** The address that the host of a URL is; undefined when it is a name. URLs write every notation of one in the same way. */
export function addressIn({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** Nothing was sent: the host has an address that is not allowed. */
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

/** Blocks of IPv4 together with IPv6 addresses that contain them, which a router may translate back. */
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

/**
 * Bounds the interim answers (1xx; RFC 9110, section 15.2) before the answer to one request. Clients skip them, so that a server
 * could send them as long as a request may last.
 */

/** Servers send a few hints (103), or one sign of life (102) in many seconds. */
const MOST = 32;

/** Bytes of all of them together. */
const MOST_BYTES = 65_536;

/**
 * Destroys a request of `node:http` when there are too many. `fail` is called at once: the answer may be in the same packet, and
 * its event would come before the error of the request.
 */
export function boundInterim(request: ClientRequest, fail: (error: Error) => void): void {
  let [count, bytes] = [0, 0];
  request.on('information', ({ rawHeaders }) => {
    count += 1;
    bytes += rawHeaders.join('').length;
    if (count <= MOST && bytes <= MOST_BYTES) return;
    const words = `The server sent more than ${MOST} interim answers, or more than ${MOST_BYTES} bytes of them.`;
    const error = Object.assign(new Error(words), { code: 'INTERIM' });
    fail(error);
    request.destroy(error);
  });
}
