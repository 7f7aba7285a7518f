/** What a client wants to be told of (MCP `SubscriptionFilter`), and what of it this server tells. */
import { isRecord } from '../../contract/json-value.ts';
import type { Call } from '../call.ts';
import { capabilitiesFor } from '../capabilities.ts';
import { mustDeclareTasks } from '../tasks/task-support.ts';

export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
  /** Of the extension `io.modelcontextprotocol/tasks`. */
  taskIds?: string[];
}

/**
 * The part of `wanted` that the server has declared to tell, and of tasks those of the client.
 *
 * @throws {ProtocolError} `-32021` for tasks of a client that has not declared them
 */
export async function honoured(wanted: SubscriptionFilter, call: Call): Promise<SubscriptionFilter> {
  const { server, agreement, context } = call;
  const { tools, prompts, resources } = await capabilitiesFor(server, agreement.features);
  const tells = (capability: unknown, member: string): boolean =>
    isRecord(capability) && capability[member] === true;
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions, taskIds } =
    wanted;
  if (taskIds !== undefined) mustDeclareTasks(call);
  const tasks =
    taskIds?.filter((id) => server.state.tasks?.owned(id, context.caller?.subject) !== undefined) ?? [];
  return {
    ...(toolsListChanged && tells(tools, 'listChanged') ? { toolsListChanged } : {}),
    ...(promptsListChanged && tells(prompts, 'listChanged') ? { promptsListChanged } : {}),
    ...(resourcesListChanged && tells(resources, 'listChanged') ? { resourcesListChanged } : {}),
    ...(resourceSubscriptions && tells(resources, 'subscribe') ? { resourceSubscriptions } : {}),
    ...(tasks.length > 0 ? { taskIds: tasks } : {}),
  };
}
