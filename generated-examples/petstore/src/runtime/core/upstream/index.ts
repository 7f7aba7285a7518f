/** Requests to the APIs behind a server, as the work of its tools and resources. */
import type { BoundUpstream } from '../../upstream-part.ts';
import type { Project } from '../project.ts';
import type { Apis } from './call-upstream.ts';
import { doRequest } from './do-request.ts';
import { readRequest } from './read-request.ts';

/** `clients`: those that there are already, by the name of their API. Default none. */
export function openUpstream(project: Project, clients: Apis['clients'] = new Map()): BoundUpstream {
  const apis = { project, clients };
  return {
    tool: async (context, request) => doRequest(apis, context, request),
    resource: async (call, uri, request) => readRequest(apis, call, uri, request),
  };
}
