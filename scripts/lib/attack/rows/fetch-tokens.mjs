/** Tokens and signed sessions of requests that a web server hands to the handler of `src/fetch.ts`: one of each kind. */
import { openGuarded } from '../guarded-server.mjs';
import { PREVIOUS, rows as signedSessions } from './signed-sessions.mjs';
import { rows as tokens } from './tokens.mjs';

export const family = 'tokens through fetch';

export const open = (folder) =>
  openGuarded(folder, { byFetch: true, env: { MCP_STATE_SECRET_PREVIOUS: PREVIOUS } });

export const rows = [...signedSessions, ...tokens].filter(({ name }) =>
  /^an id of another (?:secret|subject)|: (?:signed by a stranger|expired|another audience)$/.test(name),
);
