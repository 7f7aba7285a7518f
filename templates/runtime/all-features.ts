/** Every feature: what `mcpgen serve` runs with. Not part of projects, which have a list of their own. */
import type { FeatureLoaders } from './feature-loaders.ts';

export const allFeatures: Required<FeatureLoaders> = {
  http: () => import('./main/start-http.ts'),
  sse: () => import('./transports/http/sse.ts'),
  websocket: () => import('./transports/websocket/websocket-transport.ts'),
  audit: () => import('./audit/open-audit.ts'),
  tasks: () => import('./core/tasks/index.ts'),
  ask: () => import('./core/ask-client.ts'),
  api: () => import('./core/upstream/index.ts'),
  apiSettings: () => import('./main/api-settings.ts'),
  mockApi: () => import('./upstream/mock-client.ts'),
  mockFunctions: () => import('./functions/mock-functions.ts'),
};
