/** The limits that the environment may set: those of calls of the API, and those of what is kept for clients over HTTP. */
import { type EnvironmentVariable, plain } from '../contract/environment-variable.ts';
import type { Limits } from '../limits.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';

export interface LimitVariable<L = keyof UpstreamLimits> {
  limit: L;
  name: string;
  description: string;
  /** The most that is taken: what Node's timers count to, and what fits into one string as base64 or escaped JSON. */
  most: number;
}

/** Only a listener on HTTP heeds them. */
export const HTTP_LIMIT_VARIABLES: readonly LimitVariable<keyof Limits>[] = [
  {
    limit: 'unfinishedBytes',
    name: 'MCP_UNFINISHED_BYTES',
    description:
      'Bytes of request bodies and WebSocket messages over HTTP whose end has not come, of all addresses.',
    most: Number.MAX_SAFE_INTEGER,
  },
  {
    limit: 'unfinishedBytesPerAddress',
    name: 'MCP_UNFINISHED_BYTES_PER_ADDRESS',
    description: 'The same, of one address.',
    most: Number.MAX_SAFE_INTEGER,
  },
  {
    limit: 'unreadBytes',
    name: 'MCP_UNREAD_BYTES',
    description: 'Bytes of answers and events over HTTP that clients have not read, of all addresses.',
    most: Number.MAX_SAFE_INTEGER,
  },
  {
    limit: 'unreadBytesPerAddress',
    name: 'MCP_UNREAD_BYTES_PER_ADDRESS',
    description: 'The same, of one address.',
    most: Number.MAX_SAFE_INTEGER,
  },
];

export const LIMIT_VARIABLES: readonly LimitVariable[] = [
  {
    limit: 'concurrency',
    name: 'API_CONCURRENCY',
    description:
      'Requests to the API at work at one time; others wait. Without it: as many as there are calls.',
    most: 10_000,
  },
  {
    limit: 'timeoutMs',
    name: 'API_TIMEOUT_MS',
    description: 'Milliseconds a call of the API may take, repetitions included.',
    most: 2_147_483_647,
  },
  {
    limit: 'responseBytes',
    name: 'API_RESPONSE_BYTES',
    description: 'Bytes read of one answer of the API.',
    most: 256 * 1024 * 1024,
  },
  {
    limit: 'resultCharacters',
    name: 'API_RESULT_CHARACTERS',
    description: 'Characters of an answer handed to the client.',
    most: 50_000_000,
  },
  {
    limit: 'fileBytes',
    name: 'API_FILE_BYTES',
    description: 'Bytes of one file that is sent or saved.',
    most: Number.MAX_SAFE_INTEGER,
  },
  {
    limit: 'streamItems',
    name: 'API_STREAM_ITEMS',
    description: 'Items read of an answer that is a sequence: events, JSON lines.',
    most: 1_000_000,
  },
  {
    limit: 'streamMs',
    name: 'API_STREAM_MS',
    description: 'Milliseconds that a sequence is read for.',
    most: 2_147_483_647,
  },
];

/** The limits in words, each with the value that it has if its variable is unset. */
export function withDefaults<L extends string>(
  variables: readonly LimitVariable<L>[],
  defaults: Readonly<Partial<Record<L, number>>>,
): EnvironmentVariable[] {
  return variables.map(({ limit, name, description }) => {
    const value = defaults[limit];
    return { ...plain(name, description), ...(value === undefined ? {} : { default: String(value) }) };
  });
}
