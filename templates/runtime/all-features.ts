// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Every feature, for `mcpgen serve`. Emitted projects have a list of their own. */
import type { CoreFeatures } from './core/server-instance.ts';
import type { MainFeatures } from './main/settings.ts';
import type { UpstreamFeatures } from './upstream/upstream-settings.ts';

export const allFeatures: Required<CoreFeatures & MainFeatures & UpstreamFeatures> = {
  http: () => import('./main/start-http.ts'),
  sse: () => import('./transports/http/sse.ts'),
  websocket: () => import('./transports/websocket/websocket-transport.ts'),
  fetch: () => import('./fetch/create-handler.ts'),
  audit: () => import('./audit/open-audit.ts'),
  metrics: () => import('./telemetry/metrics.ts'),
  traces: () => import('./telemetry/traces.ts'),
  tasks: () => import('./core/tasks/index.ts'),
  ask: () => import('./core/ask-client.ts'),
  api: () => import('./core/call-api.ts'),
  apiSettings: () => import('./main/api-settings.ts'),
  bodies: () => import('./upstream/multipart-body.ts'),
  parameters: () => import('./upstream/parameter-styles.ts'),
  answerMembers: () => import('./contract/answer-members.ts'),
  clientCredentials: () => import('./upstream/oauth-token.ts'),
  exchange: () => import('./oauth/on-behalf/index.ts'),
  dpop: () => import('./oauth/dpop/index.ts'),
  files: () => import('./upstream/files.ts'),
  sequences: () => import('./upstream/stream-answer.ts'),
  proxy: () => import('./upstream/agents.ts'),
  patterns: () => import('./contract/regex/linear-patterns.ts'),
  alternatives: () => import('./schema/alternatives.ts'),
  uriTemplates: () => import('./uri-template/index.ts'),
  search: () => import('./search/index.ts'),
  redis: () => import('./redis/index.ts'),
  signedSessions: () => import('./transports/http/signed-session-store.ts'),
  sharedSessions: () => import('./redis/shared-sessions.ts'),
  sharedTasks: () => import('./redis/shared-tasks.ts'),
  skills: () => import('./skills/index.ts'),
  mockApi: () => import('./upstream/mock-client.ts'),
  mockFunctions: () => import('./functions/mock-functions.ts'),
};
