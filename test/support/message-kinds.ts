/** The names under which the official schemas keep each kind of message that a server sends. */

/** By the method of the request that is answered. */
const RESULTS = new Map([
  ['initialize', 'InitializeResult'],
  ['ping', 'EmptyResult'],
  ['logging/setLevel', 'EmptyResult'],
  ['resources/subscribe', 'EmptyResult'],
  ['resources/unsubscribe', 'EmptyResult'],
  ['server/discover', 'DiscoverResult'],
  ['subscriptions/listen', 'SubscriptionsListenResult'],
  ['tools/list', 'ListToolsResult'],
  ['tools/call', 'CallToolResult'],
  ['resources/list', 'ListResourcesResult'],
  ['resources/templates/list', 'ListResourceTemplatesResult'],
  ['resources/read', 'ReadResourceResult'],
  ['prompts/list', 'ListPromptsResult'],
  ['prompts/get', 'GetPromptResult'],
  ['completion/complete', 'CompleteResult'],
  ['skills/list', 'Result'],
  ['skills/get', 'Result'],
  ['resources/directory/read', 'Result'],
  ['tasks/get', 'GetTaskResult'],
  ['tasks/result', 'GetTaskPayloadResult'],
  ['tasks/list', 'ListTasksResult'],
  ['tasks/cancel', 'CancelTaskResult'],
]);

const NOTIFICATIONS = new Map([
  ['notifications/cancelled', 'CancelledNotification'],
  ['notifications/progress', 'ProgressNotification'],
  ['notifications/message', 'LoggingMessageNotification'],
  ['notifications/resources/updated', 'ResourceUpdatedNotification'],
  ['notifications/resources/list_changed', 'ResourceListChangedNotification'],
  ['notifications/tools/list_changed', 'ToolListChangedNotification'],
  ['notifications/prompts/list_changed', 'PromptListChangedNotification'],
  ['notifications/subscriptions/acknowledged', 'SubscriptionsAcknowledgedNotification'],
  ['notifications/elicitation/complete', 'ElicitationCompleteNotification'],
  ['notifications/tasks/status', 'TaskStatusNotification'],
]);

const REQUESTS = new Map([
  ['ping', 'PingRequest'],
  ['sampling/createMessage', 'CreateMessageRequest'],
  ['elicitation/create', 'ElicitRequest'],
  ['roots/list', 'ListRootsRequest'],
]);

/** The tasks extension of the modern era has schemas of its own. */
const OF_EXTENSIONS = new Set(['tasks/get', 'tasks/update', 'tasks/cancel', 'notifications/tasks']);

/** The kind of a result, from the method it answers and what it says of itself. */
export function resultKind(method: string, result: object, isModern: boolean): string {
  if (isModern) {
    const type: unknown = Reflect.get(result, 'resultType');
    if (type === 'input_required') return 'InputRequiredResult';
    if (type === 'task' || OF_EXTENSIONS.has(method)) return 'Result';
  } else if (method === 'tools/call' && 'task' in result) return 'CreateTaskResult';
  return known(RESULTS, method);
}

export function notificationKind(method: string, isModern: boolean): string {
  return isModern && OF_EXTENSIONS.has(method) ? 'JSONRPCNotification' : known(NOTIFICATIONS, method);
}

export function requestKind(method: string): string {
  return known(REQUESTS, method);
}

function known(kinds: ReadonlyMap<string, string>, method: string): string {
  const kind = kinds.get(method);
  if (kind === undefined) throw new Error(`no schema is known for ${method}`);
  return kind;
}
