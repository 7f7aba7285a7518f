/** A request as it goes out. */
import type { ClientRequest } from 'node:http';
import type { Target } from './connect.ts';
import type { HeaderList } from './header-list.ts';

/** `url` says where to; its path and query are those of `target`. */
export interface WireRequest extends Target {
  method: string;
  /** Path and query exactly as they stand in the request line. */
  target: string;
  headers: HeaderList;
  body?: string | Uint8Array | StreamedBody;
}

/** A body that is read as it is sent, anew for each try. */
export interface StreamedBody {
  byteLength: number;
  /** Writes and ends the request; what fails destroys it. */
  send(request: ClientRequest): void;
}

export function isStreamed(body: WireRequest['body']): body is StreamedBody {
  return typeof body === 'object' && 'send' in body;
}
