/** The emitted server as it asks an issuer about tokens, and what that says of them. */
import { FormEndpoint } from './form-endpoint.mjs';
import { openGuarded } from './guarded-server.mjs';
import { AUDIENCE } from './issuer.mjs';

/**
 * @typedef {import('./guarded-server.mjs').Guarded & { asked: FormEndpoint }} Asking `asked`: about tokens
 */

/** @param {string} folder @returns {Promise<Asking>} */
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

/** The issuer's answer about a good token. @param {Asking} target */
export function goodOf({ issuer }) {
  const { url: iss } = issuer;
  return { active: true, iss, aud: AUDIENCE, sub: 'alice', scope: 'base admin' };
}

/** @param {unknown} claims @returns {import('./form-endpoint.mjs').FormAnswer} */
export function said(claims) {
  return { body: JSON.stringify(claims) };
}
