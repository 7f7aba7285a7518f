/** `oidc-provider` on the loopback: an authorization server that others wrote, whose one user agrees to everything. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export interface AuthorizationServer {
  /** `http://127.0.0.1:…` */
  issuer: string;
  provider: Provider;
  /** Each request for tokens waits for it before it is read, and again before it is answered. */
  onTokens: (step: 'asked' | 'answered') => Promise<void>;
  close: () => void;
}

/** A program on the user's machine, at any port. */
const NATIVE = {
  client_id: 'notes',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
};

/**
 * @param scopes what every resource knows
 * @param life of an access token, in seconds
 */
export async function startAuthorizationServer(scopes: string, life = 600): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  const provider = new Provider(issuer, configuration(key, scopes, life));
  const others = provider.callback();
  const opened: AuthorizationServer = {
    issuer,
    provider,
    onTokens: () => Promise.resolve(),
    close: () => void server.close().closeAllConnections(),
  };
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) return void agree(provider, request, response);
    if (request.url !== '/token') return void others(request, response);
    const end = response.end.bind(response) as (body: unknown) => ServerResponse;
    response.end = (body: unknown) => {
      void opened.onTokens('answered').then(() => end(body));
      return response;
    };
    void opened.onTokens('asked').then(() => others(request, response));
  });
  return opened;
}

function configuration(key: object, scopes: string, life: number): object {
  const resourceServer = (_: unknown, resource: string): object => ({
    scope: scopes,
    audience: resource,
    accessTokenFormat: 'jwt',
    accessTokenTTL: life,
    jwt: { sign: { alg: 'RS256' } },
  });
  return {
    jwks: { keys: [key] },
    clients: [NATIVE],
    ttl: {
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: life,
      RefreshToken: 600,
      DeviceCode: 600,
    },
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
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
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
  const { missingOIDCScope = [], missingResourceScopes = {} } = prompt.details;
  grant.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes))
    grant.addResourceScope(resource, scopes.join(' '));
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent }, merge);
}

/** Follows the redirects of an authorization, as a browser does, until they lead back to the client. */
export async function authorize(url: URL, redirectUrl: string): Promise<URLSearchParams> {
  return (await clickThrough(url, redirectUrl)).searchParams;
}

/** Follows redirects, forms and links, as a person does who agrees, to a page that has none, or to `target`. */
export async function clickThrough(start: URL, target = 'nowhere'): Promise<URL> {
  const cookies = new Map<string, string>();
  let [at, body]: [URL, URLSearchParams | null] = [start, null];
  while (!at.href.startsWith(target)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const method = body === null ? 'GET' : 'POST';
    const answer = await fetch(at, { method, body, redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(`${at.pathname}: ${answer.status} ${text}`);
    const [form, action] = /<form [^>]*action="([^"]+)"[^]*?<\/form>/.exec(text) ?? [];
    const [, link] = /<a [^>]*href="([^"]+)"/.exec(text) ?? [];
    const next = answer.headers.get('location') ?? action ?? link?.replaceAll('&#38;', '&');
    if (next === undefined) return at;
    const fields = form?.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
    body = fields === undefined ? null : new URLSearchParams();
    for (const [, name = '', value = ''] of fields ?? []) body?.append(name, value);
    at = new URL(next, at);
  }
  return at;
}
