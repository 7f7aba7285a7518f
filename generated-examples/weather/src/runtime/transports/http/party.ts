import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { clientAddress } from './client-address.ts';
import type { Caller } from '../../core/caller.ts';

/** Whom limits count for: the subject, where clients are asked who they are, else the address that they come from. */
export function partyOf(
  request: IncomingMessage,
  caller: Pick<Caller, 'subject'> | undefined,
  proxies: BlockList | undefined,
): string {
  return caller === undefined ? clientAddress(request, proxies) : `subject ${caller.subject}`;
}
