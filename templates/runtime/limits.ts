// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The limits of the MCP side. Those of the API client are in `upstream-limits.ts`. */
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
  /** The same, of one address. */
  unfinishedBytesPerAddress: 32 * 1024 * 1024,
  /** Bytes of responses and events over HTTP that clients have not read, of all addresses. Without TLS lists are shared, and don't count. */
  unreadBytes: 64 * 1024 * 1024,
  /** The same, of one address. */
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
