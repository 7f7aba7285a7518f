// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Features, variables and limits of a server; hints for misspelt names; globs. `src/generated/features.json` holds the
 * server's own features in full, and of the others the flags and variables that it refuses.
 */

// Features: rows of `features.json`.

export interface Feature {
  name: string;
  needs?: readonly string[];
  /** A project without this other feature can't have it either. */
  with?: string;
  addedBy?: string;
  /** Members of the server's definition that load it. Default: every server has it. */
  loadedBy?: readonly string[];
  flags?: Readonly<Record<string, FlagDefinition>>;
  variables?: readonly FeatureVariable[];
  /** Globs of further variables of the feature. */
  variablePatterns?: readonly string[];
  /** Servers without the feature that send requests warn of these variables too, in upper or lower case. */
  missed?: readonly string[];
  /** A server without the feature does not start while one of its variables is set: they concern safety or state. */
  isRefused?: true;
}

/** RFC 5424, section 6.2.1, least severe first. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export interface FlagDefinition {
  value?: string;
  example?: string;
  help: string;
  repeatable?: boolean;
  withoutApi?: string;
  with?: string;
}

interface FeatureVariable extends EnvironmentVariable {
  with?: string;
}

export function missingFeatureText(
  name: string,
  addedBy = `Add it: npx --no mcpgen generate --feature ${name}`,
): string {
  return `This server was generated without ${name}. ${addedBy}`;
}

/** A flag, a variable or the user's own code can't be used. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

// Variables, for `--help`, `.env.example` and the README.

export interface EnvironmentVariable {
  name: string;
  description: string;
  secret: boolean;
  required: boolean;
  default?: string;
}

/**
 * These steer Node, the loader of the operating system or which file is read, so `.env` may not set them. Windows ignores the
 * case of variables.
 */
const ENVIRONMENT_ALONE = /^(?:(?:NODE|LD|DYLD|OPENSSL|SSL_CERT)_.*|PATH|MCP_DOTENV)$/i;

export function isForFile(name: string): boolean {
  return !ENVIRONMENT_ALONE.test(name);
}

const SHORTEST_SECRET = 32;

/** A short secret could be guessed by anyone who has seen what it signs (RFC 2104, section 3). @throws {UsageError} */
export function checkStateSecrets(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of ['MCP_STATE_SECRET', 'MCP_STATE_SECRET_PREVIOUS']) {
    const { length } = env[name] ?? '';
    if (length === 0 || length >= SHORTEST_SECRET) continue;
    throw new UsageError(
      `${name} must have ${SHORTEST_SECRET} characters or more, and has ${length}: \`openssl rand -base64 32\` makes one.`,
    );
  }
  if (env['MCP_STATE_SECRET_PREVIOUS'] && !env['MCP_STATE_SECRET'])
    throw new UsageError(
      'MCP_STATE_SECRET_PREVIOUS goes with MCP_STATE_SECRET: the new secret signs, and the previous one verifies what it signed.',
    );
}

// Limits of clients, of calls of APIs, and the variables that set them.

/** Limits of the MCP side: `Bytes`, `Ms` (milliseconds) or counts. `…PerClient` counts by subject, without OAuth by address. */
export const DEFAULT_LIMITS = {
  bodyBytes: 4 * 1024 * 1024,
  headerBytes: 16 * 1024,
  targetBytes: 2 * 1024,
  lineBytes: 16 * 1024 * 1024,
  /** A line that is written may have so many: clients close a connection at 10 MiB. */
  writtenLineBytes: 8 * 1024 * 1024,
  messageBytes: 16 * 1024 * 1024,
  /** Most fragments of one message: empty ones cost no bytes, so a limit of bytes is not enough. */
  messageFragments: 16_384,
  /** A page of a list may have so many: clients close a connection at a line of 10 MiB. */
  pageBytes: 4 * 1024 * 1024,
  batchMessages: 100,
  inFlightRequests: 1_000,
  /** Tool calls, lists, reads of resources and completions over HTTP, of one subject, or one address without OAuth. */
  callsPerMinute: 6_000,
  /** Modern requests in flight over HTTP, subscriptions included, of one address, which may be a proxy's. */
  requestsPerAddress: 2_000,
  connectionsPerAddress: 4_000,
  /** Incomplete request bodies and WebSocket messages over HTTP, of all addresses. */
  unfinishedBytes: 64 * 1024 * 1024,
  unfinishedBytesPerAddress: 32 * 1024 * 1024,
  /** Responses and events over HTTP that clients have not read. Lists that clients share in memory (without TLS) don't count. */
  unreadBytes: 64 * 1024 * 1024,
  unreadBytesPerAddress: 32 * 1024 * 1024,
  countedAddresses: 10_000,
  /** WebSockets, each a session, are counted apart. */
  sessions: 10_000,
  /** Most sessions of one client, WebSockets included. */
  sessionsPerClient: 2_000,
  /** After this time without a request the session ends; a session with a signed id only leaves the memory. */
  sessionIdleMs: 30 * 60_000,
  /** Signed sessions that their clients ended, which are remembered until they expire; the oldest is forgotten first. */
  endedSessions: 100_000,
  replayEvents: 1_000,
  /** Bytes of events that are kept for a stream; the newest event is kept whatever its size. */
  replayBytes: 1024 * 1024,
  /** A client whose stream was closed comes back after this time. */
  retryMs: 1_000,
  keepAliveMs: 15_000,
  /** A stream is cut off if more than this waits for a client that reads too slowly. */
  streamBacklogBytes: 4 * 1024 * 1024,
  progressPerSecond: 50,
  progressIntervalMs: 5_000,
  logsPerSecond: 100,
  askTimeoutMs: 5 * 60_000,
  listTtlMs: 5 * 60_000,
  readTtlMs: 0,
  /** A client may take so long for its part of a round (2026-07-28): people are slow. */
  requestStateMs: 15 * 60_000,
  /** Answers and results that a client keeps between two runs of a handler. */
  requestStateBytes: 16 * 1024,
  subscriptions: 10_000,
  /** Here a WebSocket, and stdio, counts as a client of its own. */
  subscriptionsPerClient: 1_000,
  subscribedResources: 1_000,
  tasks: 10_000,
  /** Here a session, a WebSocket and the address of a modern client each count as a client. */
  tasksPerClient: 1_000,
  taskTtlMs: 60 * 60_000,
  taskPollMs: 1_000,
  /** The protocol allows no more values. */
  completionValues: 100,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  idleConnectionMs: 75_000,
  certificateLookMs: 10_000,
  pingIntervalMs: 30_000,
  unansweredPings: 2,
  closeTimeoutMs: 5_000,
  /** Requests in flight have this time when stdin ends, or at SIGTERM on stdio. */
  stdioDrainMs: 1_500,
  httpDrainMs: 10_000,
  /** Rounds of removing invalid parts from a structured result. */
  pruneRounds: 20,
};

