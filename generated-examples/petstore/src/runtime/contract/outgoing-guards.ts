// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import type { ClientRequest } from 'node:http';
import { RefusedAddress } from './address-reach.ts';

/**
 * Guards of outgoing requests. Addresses are judged where the connection is made, so that a name can't resolve to another one
 * in between.
 */

export type Lookup = (
  name: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface Guard {
  allowsAddress: (address: string) => boolean;
  lookup?: Lookup;
}

/** The option `lookup` of `net.connect`. */
type ConnectLookup = (
  name: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** Refuses a name when one of its addresses is not allowed: Node may connect to any of them. */
export function createGuardedLookup({ allowsAddress, lookup = systemLookup }: Guard): ConnectLookup {
  return (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const refused = error === null ? addresses.find(({ address }) => !allowsAddress(address)) : undefined;
      const [first] = addresses ?? [];
      if (error !== null) done(error, []);
      else if (refused !== undefined) done(new RefusedAddress(name, refused.address), []);
      else if (options.all === true || first === undefined) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** Servers send a few hints (103), or one sign of life (102) in many seconds. */
const MOST = 32;

const MOST_BYTES = 65_536;

/**
 * Destroys a request of `node:http` when it gets too many interim answers (1xx; RFC 9110, section 15.2): clients skip them, so
 * that a server could send them as long as a request may last. `fail` is called at once: the answer may be in the same packet,
 * and its event would come before the error of the request.
 */
export function limitInterimAnswers(request: ClientRequest, fail: (error: Error) => void): void {
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
