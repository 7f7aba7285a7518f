// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Name resolution that judges each address where the connection is made: the address that was judged is the address that is
 * connected to, so that a name can't resolve to another one in between.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';

import { RefusedAddress } from './outgoing-guards.ts';

/** Resolves a name to all its addresses. */
export type Lookup = (
  name: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface Guard {
  allowsAddress: (address: string) => boolean;
  /** Default: the system's. */
  lookup?: Lookup;
}

/** As the option `lookup` of `net.connect` is called. */
type ConnectLookup = (
  name: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** Refuses a name when one of its addresses is not allowed: Node may connect to any of them. */
export function guardedLookup({ allowsAddress, lookup = systemLookup }: Guard): ConnectLookup {
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
