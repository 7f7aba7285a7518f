// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The envelope of every modern result: its type, the server's name, and how long a cacheable result may be kept. */
import { META } from '../../protocol/revisions.ts';
import { RawJson } from '../answer.ts';
import type { Call } from '../call.ts';
import { writeJson } from '../../contract/json-text.ts';

/** Methods whose results clients may keep ("Caching", Cacheable Results). */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

interface CachingHint {
  /** Milliseconds. */
  ttlMs: number;
  cacheScope: 'public' | 'private';
}

export function withEnvelope(result: object | RawJson, call: Call, method: string): object | RawJson {
  if (!(result instanceof RawJson) && ('resultType' in result || '_meta' in result))
    return aroundOwn(result, call, method);
  const content = result instanceof RawJson ? result.content : writeJson(result);
  const head = headFor(call, method);
  if (typeof content === 'string')
    return new RawJson(content === '{}' ? `${head}}` : `${head},${content.slice(1)}`);
  const [start, shared, end] = content;
  return new RawJson([`${head},${start.slice(1)}`, shared, end]);
}

/** A result that sets its type or metadata itself keeps them. */
function aroundOwn(result: Record<string, unknown>, call: Call, method: string): object {
  const { resultType = 'complete', _meta: own, ...rest } = result;
  const hint = resultType === 'complete' ? hintFor(call, method) : undefined;
  const meta = { ...(own as object | undefined), [META.serverInfo]: call.server.info };
  return { resultType, ...hint, ...rest, _meta: meta };
}

/** The beginning of a result's text, up to its own members: the same for every call of a method. */
function headFor(call: Call, method: string): string {
  const { info, cache } = call.server;
  const heads = (cache.heads ??= new Map<string, string>());
  const hint = hintFor(call, method);
  const key = hint === undefined ? '' : `${hint.ttlMs} ${hint.cacheScope}`;
  let head = heads.get(key);
  if (head === undefined) {
    const envelope = { resultType: 'complete', ...hint, _meta: { [META.serverInfo]: info } };
    heads.set(key, (head = JSON.stringify(envelope).slice(0, -1)));
  }
  return head;
}

/** Lists are the same for all callers. A read may depend on the caller, and on answers of its client. */
function hintFor({ server, params }: Call, method: string): CachingHint | undefined {
  if (!CACHEABLE.has(method)) return undefined;
  const { listTtlMs, readTtlMs } = server.limits;
  // Functions may list other resources for each caller.
  if (method === 'resources/list' && server.functions?.lists === true)
    return { ttlMs: readTtlMs, cacheScope: 'private' };
  if (method !== 'resources/read') return { ttlMs: listTtlMs, cacheScope: 'public' };
  const isRetried = params['inputResponses'] !== undefined || params['requestState'] !== undefined;
  return { ttlMs: isRetried ? 0 : readTtlMs, cacheScope: 'private' };
}
