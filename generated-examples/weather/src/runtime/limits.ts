/** Every limit of the protocol side, by name. Those of the upstream client stand in `upstream/`. */

export interface Limits {
  /** Bytes of one HTTP request body. */
  bodyBytes: number;
  /** Bytes of the head of one HTTP request: its first line and its fields. */
  headerBytes: number;
  /** Bytes of the target of one HTTP request: path and query. */
  targetBytes: number;
  /** Bytes of one line on stdio. */
  lineBytes: number;
  /** Bytes of one WebSocket message, all its fragments together. */
  messageBytes: number;
  /** Fragments of one WebSocket message: empty ones would cost no bytes. */
  messageFragments: number;
  /** Messages of one JSON-RPC batch. */
  batchMessages: number;
  /** Requests at work at one time in one session. */
  inFlightRequests: number;
  /** Tool calls, lists, resources that are read and completions a minute of one subject, or where nobody is asked from one address, over HTTP. stdio has none unless told. */
  callsPerMinute: number;
  /** Modern requests over HTTP, subscriptions among them, at work at one time for one address: it may be a proxy's. */
  requestsPerAddress: number;
  /** TCP connections over HTTP open at one time of one address: a stream and a request for each of its sessions. */
  connectionsPerAddress: number;
  /** Bytes of request bodies and WebSocket messages whose end has not come, over HTTP, of all addresses. */
  unfinishedBytes: number;
  /** The same, of one address. */
  unfinishedBytesPerAddress: number;
  /** Bytes of answers and events that clients have not read, over HTTP, of all addresses. Lists are shared, and count for none without TLS. */
  unreadBytes: number;
  /** The same, of one address. */
  unreadBytesPerAddress: number;
  /** Subjects and addresses whose calls over HTTP are counted. */
  countedAddresses: number;
  /** Legacy sessions over HTTP open at one time; WebSockets, each a session, are counted apart. */
  sessions: number;
  /** Sessions, and WebSockets, of one subject; where nobody is asked who they are, of one address. */
  sessionsPerClient: number;
  /** Milliseconds after which an unused session ends. */
  sessionIdleMs: number;
  /** Events that one session keeps for clients whose connection broke off. */
  replayEvents: number;
  /** Bytes of them. The newest is kept whatever its size. */
  replayBytes: number;
  /** Milliseconds after which a client whose stream was closed comes back for the rest. */
  retryMs: number;
  /** Milliseconds between the comments that keep a stream of events alive. */
  keepAliveMs: number;
  /** Bytes that may wait for a client that reads too slowly, before its stream is cut off. */
  streamBacklogBytes: number;
  /** Progress notifications a second, of one call. */
  progressPerSecond: number;
  /** Milliseconds between the progress notifications of a call that waits for the API. */
  progressIntervalMs: number;
  /** Log notifications a second, of one call. */
  logsPerSecond: number;
  /** Milliseconds a client has to answer what a handler asks it: people are slow. */
  askTimeoutMs: number;
  /** Milliseconds that a client may keep a list (2026-07-28). */
  listTtlMs: number;
  /** Milliseconds that a client may keep what it has read (2026-07-28). */
  readTtlMs: number;
  /** Milliseconds a client has for its part of a round (2026-07-28): people are slow. */
  requestStateMs: number;
  /** Subscriptions open at one time (2026-07-28). */
  subscriptions: number;
  /** Those of one subject; where nobody is asked who they are, of one address, or of one socket or stdio. */
  subscriptionsPerClient: number;
  /** Resources that one client watches. */
  subscribedResources: number;
  /** Tasks kept at one time. */
  tasks: number;
  /** Tasks of one subject; where nobody is asked who they are, of one session or socket, or of one modern client's address. */
  tasksPerClient: number;
  /** Milliseconds that a task is kept, at most. */
  taskTtlMs: number;
  /** Milliseconds between two looks at a task, as clients are told. */
  taskPollMs: number;
  /** Values of one completion (the protocol's own limit). */
  completionValues: number;
  /** Milliseconds an HTTP client has to send its headers. */
  headersTimeoutMs: number;
  /** Milliseconds an HTTP client has to send its whole request. */
  requestTimeoutMs: number;
  /** Milliseconds that an HTTP connection is kept without a request: clients that were busy come back on it. */
  idleConnectionMs: number;
  /** Milliseconds between two looks at the files of a TLS certificate. */
  certificateLookMs: number;
  /** Milliseconds between the pings on a WebSocket. */
  pingIntervalMs: number;
  /** Pings in a row, with nothing heard since the first, after which a WebSocket's client is taken for gone. */
  unansweredPings: number;
  /** Milliseconds that a WebSocket's client is given for its part of closing. */
  closeTimeoutMs: number;
  /** Milliseconds that work under way is given when stdin ends, or at SIGTERM on stdio. */
  stdioDrainMs: number;
  /** Milliseconds that work under way is given at SIGTERM over HTTP and WebSocket. */
  httpDrainMs: number;
  /** Rounds of removing what does not conform from a structured answer. */
  pruneRounds: number;
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  headerBytes: 16 * 1024,
  targetBytes: 2 * 1024,
  lineBytes: 16 * 1024 * 1024,
  messageBytes: 16 * 1024 * 1024,
  messageFragments: 16_384,
  batchMessages: 100,
  inFlightRequests: 1_000,
  callsPerMinute: 6_000,
  requestsPerAddress: 2_000,
  connectionsPerAddress: 4_000,
  unfinishedBytes: 64 * 1024 * 1024,
  unfinishedBytesPerAddress: 32 * 1024 * 1024,
  unreadBytes: 64 * 1024 * 1024,
  unreadBytesPerAddress: 32 * 1024 * 1024,
  countedAddresses: 10_000,
  sessions: 10_000,
  sessionsPerClient: 2_000,
  sessionIdleMs: 30 * 60_000,
  replayEvents: 1_000,
  replayBytes: 1024 * 1024,
  retryMs: 1_000,
  keepAliveMs: 15_000,
  streamBacklogBytes: 4 * 1024 * 1024,
  progressPerSecond: 50,
  progressIntervalMs: 5_000,
  logsPerSecond: 100,
  askTimeoutMs: 5 * 60_000,
  listTtlMs: 5 * 60_000,
  readTtlMs: 0,
  requestStateMs: 15 * 60_000,
  subscriptions: 10_000,
  subscriptionsPerClient: 1_000,
  subscribedResources: 1_000,
  tasks: 10_000,
  tasksPerClient: 1_000,
  taskTtlMs: 60 * 60_000,
  taskPollMs: 1_000,
  completionValues: 100,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  idleConnectionMs: 75_000,
  certificateLookMs: 10_000,
  pingIntervalMs: 30_000,
  unansweredPings: 2,
  closeTimeoutMs: 5_000,
  stdioDrainMs: 1_500,
  httpDrainMs: 10_000,
  pruneRounds: 20,
};
