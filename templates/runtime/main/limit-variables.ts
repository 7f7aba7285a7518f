// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The limits that environment variables set: those of API calls, and those of memory kept for clients over HTTP. */
import type { Limits } from '../limits.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';

/** `most` is the highest value that is accepted. Default: every whole number. */
export type LimitVariable<L = keyof UpstreamLimits> = readonly [limit: L, name: string, most?: number];

/** Node's timers count no further. */
const LONGEST_MS = 2_147_483_647;

export const HTTP_LIMIT_VARIABLES: readonly LimitVariable<keyof Limits>[] = [
  ['unfinishedBytes', 'MCP_UNFINISHED_BYTES'],
  ['unfinishedBytesPerAddress', 'MCP_UNFINISHED_BYTES_PER_ADDRESS'],
  ['unreadBytes', 'MCP_UNREAD_BYTES'],
  ['unreadBytesPerAddress', 'MCP_UNREAD_BYTES_PER_ADDRESS'],
];

/** The highest `responseBytes` and `resultCharacters` still fit into one string as base64 or escaped JSON. */
export const LIMIT_VARIABLES: readonly LimitVariable[] = [
  ['concurrency', 'API_CONCURRENCY', 10_000],
  ['timeoutMs', 'API_TIMEOUT_MS', LONGEST_MS],
  ['responseBytes', 'API_RESPONSE_BYTES', 256 * 1024 * 1024],
  ['resultCharacters', 'API_RESULT_CHARACTERS', 50_000_000],
  ['fileBytes', 'API_FILE_BYTES'],
  ['streamItems', 'API_STREAM_ITEMS', 1_000_000],
  ['streamMs', 'API_STREAM_MS', LONGEST_MS],
];
