/** The API behind the server: calls it, and turns its answers into MCP content. Imports nothing but Node. */
export { apiOf } from '../contract/apis.ts';
export { defaultUpstreamLimits, type UpstreamLimits } from '../upstream-limits.ts';
export type { UpstreamSettings } from './settings.ts';
export { toResourceContents, toToolResult } from './tool-result.ts';
export type { AnswerBody, UpstreamAnswer } from '../upstream-answer.ts';
export { createUpstreamClient, type CallOptions, type UpstreamClient } from './upstream-client.ts';
export { UpstreamError, type UpstreamErrorCode } from './upstream-error.ts';
