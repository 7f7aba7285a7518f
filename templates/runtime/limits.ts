/** Every limit of the protocol side, by name. Those of the API client are in `upstream-limits.ts`. */
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
  /** Requests at work at one time in one session. */
  inFlightRequests: 1_000,
  /** Tool calls, lists, resources that are read and completions a minute of one subject, or where nobody is asked from one address, over HTTP. stdio has none unless told. */
  callsPerMinute: 6_000,
  /** Modern requests over HTTP, subscriptions among them, at work at one time for one address: it may be a proxy's. */
  requestsPerAddress: 2_000,
  /** TCP connections over HTTP open at one time of one address: a stream and a request for each of its sessions. */
  connectionsPerAddress: 4_000,
  /** Bytes of request bodies and WebSocket messages whose end has not come, over HTTP, of all addresses. */
  unfinishedBytes: 64 * 1024 * 1024,
  /** The same, of one address. */
  unfinishedBytesPerAddress: 32 * 1024 * 1024,
  /** Bytes of answers and events that clients have not read, over HTTP, of all addresses. Lists are shared, and count for none without TLS. */
  unreadBytes: 64 * 1024 * 1024,
  /** The same, of one address. */
  unreadBytesPerAddress: 32 * 1024 * 1024,
  /** Subjects and addresses whose calls over HTTP are counted. */
  countedAddresses: 10_000,
  /** Legacy sessions over HTTP open at one time; WebSockets, each a session, are counted apart. */
  sessions: 10_000,
  /** Sessions, and WebSockets, of one subject; where nobody is asked who they are, of one address. */
  sessionsPerClient: 2_000,
  /** Milliseconds after which an unused session ends. */
  sessionIdleMs: 30 * 60_000,
  /** Events that one session keeps for clients whose connection broke off. */
  replayEvents: 1_000,
  /** Bytes of them. The newest is kept whatever its size. */
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
  /** Milliseconds a client has to answer what a handler asks it: people are slow. */
  askTimeoutMs: 5 * 60_000,
  /** Milliseconds that a client may keep a list (2026-07-28). */
  listTtlMs: 5 * 60_000,
  /** Milliseconds that a client may keep what it has read (2026-07-28). */
  readTtlMs: 0,
  /** Milliseconds a client has for its part of a round (2026-07-28): people are slow. */
  requestStateMs: 15 * 60_000,
  /** Subscriptions open at one time (2026-07-28). */
  subscriptions: 10_000,
  /** Those of one subject; where nobody is asked who they are, of one address, or of one socket or stdio. */
  subscriptionsPerClient: 1_000,
  /** Resources that one client watches. */
  subscribedResources: 1_000,
  /** Tasks kept at one time. */
  tasks: 10_000,
  /** Tasks of one subject; where nobody is asked who they are, of one session or socket, or of one modern client's address. */
  tasksPerClient: 1_000,
  /** Milliseconds that a task is kept, at most. */
  taskTtlMs: 60 * 60_000,
  /** Milliseconds between two looks at a task, as clients are told. */
  taskPollMs: 1_000,
  /** Values of one completion (the protocol's own limit). */
  completionValues: 100,
  /** Milliseconds an HTTP client has to send its headers. */
  headersTimeoutMs: 10_000,
  /** Milliseconds an HTTP client has to send its whole request. */
  requestTimeoutMs: 60_000,
  /** Milliseconds that an HTTP connection is kept without a request: clients that were busy come back on it. */
  idleConnectionMs: 75_000,
  /** Milliseconds between two looks at the files of a TLS certificate. */
  certificateLookMs: 10_000,
  /** Milliseconds between the pings on a WebSocket. */
  pingIntervalMs: 30_000,
  /** Pings in a row, with nothing heard since the first, after which a WebSocket's client is taken for gone. */
  unansweredPings: 2,
  /** Milliseconds that a WebSocket's client is given for its part of closing. */
  closeTimeoutMs: 5_000,
  /** Milliseconds that work under way is given when stdin ends, or at SIGTERM on stdio. */
  stdioDrainMs: 1_500,
  /** Milliseconds that work under way is given at SIGTERM over HTTP and WebSocket. */
  httpDrainMs: 10_000,
  /** Rounds of removing what does not conform from a structured answer. */
  pruneRounds: 20,
};

export type Limits = typeof DEFAULT_LIMITS;
