// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The features, limits and environment variables that a server knows, and hints for misspelt names.
 * `src/generated/features.json` holds the server's own features in full, and of the others the flags and variables that
 * it refuses. The table of all features is `features.ts`. Globs of selectors are compiled here too.
 */
import type { FeatureLoaders } from '../feature-loaders.ts';

export interface Feature {
  name: string;
  /** Other features that come with it. Default none. */
  needs?: readonly string[];
  /** A project without this other feature can't have it either. */
  with?: string;
  /** How to add a feature that `features` of a configuration cannot name. */
  addedBy?: string;
  /** Members of the server's definition that load it. Default: every server has it. */
  loadedBy?: readonly FeatureMember[];
  /** Flags of the server, by name. */
  flags?: Readonly<Record<string, FlagDefinition>>;
  variables?: readonly FeatureVariable[];
  /** Prefixes of further variables that belong to the feature. */
  variablePrefix?: string;
  /** Servers without the feature that send requests warn of these variables too, in upper or lower case. Default none. */
  missed?: readonly string[];
  /** A server without the feature does not start while one of its variables is set: they concern safety or state. */
  isRefused?: true;
}

/** A member of the definition, or of its `features`. */
export type FeatureMember = keyof FeatureLoaders | 'functions' | 'auth';

export interface FlagDefinition {
  /** Placeholder of the value in the help; absent: a switch. */
  value?: string;
  /** An example of a value, for messages. */
  example?: string;
  help: string;
  /** May be given several times. Default false. */
  repeatable?: boolean;
  /** Help of a server without an API, if it differs. */
  withoutApi?: string;
  /** Left out of a server without this other feature. */
  with?: string;
}

interface FeatureVariable extends EnvironmentVariable {
  /** Left out of a server without this other feature. */
  with?: string;
}

/** One line for a flag, a variable or a call of a feature that the server was generated without. */
export function withoutFeature(name: string, addedBy = `Add it: mcpgen generate --feature ${name}`): string {
  return `This server was generated without ${name}. ${addedBy}`;
}

/** A flag, a variable or the user's own code can't be used. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An environment variable in words: for `--help`, and for the compiler's `.env.example` and README. */
export interface EnvironmentVariable {
  name: string;
  description: string;
  secret: boolean;
  /** The server is useless without the variable. */
  required: boolean;
  default?: string;
}

/**
 * These steer Node, the loader of the operating system or which file is read, so they come from the environment alone.
 * Windows ignores the case of variables.
 */
const ENVIRONMENT_ALONE = /^(?:(?:NODE|LD|DYLD|OPENSSL|SSL_CERT)_.*|PATH|MCP_DOTENV)$/i;

/** Whether `.env` may set it. */
export function isForFile(name: string): boolean {
  return !ENVIRONMENT_ALONE.test(name);
}

export function plain(name: string, description: string, value?: string): EnvironmentVariable {
  const variable = { name, description, secret: false, required: false };
  return value === undefined ? variable : { ...variable, default: value };
}

export function secret(name: string, description: string): EnvironmentVariable {
  return { ...plain(name, description), secret: true };
}

