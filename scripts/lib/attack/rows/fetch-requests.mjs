/** Requests that a web server hands to the handler of `src/fetch.ts`: one of each kind, as the adapter reads URL, head and body. */
import { openServer } from '../server.mjs';
import { rows as limits } from './limits.mjs';
import { rows as origins } from './origins.mjs';
import { rows as sessions } from './sessions.mjs';

export const family = 'requests through fetch';

export const open = (folder) => openServer(folder, { byFetch: true });

const READ_BY_THE_ADAPTER =
  /^(?!WebSocket).*: (?:Origin https:\/\/evil\.example|Host evil\.example)$|^POST: Origin $|with a made-up id|^an id in|posted to HTTP\+SSE|^a body that|^a target that|^lists in lists that end/;

export const rows = [...origins, ...sessions, ...limits].filter(({ name }) => READ_BY_THE_ADAPTER.test(name));
