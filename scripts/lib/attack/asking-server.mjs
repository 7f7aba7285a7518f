/** The emitted server as it asks an issuer about tokens, and what that says of them. */
import { FormEndpoint } from './form-endpoint.mjs';
import { openGuarded } from './guarded-server.mjs';
import { AUDIENCE } from './issuer.mjs';

/**
 * @typedef {import('./guarded-server.mjs').Guarded & { asked: FormEndpoint }} Asking `asked`: about tokens
 */

/** Behind a proxy, that says for whom each request is. @param {string} folder @param {Record<string, string>} [env] @returns {Promise<Asking>} */
export async function openAsking(folder, env = {}) {
  const asked = await FormEndpoint.open('/introspect');
  const guarded = await openGuarded(folder, {
    env: {
      MCP_AUTH_INTROSPECTION_URI: asked.url,
      MCP_AUTH_CLIENT_ID: 'attacked',
      MCP_AUTH_CLIENT_SECRET: 'a secret of the client',
      MCP_TRUSTED_PROXIES: '127.0.0.1',
      ...env,
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
