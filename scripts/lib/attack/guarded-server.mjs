/** The emitted server as it asks for tokens, and the issuers whose tokens count there. */
import { AUDIENCE, bearer, FormEndpoint, Issuer } from './issuer.mjs';
import { openServer } from './server.mjs';
import { Session } from './session.mjs';

/** `more`: `like`: another process of the same program with the same issuers; the rest as of `Start`. */
export async function openGuarded(folder, { env = {}, args = [], options = [], like, ...rest } = {}) {
  const issuers = like?.issuers ?? (await Promise.all([Issuer.open(), Issuer.open()]));
  const [issuer] = issuers;
  const server = await openServer(folder, {
    ...rest,
    clock: true,
    args,
    main: like?.main,
    options: ['--auth', 'oauth', ...options],
    headers: bearer(await issuer.token({ sub: 'witness' })),
    env: {
      MCP_AUTH_ISSUER: issuers.map(({ url }) => url).join(),
      MCP_AUTH_AUDIENCE: AUDIENCE,
      MCP_STATE_SECRET: STATE_SECRET,
      ...env,
    },
  });
  return {
    ...server,
    issuers,
    issuer,
    as: async (claims) => Session.open(server.url, bearer(await issuer.token(claims))),
    close: async () => {
      await server.close();
      if (like === undefined) await Promise.all(issuers.map((each) => each.close()));
    },
  };
}

/** Known to the rows that make states as the server would. */
export const STATE_SECRET = 'a secret for states, long enough for all';

/** By which keys are derived from the secret. */
export const SERVER_NAME = 'target-mcp';

/** How a caller was refused: `401 invalid_token`. */
export function refusalOf({ status, headers }) {
  const error = /error="(\w+)"/.exec(headers['www-authenticate'] ?? '')?.[1];
  return error === undefined ? String(status) : `${status} ${error}`;
}

/** The emitted server as it asks an issuer about tokens, and what that says of them. */
export async function openAsking(folder) {
  const asked = await FormEndpoint.open('/introspect');
  const guarded = await openGuarded(folder, {
    env: {
      MCP_AUTH_INTROSPECTION_URI: asked.url,
      MCP_AUTH_CLIENT_ID: 'attacked',
      MCP_AUTH_CLIENT_SECRET: 'a secret of the client',
    },
  });
  const close = async () => {
    await guarded.close();
    await asked.close();
  };
  return { ...guarded, asked, close };
}

/** The issuer's answer about a good token. */
export function goodOf({ issuer }) {
  const { url: iss } = issuer;
  return { active: true, iss, aud: AUDIENCE, sub: 'alice', scope: 'base admin' };
}

export function said(claims) {
  return { body: JSON.stringify(claims) };
}
