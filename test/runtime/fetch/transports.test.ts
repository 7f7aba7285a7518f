import { againByFetch } from './through-fetch.ts';

await againByFetch([
  'transports/http',
  'transports/http-heads',
  'transports/http-modern',
  'transports/http-modern-tasks',
  'transports/http-nodes',
  'transports/http-sdk-client',
  'transports/http-sse',
  'transports/http-stateless',
  'transports/http-streams',
  'transports/asks-http',
  'transports/session-room',
]);