/** The limits of the MCP side. `UpstreamLimits` has those of calls of the API. */
export const DEFAULT_LIMITS = {
  /** Bytes of one HTTP request body. */
  bodyBytes: 4 * 1024 * 1024,
  /** Bytes of the head of one HTTP request: its first line and its fields. */
  headerBytes: 16 * 1024,
  /** Bytes of the target of one HTTP request: path and query. */
  targetBytes: 2 * 1024,
  /** Bytes of one line on stdio. */
  lineBytes: 16 * 1024 * 1024,
  /** Bytes of one WebSocket message, all its fragments together. */
  messageBytes: 16 * 1024 * 1024,
  /** Fragments of one WebSocket message: empty ones would cost no bytes. */
  messageFragments: 16_384,
  /** Messages of one JSON-RPC batch. */
  batchMessages: 100,
  /** Requests in flight at one time in one session. */
  inFlightRequests: 1_000,
  /** Tool calls, lists, reads of resources and completions a minute over HTTP, of one subject, or of one address without OAuth. Default on stdio: none. */
  callsPerMinute: 6_000,
  /** Modern requests over HTTP, subscriptions included, in flight at one time for one address, which may be a proxy's. */
  requestsPerAddress: 2_000,
  /** Open TCP connections of one address over HTTP: a stream and a request for each of its sessions. */
  connectionsPerAddress: 4_000,
  /** Bytes of incomplete request bodies and WebSocket messages over HTTP, of all addresses. */
  unfinishedBytes: 64 * 1024 * 1024,
  /** The same limit for one address. */
  unfinishedBytesPerAddress: 32 * 1024 * 1024,
  /** Bytes of responses and events over HTTP that clients have not read, of all addresses. Without TLS lists are shared, and don't count. */
  unreadBytes: 64 * 1024 * 1024,
  /** The same limit for one address. */
  unreadBytesPerAddress: 32 * 1024 * 1024,
  /** Subjects and addresses whose calls over HTTP are counted. */
  countedAddresses: 10_000,
  /** Legacy sessions over HTTP open at one time; WebSockets, each a session, are counted apart. */
  sessions: 10_000,
  /** Sessions, and WebSockets, of one subject, or of one address without OAuth. */
  sessionsPerClient: 2_000,
  /** Milliseconds after which an unused session ends. */
  sessionIdleMs: 30 * 60_000,
  /** Events that one session keeps for clients whose connection was lost. */
  replayEvents: 1_000,
  /** Bytes of these events. The newest is kept whatever its size. */
  replayBytes: 1024 * 1024,
  /** Milliseconds after which a client whose stream was closed comes back for the rest. */
  retryMs: 1_000,
  /** Milliseconds between the comments that keep a stream of events alive. */
  keepAliveMs: 15_000,
  /** Bytes that may wait for a client that reads too slowly, before its stream is cut off. */
  streamBacklogBytes: 4 * 1024 * 1024,
  /** Progress notifications a second, of one call. */
  progressPerSecond: 50,
  /** Milliseconds between the progress notifications of a call that waits for the API. */
  progressIntervalMs: 5_000,
  /** Log notifications a second, of one call. */
  logsPerSecond: 100,
  /** Milliseconds a client has to answer a question of a handler: people are slow. */
  askTimeoutMs: 5 * 60_000,
  /** Milliseconds that a client may keep a list (2026-07-28). */
  listTtlMs: 5 * 60_000,
  /** Milliseconds that a client may keep the contents of a resource (2026-07-28). */
  readTtlMs: 0,
  /** Milliseconds a client has for its part of a round (2026-07-28): people are slow. */
  requestStateMs: 15 * 60_000,
  /** Subscriptions open at one time (2026-07-28). */
  subscriptions: 10_000,
  /** Subscriptions of one subject, or without OAuth of one address, one socket or stdio. */
  subscriptionsPerClient: 1_000,
  /** Resources that one client watches. */
  subscribedResources: 1_000,
  /** Tasks kept at one time. */
  tasks: 10_000,
  /** Tasks of one subject, or without OAuth of one session, one socket or one modern client's address. */
  tasksPerClient: 1_000,
  /** Milliseconds that a task is kept, at most. */
  taskTtlMs: 60 * 60_000,
  /** Milliseconds between two polls of a task, which clients should keep to. */
  taskPollMs: 1_000,
  /** Values of one completion (the protocol's own limit). */
  completionValues: 100,
  /** Milliseconds an HTTP client has to send its headers. */
  headersTimeoutMs: 10_000,
  /** Milliseconds an HTTP client has to send its whole request. */
  requestTimeoutMs: 60_000,
  /** Milliseconds that an idle HTTP connection is kept, so that clients can reuse it. */
  idleConnectionMs: 75_000,
  /** Milliseconds between two checks of the files of a TLS certificate. */
  certificateLookMs: 10_000,
  /** Milliseconds between the pings on a WebSocket. */
  pingIntervalMs: 30_000,
  /** Unanswered pings in a row after which a WebSocket is closed. */
  unansweredPings: 2,
  /** Milliseconds that a WebSocket's client has for the closing handshake. */
  closeTimeoutMs: 5_000,
  /** Milliseconds that requests in flight have when stdin ends, or at SIGTERM on stdio. */
  stdioDrainMs: 1_500,
  /** Milliseconds that requests in flight have at SIGTERM over HTTP and WebSocket. */
  httpDrainMs: 10_000,
  /** Rounds of removing invalid parts from a structured result. */
  pruneRounds: 20,
};

export type Limits = typeof DEFAULT_LIMITS;

