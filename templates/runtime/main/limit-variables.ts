/** The limits that environment variables set: those of API calls, and those of memory kept for clients over HTTP. */
import { type EnvironmentVariable, plain } from '../contract/environment-variable.ts';
import type { Limits } from '../limits.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';

/** `most` is the highest value that is accepted. */
export type LimitVariable<L = keyof UpstreamLimits> = readonly [
  limit: L,
  name: string,
  description: string,
  most?: number,
];

/** Node's timers count no further. */
const LONGEST_MS = 2_147_483_647;

export const HTTP_LIMIT_VARIABLES: readonly LimitVariable<keyof Limits>[] = [
  [
    'unfinishedBytes',
    'MCP_UNFINISHED_BYTES',
    'Bytes of request bodies and WebSocket messages over HTTP whose end has not come, of all addresses.',
  ],
  ['unfinishedBytesPerAddress', 'MCP_UNFINISHED_BYTES_PER_ADDRESS', 'The same, of one address.'],
  [
    'unreadBytes',
    'MCP_UNREAD_BYTES',
    'Bytes of answers and events over HTTP that clients have not read, of all addresses.',
  ],
  ['unreadBytesPerAddress', 'MCP_UNREAD_BYTES_PER_ADDRESS', 'The same, of one address.'],
];

/** The highest `responseBytes` and `resultCharacters` still fit into one string as base64 or escaped JSON. */
export const LIMIT_VARIABLES: readonly LimitVariable[] = [
  [
    'concurrency',
    'API_CONCURRENCY',
    'Requests to the API at work at one time; others wait. Without it: as many as there are calls.',
    10_000,
  ],
  [
    'timeoutMs',
    'API_TIMEOUT_MS',
    'Milliseconds a call of the API may take, repetitions included.',
    LONGEST_MS,
  ],
  ['responseBytes', 'API_RESPONSE_BYTES', 'Bytes read of one answer of the API.', 256 * 1024 * 1024],
  ['resultCharacters', 'API_RESULT_CHARACTERS', 'Characters of an answer handed to the client.', 50_000_000],
  ['fileBytes', 'API_FILE_BYTES', 'Bytes of one file that is sent or saved.'],
  [
    'streamItems',
    'API_STREAM_ITEMS',
    'Items read of an answer that is a sequence: events, JSON lines.',
    1_000_000,
  ],
  ['streamMs', 'API_STREAM_MS', 'Milliseconds that a sequence is read for.', LONGEST_MS],
];

/** The limits in words, each with the value that it has if its variable is unset. */
export function withDefaults<L extends string>(
  variables: readonly LimitVariable<L>[],
  defaults: Readonly<Partial<Record<L, number>>>,
): EnvironmentVariable[] {
  return variables.map(([limit, name, description]) => {
    const value = defaults[limit];
    return plain(name, description, value === undefined ? undefined : String(value));
  });
}
