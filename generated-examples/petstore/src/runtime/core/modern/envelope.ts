/** What every modern result carries: its type, who answers, and how long a cacheable one may be kept. */
import { META } from '../../protocol/era.ts';
import { RawJson } from '../answer.ts';
import type { Call } from '../call.ts';

/** The results that clients may keep ("Caching", Cacheable Results). */
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
  const meta = { [META.serverInfo]: call.project.info };
  const hint = CACHEABLE.has(method) ? cachingHint(call, method) : {};
  if (result instanceof RawJson) {
    const head = JSON.stringify({ resultType: 'complete', ...hint, _meta: meta });
    return new RawJson(`${head.slice(0, -1)},${result.text.slice(1)}`);
  }
  const { resultType = 'complete', _meta: own, ...rest }: Partial<Record<string, unknown>> = { ...result };
  return {
    resultType,
    ...(resultType === 'complete' ? hint : {}),
    ...rest,
    _meta: { ...(own as object | undefined), ...meta },
  };
}

/** Lists are the same for everyone; what is read may depend on who asks, and on what was answered. */
function cachingHint({ project, params }: Call, method: string): CachingHint {
  const { listTtlMs, readTtlMs } = project.limits;
  if (method !== 'resources/read') return { ttlMs: listTtlMs, cacheScope: 'public' };
  const isRetried = params['inputResponses'] !== undefined || params['requestState'] !== undefined;
  return { ttlMs: isRetried ? 0 : readTtlMs, cacheScope: 'private' };
}
