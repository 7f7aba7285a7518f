/** What a client wants to be told of (MCP `SubscriptionFilter`), and what of it this server tells. */
import type { Call } from '../call.ts';
import { capabilitiesFor } from '../capabilities.ts';
import { isRecord } from '../../protocol/json-rpc.ts';

export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
  /** Of the extension `io.modelcontextprotocol/tasks`. */
  taskIds?: string[];
}

/** The part of `wanted` that the server has declared to tell. */
export async function honoured(wanted: SubscriptionFilter, call: Call): Promise<SubscriptionFilter> {
  const { tools, prompts, resources } = await capabilitiesFor(call.project, call.agreement.features);
  const tells = (capability: unknown, member: string): boolean =>
    isRecord(capability) && capability[member] === true;
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } = wanted;
  return {
    ...(toolsListChanged && tells(tools, 'listChanged') ? { toolsListChanged } : {}),
    ...(promptsListChanged && tells(prompts, 'listChanged') ? { promptsListChanged } : {}),
    ...(resourcesListChanged && tells(resources, 'listChanged') ? { resourcesListChanged } : {}),
    ...(resourceSubscriptions && tells(resources, 'subscribe') ? { resourceSubscriptions } : {}),
  };
}
