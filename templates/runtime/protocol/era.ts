/** Legacy revisions open with `initialize`; the requests of modern ones say everything themselves, in `_meta`. */
import { isRecord } from '../contract/json-value.ts';
import { type Params } from './json-rpc.ts';
import { MODERN_REVISIONS } from './revisions.ts';

export type Era = 'legacy' | 'modern';

/** The keys of `_meta` that are MCP's own ("`_meta`"; the last one: 2025-11-25, "Tasks"). */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;

/**
 * The era of a request, whatever came before it: `_meta` decides, and where it names no version, the version that
 * the transport's headers name. `initialize` is judged by its body alone, since its headers name no agreed version yet.
 */
export function eraOf(request: { method: string; params: Params }, headerVersion: string | undefined): Era {
  const { _meta: meta } = request.params;
  if (isRecord(meta) && Object.hasOwn(meta, META.protocolVersion)) return 'modern';
  return request.method !== 'initialize' && isModernDate(headerVersion) ? 'modern' : 'legacy';
}

/** Whether a version header names a revision of the modern era, even one that is not known here. */
export function isModernDate(version: string | undefined): boolean {
  return version !== undefined && version >= MODERN_REVISIONS[0] && /^\d{4}-\d{2}-\d{2}$/.test(version);
}
