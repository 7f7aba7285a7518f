/** What the handling of every request is given. */
import type { BlockList } from 'node:net';
import type { Core } from '../../core/core.ts';
import type { LogLevel } from '../../definition.ts';
import type { SseFeature } from '../../feature-loaders.ts';
import type { Limits } from '../../limits.ts';
import type { MemoryBounds } from '../byte-bound.ts';
import type { Guard } from './guard.ts';
import type { OriginRules } from './origin-check.ts';
import type { KeyCounter, KeyedRateLimiters } from './rate-limit-key.ts';
import type { SessionStore } from './session-store.ts';

export interface HttpHandlerOptions {
  core: Core;
  sessions: SessionStore;
  limits: Limits;
  rules: OriginRules;
  /** The endpoint: `/mcp`. */
  path: string;
  /** Serves HTTP+SSE (2024-11-05) too. */
  sse?: SsePaths | undefined;
  /** Where WebSockets are opened: not here, which is said to requests that ask for none. */
  webSocketPath?: string;
  limiters: KeyedRateLimiters;
  /** Bound what is kept for clients. Default: by `limits`, and nobody is told. */
  memory?: MemoryBounds;
  /** Whose word for where a request comes from is taken. Default: nobody's. */
  proxies?: BlockList | undefined;
  /** Asks callers who they are. Absent: nobody is asked. */
  guard?: Guard | undefined;
  /** Headers of requests that go on to the API, in lower case. Default none. */
  passHeaders?: readonly string[];
  logLevel: LogLevel;
  /** Told of what went wrong inside; the client is not. */
  report: (thrown: unknown) => void;
}

/** What the methods of the endpoint share. */
export interface HttpContext extends HttpHandlerOptions {
  /** Counts the requests at work of clients that have no session, by address. */
  atWork: KeyCounter;
  memory: MemoryBounds;
}

export interface SsePaths extends SseFeature {
  /** Of the stream: `/sse`. */
  path: string;
  /** To post to: `/messages`. */
  messagesPath: string;
}
