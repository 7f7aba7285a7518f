/** Addresses that documents may be read from. */
import { isIP } from 'node:net';
import { isPublicAddress } from '../../templates/runtime/features/redirects.ts';

/** @param host as `URL` spells it. Names but `localhost` count as public: the addresses that they resolve to are judged */
export function isPublicHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (bare === 'localhost' || bare.endsWith('.localhost')) return false;
  return isIP(bare) === 0 || isPublicAddress(bare);
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
