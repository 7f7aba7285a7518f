/** The limits that the environment may set: those of calls of the API, and those of what is kept for clients over HTTP. */
import type { Limits } from '../limits.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';

export interface LimitVariable<L = keyof UpstreamLimits> {
  limit: L;
  name: string;
  /** The most that is taken: what Node's timers count to, and what fits into one string as base64 or escaped JSON. */
  most: number;
}

/** Only a listener on HTTP heeds them. */
export const HTTP_LIMIT_VARIABLES: readonly LimitVariable<keyof Limits>[] = [
  { limit: 'unfinishedBytes', name: 'MCP_UNFINISHED_BYTES', most: Number.MAX_SAFE_INTEGER },
  {
    limit: 'unfinishedBytesPerAddress',
    name: 'MCP_UNFINISHED_BYTES_PER_ADDRESS',
    most: Number.MAX_SAFE_INTEGER,
  },
  { limit: 'unreadBytes', name: 'MCP_UNREAD_BYTES', most: Number.MAX_SAFE_INTEGER },
  { limit: 'unreadBytesPerAddress', name: 'MCP_UNREAD_BYTES_PER_ADDRESS', most: Number.MAX_SAFE_INTEGER },
];

export const LIMIT_VARIABLES: readonly LimitVariable[] = [
  { limit: 'concurrency', name: 'API_CONCURRENCY', most: 10_000 },
  { limit: 'timeoutMs', name: 'API_TIMEOUT_MS', most: 2_147_483_647 },
  { limit: 'responseBytes', name: 'API_RESPONSE_BYTES', most: 256 * 1024 * 1024 },
  { limit: 'resultCharacters', name: 'API_RESULT_CHARACTERS', most: 50_000_000 },
  { limit: 'fileBytes', name: 'API_FILE_BYTES', most: Number.MAX_SAFE_INTEGER },
  { limit: 'streamItems', name: 'API_STREAM_ITEMS', most: 1_000_000 },
  { limit: 'streamMs', name: 'API_STREAM_MS', most: 2_147_483_647 },
];