export type Limits = typeof DEFAULT_LIMITS;

export const defaultUpstreamLimits = {
  /** A whole call: retries, redirects and the answer's body included. Clients give up after a minute. */
  timeoutMs: 50_000,
  /** Most bytes of an answer after decompression. */
  responseBytes: 10 * 1024 * 1024,
  fileBytes: 1024 * 1024 * 1024,
  /** Longer answers are saved where there is a files folder; others are handed over as base64. */
  inlineBytes: 1024 * 1024,
  /** Bytes of an answer that become a base64 message of 8 MiB: clients close a connection at 10 MiB. */
  binaryBytes: 6_000_000,
  streamItems: 1_000,
  /** A sequence is read for this time: then what has come is the answer. Clients wait for a minute. */
  streamMs: 45_000,
  /** Handed to the client as text, and as many as structure; clients cap a result near 25,000 tokens. */
  resultCharacters: 60_000,
  redirects: 5,
  /** Repetitions of an idempotent request after a passing failure. */
  retries: 2,
  /** The pause before the first retry; it doubles each time, with jitter. */
  retryDelayMs: 200,
  retryAfterMs: 10_000,
};

export interface UpstreamLimits extends Record<keyof typeof defaultUpstreamLimits, number> {
  /** Requests that run at one time; others wait until their timeout. Default: no limit. */
  concurrency?: number;
}

/** `most`: the highest value that is accepted. Default: every whole number. */
export type LimitVariable<L = keyof UpstreamLimits> = readonly [limit: L, name: string, most?: number];

const LONGEST_MS = 2_147_483_647;

export const HTTP_LIMIT_VARIABLES: readonly LimitVariable<keyof Limits>[] = [
  ['unfinishedBytes', 'MCP_UNFINISHED_BYTES'],
  ['unfinishedBytesPerAddress', 'MCP_UNFINISHED_BYTES_PER_ADDRESS'],
  ['unreadBytes', 'MCP_UNREAD_BYTES'],
  ['unreadBytesPerAddress', 'MCP_UNREAD_BYTES_PER_ADDRESS'],
];

export const LIMIT_VARIABLES: readonly LimitVariable[] = [
  ['concurrency', 'API_CONCURRENCY', 10_000],
  ['timeoutMs', 'API_TIMEOUT_MS', LONGEST_MS],
  ['responseBytes', 'API_RESPONSE_BYTES', 256 * 1024 * 1024],
  ['resultCharacters', 'API_RESULT_CHARACTERS', 50_000_000],
  ['fileBytes', 'API_FILE_BYTES'],
  ['streamItems', 'API_STREAM_ITEMS', 1_000_000],
  ['streamMs', 'API_STREAM_MS', LONGEST_MS],
];

// Hints for misspelt names, and globs of selectors.

/** Characters of a query, a name or a path of a caller: longer ones are refused before anything searches or compares them. */
export const LONGEST_SEARCHED = 1_000;

/** UTF-16 code units; longer URIs match nothing. */
export const longestUri = 8_192;

