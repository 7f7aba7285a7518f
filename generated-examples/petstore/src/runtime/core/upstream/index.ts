/** Requests to the APIs behind a server, as the work of its tools and resources. */
import type { BoundUpstream } from '../../upstream-part.ts';
import type { ServerInstance } from '../server-instance.ts';
import type { Apis } from './call-upstream.ts';
import { callApi, readFromApi } from './call-api.ts';

/** `clients`: those that there are already, by the name of their API. Default none. */
export function openUpstream(server: ServerInstance, clients: Apis['clients'] = new Map()): BoundUpstream {
  const apis = { server, clients };
  return {
    tool: async (context, request) => callApi(apis, context, request),
    resource: async (call, uri, request) => readFromApi(apis, call, uri, request),
  };
}
