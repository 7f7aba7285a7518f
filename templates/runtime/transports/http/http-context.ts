// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Options of the HTTP handler, and the context that all requests share. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Caller } from '../../core/call.ts';
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
  /** Path of WebSockets. Plain requests for it are refused with 426. */
  webSocketPath?: string;
  limiters: KeyedRateLimiters;
  /** Bounds of bytes kept for clients. Default: by `limits`, without warnings. */
  memory?: MemoryBounds;
  /** Trusted proxies, whose `X-Forwarded-For` names the client. Default none. */
  proxies?: BlockList | undefined;
  /** Authenticates callers. Absent: none need a token. */
  guard?: Guard | undefined;
  /** Headers of requests that go on to the API, in lower case. Default none. */
  passHeaders?: readonly string[];
  logLevel: LogLevel;
  /** Reports internal errors, which clients don't see. */
  report: (thrown: unknown) => void;
}

export interface HttpContext extends HttpHandlerOptions {
  /** Counts the requests at work of clients that have no session, by address. */
  atWork: KeyCounter;
  memory: MemoryBounds;
}

export interface SsePaths extends SseFeature {
  /** Path of the stream: `/sse`. */
  path: string;
  /** Path of posted messages: `/messages`. */
  messagesPath: string;
}

/** One HTTP request, its response, and its caller, if callers need a token. */
export interface HttpCall {
  request: IncomingMessage;
  response: ServerResponse;
  context: HttpContext;
  caller: Caller | undefined;
}
