import type { BoundUpstream } from '../upstream-part.ts';
import type { ServerInstance } from './server-instance.ts';

/** What calls the APIs of the project; the part of the runtime for it loads with the first call of one. */
export async function upstreamOf(server: ServerInstance): Promise<BoundUpstream> {
  return (server.cache.upstream ??= import('./upstream/index.ts').then(({ openUpstream }) =>
    openUpstream(server),
  ));
}