/** Names in one list of a caller. */
export const MOST_SEARCHED = 100;

/** Longer words are not compared. */
const LONGEST_COMPARED = 64;

/** Pairs of characters that one search for a near word compares: about 20 ms. */
const MOST_COMPARISONS = 2_000_000;

/**
 * The candidate that differs least from `word`: by a third of its length at most, by its end (`tags` for `tag`), or by case,
 * `_` and `-` only. Candidates past `MOST_COMPARISONS` are not compared.
 */
export function suggestNearest<T extends string>(word: string, candidates: Iterable<T>): T | undefined {
  if (word.length > LONGEST_COMPARED) return undefined;
  const wanted = normalizeWord(word);
  let best: T | undefined;
  let least = Math.min(wanted.length, Math.max(1, Math.round(wanted.length / 3)) + 1);
  let comparisons = 0;
  for (const candidate of candidates) {
    if (candidate.length > LONGEST_COMPARED) continue;
    comparisons += wanted.length * candidate.length;
    if (comparisons > MOST_COMPARISONS) break;
    const distance = suggestionDistance(wanted, normalizeWord(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/**
 * Makes a warning of MCP_ variables that differ by one edit, by case or by `_` from a known one that is unset. Others may be set
 * for other programs.
 */
export function describeMisspeltVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
): string[] {
  const unset = [...known].filter((name) => !env[name]);
  const found = Object.keys(env).flatMap((name) => {
    if (!env[name] || !name.startsWith('MCP_') || name.length > LONGEST_COMPARED || known.has(name))
      return [];
    const word = normalizeWord(name);
    const meant = unset.find((each) => editDistance(word, normalizeWord(each)) <= 1);
    return meant === undefined ? [] : [`${name} (did you mean ${meant}?)`];
  });
  return found.length === 0 ? [] : [`unknown: ${found.join(', ')}.`];
}

function normalizeWord(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '');
}

/** A word that begins with the other, two letters or more, counts as less than one edit; the shortest wins. */
function suggestionDistance(word: string, candidate: string): number {
  const [shorter, longer] = word.length < candidate.length ? [word, candidate] : [candidate, word];
  if (shorter === longer) return 0;
  if (shorter.length < 2 || !longer.startsWith(shorter)) return editDistance(word, candidate);
  return 0.5 + (longer.length - shorter.length) / (2 * LONGEST_COMPARED);
}

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
 * Compiles a glob: `*` matches anything within a segment, `**` anything, every other character itself, since paths are full of
 * `{parameters}`. The work is at most the length of the text times that of the glob.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const parts = (glob.match(/\*+|[^*]/gsu) ?? []).map((part) => (part.length > 2 ? '**' : part));
  return (text) => {
    // The places in the glob that the text so far leads to.
    let places = addPlacesBehindAsterisks(parts, new Set([0]));
    for (const character of text) {
      const next = new Set<number>();
      for (const place of places) {
        const part = parts[place];
        if (part === '**' || (part === '*' && character !== '/')) next.add(place);
        else if (part === character) next.add(place + 1);
      }
      if (next.size === 0) return false;
      places = addPlacesBehindAsterisks(parts, next);
    }
    return places.has(parts.length);
  };
}

/** Adds the places behind asterisks, since an asterisk may match nothing. */
function addPlacesBehindAsterisks(parts: readonly string[], places: Set<number>): Set<number> {
  for (const place of places) if (parts[place]?.startsWith('*') === true) places.add(place + 1);
  return places;
}

/** The HTTP client alone sets these headers (RFC 9110, section 7.6.1). */
const OF_CLIENT =
  /^(?:host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

export function isSettableHeader(name: string): boolean {
  return !OF_CLIENT.test(name);
}

/** `${NAME}` in the value of a header, or `$${` for the characters `${`. */
export const HEADER_VARIABLE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export interface ServerFeatures {
  rows: readonly Feature[];
  present: ReadonlySet<string>;
  /** Variables of the server's own APIs. */
  ofApis?: readonly EnvironmentVariable[];
}

/** Lists every variable that the server reads, those of its APIs first. Several features may read one, which is listed once. */
export function listFeatureVariables({ rows, present, ofApis = [] }: ServerFeatures): EnvironmentVariable[] {
  const ofFeatures = rows
    .filter(({ name }) => present.has(name))
    .flatMap(({ variables = [] }) =>
      variables.filter((each) => each.with === undefined || present.has(each.with)),
    );
  return [...new Map([...ofApis, ...ofFeatures].map((each) => [each.name, each])).values()];
}

/** `my-Scheme1` is `MY_SCHEME1`; camelCase is not split. */
export function toVariableName(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

export function apiVariableName(
  variable: 'API_BASE_URL' | 'API_SERVER' | 'API_HEADERS',
  api?: string,
  end?: string,
): string {
  return [variable, api, end].filter((part) => part !== undefined).join('_');
}

export function serverChoiceVariableName(name: string, api?: string): string {
  return apiVariableName('API_SERVER', api, toVariableName(name));
}
