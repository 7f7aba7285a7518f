/** `oidc-provider` on the loopback: an authorization server that others wrote, whose one user agrees to everything. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export interface AuthorizationServer {
  /** `http://127.0.0.1:…` */
  issuer: string;
  close: () => void;
}

/** @param scopes what every resource knows */
export async function startAuthorizationServer(scopes: string): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  const provider = new Provider(issuer, configuration(key, scopes));
  const others = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) void agree(provider, request, response);
    else void others(request, response);
  });
  return { issuer, close: () => void server.close().closeAllConnections() };
}

function configuration(key: object, scopes: string): object {
  const resourceServer = (_: unknown, resource: string): object => ({
    scope: scopes,
    audience: resource,
    accessTokenFormat: 'jwt',
    accessTokenTTL: 600,
    jwt: { sign: { alg: 'RS256' } },
  });
  return {
    jwks: { keys: [key] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600 },
    cookies: { keys: ['of the tests'] },
    pkce: { required: () => true },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Clients register with the scopes of their first request. They may ask for others later (RFC 7591, section 2).
    extraClientMetadata: {
      properties: ['looked_at'],
      validator: (_: unknown, __: string, ___: unknown, client: object) =>
        void Reflect.deleteProperty(client, 'scope'),
    },
    features: {
      devInteractions: { enabled: false },
      // Tokens are bound to a key only for clients that send a proof.
      dPoP: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: resourceServer,
        useGrantedResource: () => true,
      },
    },
  };
}

/** Signs the user in, and then grants what is asked for. */
async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  const merge = { mergeWithLastSubmission: true };
  if (prompt.name === 'login') {
    const login = { accountId: 'alice' };
    return provider.interactionFinished(request, response, { login }, merge);
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: params.client_id });
  for (const [resource, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {}))
    grant.addResourceScope(resource, scopes.join(' '));
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent }, merge);
}

/** Follows the redirects of an authorization, as a browser does, until they lead back to the client. */
export async function authorize(url: URL, redirectUrl: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let at = url;
  while (!at.href.startsWith(redirectUrl)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${at.pathname}: ${answer.status} ${await answer.text()}`);
    at = new URL(location, at);
  }
  return at.searchParams;
}
