/**
 * A GET that goes to no address but those that are allowed: the address is judged where the connection is made, so that no
 * name can be resolved once for the check and differently for the connection.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { addressIn, RefusedAddress } from './public-address.ts';

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

export interface GuardedRequest {
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Answers as `fetch` does, with `redirect: 'manual'`. @throws RefusedAddress, and what the connection says */
export async function guardedFetch(
  url: URL,
  { headers, signal }: GuardedRequest,
  guard: Guard,
): Promise<Response> {
  const address = addressIn(url);
  if (address !== undefined && !guard.allowsAddress(address)) throw new RefusedAddress(address, address);
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    // An agent of its own: a connection that others made was judged by their rules.
    const sent = request(url, { headers, signal, agent: false, lookup: guardedLookup(guard) }, resolve);
    sent.once('error', reject).end();
  });
  return responseOf(message);
}

type NodeLookup = (
  name: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** All addresses must be allowed: which of them is taken is not ours to say. */
function guardedLookup({ allowsAddress, lookup = systemLookup }: Guard): NodeLookup {
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

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 502, headers } = message;
  const encoding = headers['content-encoding']?.toLowerCase() ?? '';
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  const body = decoder === undefined ? message : message.pipe(decoder);
  if (decoder !== undefined) message.once('error', (error) => decoder.destroy(error));
  const given = headers.location === undefined ? {} : { location: headers.location };
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  if (!hasBody) message.resume();
  return new Response(hasBody ? readableOf(body) : null, { status: Math.max(200, status), headers: given });
}

function readableOf(stream: Readable): ReadableStream {
  return Readable.toWeb(stream) as ReadableStream;
}