/** Limits of calls of the API. */
export interface UpstreamLimits {
  /** Milliseconds for a whole call: retries, redirects and the answer's body included. Default 60,000. */
  timeoutMs: number;
  /** Bytes read of one answer, after decompression. Default 10 MiB. */
  responseBytes: number;
  /** Bytes of one file of the files folder that is sent or saved. Default 1 GiB. */
  fileBytes: number;
  /** Bytes of an answer that is handed over as base64 where there is a files folder; longer ones are saved. Default 1 MiB. */
  inlineBytes: number;
  /** Items read of an answer that is a sequence: events, JSON lines. Default 1,000. */
  streamItems: number;
  /**
   * Milliseconds that a sequence is read for: then what has come is the answer. Default 45,000, since clients wait for
   * a minute.
   */
  streamMs: number;
  /** Characters of text or JSON handed to the client; clients cap a result near 25,000 tokens. Default 100,000. */
  resultCharacters: number;
  /** Redirects followed in one call. Default 5. */
  redirects: number;
  /** Repetitions of an idempotent request after a passing failure. Default 2. */
  retries: number;
  /** The first pause before a repetition, in milliseconds; doubles each time, with jitter. Default 200. */
  retryDelayMs: number;
  /** The longest `Retry-After` that is waited for, in milliseconds. Default 10,000. */
  retryAfterMs: number;
  /** Requests that run at one time; others wait until their timeout. Default: no limit. */
  concurrency?: number;
}

export const defaultUpstreamLimits: UpstreamLimits = {
  timeoutMs: 60_000,
  responseBytes: 10 * 1024 * 1024,
  fileBytes: 1024 * 1024 * 1024,
  inlineBytes: 1024 * 1024,
  streamItems: 1_000,
  streamMs: 45_000,
  resultCharacters: 100_000,
  redirects: 5,
  retries: 2,
  retryDelayMs: 200,
  retryAfterMs: 10_000,
};

// Limits that environment variables set: of calls of the API, and of memory that is kept for clients over HTTP.

/** `most` is the highest value that is accepted. Default: every whole number. */
export type LimitVariable<L = keyof UpstreamLimits> = readonly [limit: L, name: string, most?: number];

/** The longest time that Node's timers support. */
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

/** Finds the known word that a misspelt one most likely means, for "Did you mean …?". */
const LONGEST_COMPARED = 64;

/**
 * The candidate that differs least from `word`: by a third of its length at most, by its end (`tags` for `tag`), or by
 * case, `_` and `-` only.
 */
export function suggest<T extends string>(word: string, candidates: Iterable<T>): T | undefined {
  if (word.length > LONGEST_COMPARED) return undefined;
  const wanted = normalize(word);
  let best: T | undefined;
  let least = Math.min(wanted.length, Math.max(1, Math.round(wanted.length / 3)) + 1);
  for (const candidate of candidates) {
    if (candidate.length > LONGEST_COMPARED) continue;
    const distance = distanceBetween(wanted, normalize(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function normalize(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '');
}

/** A word that begins with the other, two letters or more, counts as less than one edit; among several the shortest wins. */
function distanceBetween(word: string, candidate: string): number {
  const [shorter, longer] = word.length < candidate.length ? [word, candidate] : [candidate, word];
  if (shorter === longer) return 0;
  if (shorter.length < 2 || !longer.startsWith(shorter)) return editDistance(word, candidate);
  return 0.5 + (longer.length - shorter.length) / (2 * LONGEST_COMPARED);
}

/** Insertions, removals, replacements and swapped neighbours that turn one word into the other (Damerau–Levenshtein). */
function editDistance(from: string, to: string): number {
  let above: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? (above[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [above, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

/**
 * Compiles a glob to a test of a whole text: `*` matches anything within a segment, `**` anything. Every other
 * character, braces too, matches itself, since paths are full of `{parameters}`. The work is at most the length of the
 * text times that of the glob, for any text and glob.
 */
export function globTest(glob: string): (text: string) => boolean {
  const parts = (glob.match(/\*+|[^*]/gsu) ?? []).map((part) => (part.length > 2 ? '**' : part));
  return (text) => {
    // The places in the glob that what was read so far leads to.
    let places = opened(parts, new Set([0]));
    for (const character of text) {
      const next = new Set<number>();
      for (const place of places) {
        const part = parts[place];
        if (part === '**' || (part === '*' && character !== '/')) next.add(place);
        else if (part === character) next.add(place + 1);
      }
      if (next.size === 0) return false;
      places = opened(parts, next);
    }
    return places.has(parts.length);
  };
}

/** Adds the places behind asterisks, since these also match nothing. */
function opened(parts: readonly string[], places: Set<number>): Set<number> {
  for (const place of places) if (parts[place]?.startsWith('*') === true) places.add(place + 1);
  return places;
}
