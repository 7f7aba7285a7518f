/** The server that named a URL of another origin, in a redirect or in its metadata: it may not name every address. */
import { reachOf } from '../contract/address-reach.ts';

export interface Sender {
  /** For messages. */
  origin: string;
  /** It is in the network of this server. */
  isInward: boolean;
}

/**
 * @param address that it answered from, where it is known: by now its name may resolve to another one. Default: the address that
 *   the URL holds; a name counts as public
 */
export function senderOf({ origin, hostname }: URL, address: string | undefined): Sender {
  return { origin, isInward: reachOf(address ?? hostname) === 'inward' };
}

/**
 * Whether a request goes to a host, or an address, that the sender has named. A sender elsewhere must not have this server ask its
 * own network, and show the answer. No sender names the metadata services of clouds. A name is judged where the connection is made,
 * by the addresses that it resolves to.
 */
export function mayName({ isInward }: Sender, host: string): boolean {
  const reach = reachOf(host);
  return reach === 'public' || (reach === 'inward' && isInward);
}
