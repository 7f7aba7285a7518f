/** Requests that a web server hands to the handler of `src/fetch.ts`: what is refused over `node:http` is refused there. */
import { openServer } from '../server.mjs';
import { rows as limits } from './limits.mjs';
import { rows as origins } from './origins.mjs';
import { rows as sessions } from './sessions.mjs';

export const family = 'requests through fetch';

export const open = (folder) => openServer(folder, { byFetch: true });

export const rows = [...origins, ...sessions, ...limits].filter(({ name }) => !/WebSocket|head/i.test(name));
