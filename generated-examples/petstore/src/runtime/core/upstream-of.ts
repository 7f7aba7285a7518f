import type { BoundUpstream } from '../upstream-part.ts';
import type { Project } from './project.ts';

/** What calls the APIs of the project; the part of the runtime for it loads with the first call of one. */
export async function upstreamOf(project: Project): Promise<BoundUpstream> {
  return (project.parts.upstream ??= import('./upstream/index.ts').then(({ openUpstream }) =>
    openUpstream(project),
  ));
}
