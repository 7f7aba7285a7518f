/** Bounds the connections of one address, those too that say nothing. */
import type { Server } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { peerAddress } from './client-address.ts';

export interface ConnectionLimit {
  /** Connections open at one time. */
  most: number;
  /** Whose connections are not counted. */
  proxies?: BlockList | undefined;
  /** Told of each that was closed, before a byte of it was read. */
  closed: (address: string) => void;
}

export function limitConnections(server: Server, { most, proxies, closed }: ConnectionLimit): void {
  /** Only of addresses that have some. */
  const counts = new Map<string, number>();
  // One that is read anew comes here again.
  const seen = new WeakSet<Socket>();
  server.prependListener('connection', (socket) => {
    const address = peerAddress(socket, proxies);
    if (address === undefined || seen.has(socket)) return;
    seen.add(socket);
    const count = counts.get(address) ?? 0;
    if (count >= most) {
      socket.destroy();
      return closed(address);
    }
    counts.set(address, count + 1);
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
  });
}
