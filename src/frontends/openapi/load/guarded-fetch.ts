/** Addresses are checked when the connection is made, so DNS cannot give another answer in between. */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ipAddressOfUrl, RefusedAddress } from '../../../util/addresses.ts';

export type Lookup = (
  name: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

interface Guard {
  allowsAddress: (address: string) => boolean;
  lookup?: Lookup;
}

export interface GuardedRequest {
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Responds as `fetch` does with `redirect: 'manual'`. @throws RefusedAddress */
export async function guardedFetch(url: URL, options: GuardedRequest, guard: Guard): Promise<Response> {
  const address = ipAddressOfUrl(url);
  if (address !== undefined && !guard.allowsAddress(address)) throw new RefusedAddress(address, address);
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    // No shared agent: it would reuse connections that were checked against other rules.
    const sent = request(url, { ...options, agent: false, lookup: createGuardedLookup(guard) }, resolve);
    sent.once('error', reject).end();
  });

  const { statusCode: status = 502, headers } = message;
  const encoding = headers['content-encoding']?.toLowerCase() ?? '';
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  const body = decoder === undefined ? message : message.pipe(decoder);
  if (decoder !== undefined) message.once('error', (error) => decoder.destroy(error));
  const location = headers.location === undefined ? {} : { location: headers.location };
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  if (!hasBody) message.resume();
  return new Response(hasBody ? (Readable.toWeb(body) as ReadableStream) : null, {
    status: Math.max(200, status),
    headers: location,
  });
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The option `lookup` of `net.connect`. */
type ConnectLookup = (
  name: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** Refuses a name when one of its addresses is not allowed: Node may connect to any of them. */
function createGuardedLookup({ allowsAddress, lookup = systemLookup }: Guard): ConnectLookup {
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
