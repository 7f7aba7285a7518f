// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tokens for the API by client credentials (RFC 6749, section 4.4), each used until shortly before its end. */
import type { CredentialSource, WantedCredentials } from '../credentials.ts';
import type { Feature } from '../feature.ts';
import type { ApiRequest } from '../request.ts';
import { setHeader } from '../request.ts';
import { createRedactor } from '../results.ts';
import { type Env, type SecurityScheme, ToolError } from '../types.ts';
import {
  askAsClient,
  encodeClient,
  IssuerError,
  lifetimeOf,
  placeOf,
  readMetadata,
} from './issuer-client.ts';
import type { Client, IssuerAnswer } from './issuer-client.ts';

export function clientCredentials(): Feature {
  return { name: 'client-credentials', parts: { credentials: { oauth2: new ClientCredentials() } } };
}

/** As the compiler writes it: the document or its server's metadata name the token endpoint. */
interface OAuthScheme extends SecurityScheme {
  tokenUrl?: string;
  metadataUrl?: string;
}
type Wanted = WantedCredentials & { scheme: OAuthScheme };
interface Token {
  value: string;
  /** Milliseconds since 1970. */
  until: number;
}
interface Endpoint {
  url: URL;
  namedBy?: URL;
  /** It does not take HTTP Basic. */
  isBodyOnly: boolean;
}

class ClientCredentials implements CredentialSource {
  readonly #tokens = new Map<string, Promise<Token>>();
  readonly #endpoints = new Map<string, Promise<Endpoint>>();
  /** `Authorization` of tokens that have come. */
  readonly #values = new WeakMap<Promise<Token>, string>();

  isAvailable(scheme: OAuthScheme, env: Env): boolean {
    const { clientId, clientSecret } = clientOf({ scheme, env });
    return (scheme.tokenUrl ?? scheme.metadataUrl) !== undefined && clientId !== '' && clientSecret !== '';
  }

  async apply({ headers }: ApiRequest, wanted: Wanted): Promise<string[]> {
    const client = clientOf(wanted);
    const token = await this.#get(wanted);
    setHeader(headers, 'authorization', `Bearer ${token}`);
    return [token, client.clientSecret, encodeClient(client)];
  }

  /** Another call may have fetched a new one already. */
  renew({ headers }: ApiRequest, wanted: Wanted): boolean {
    const key = keyOf(wanted);
    const fetched = this.#tokens.get(key);
    if (fetched !== undefined && this.#values.get(fetched) === headers.get('authorization'))
      this.#tokens.delete(key);
    return true;
  }

  async #get(wanted: Wanted): Promise<string> {
    const key = keyOf(wanted);
    const earlier = this.#tokens.get(key);
    const token = await earlier?.catch(() => undefined);
    if (token !== undefined && Date.now() < token.until) return token.value;
    if (this.#tokens.get(key) === earlier) {
      const fetching = this.#fetch(wanted);
      this.#tokens.set(key, fetching);
      fetching.then(
        ({ value }) => this.#values.set(fetching, `Bearer ${value}`),
        () => this.#tokens.get(key) === fetching && this.#tokens.delete(key),
      );
    }
    return (await this.#tokens.get(key))?.value ?? '';
  }

  async #fetch(wanted: Wanted): Promise<Token> {
    const { scheme } = wanted;
    const client = clientOf(wanted);
    const redact = createRedactor([client.clientSecret, encodeClient(client)]);
    try {
      const endpoint = await this.#findEndpoint(scheme);
      const form: [string, string][] = [['grant_type', 'client_credentials']];
      const scope = scopesOf(wanted);
      if (scope !== '') form.push(['scope', scope]);
      return readToken(await askAsClient(endpoint.url, form, client, endpoint), scheme, redact);
    } catch (thrown) {
      if (thrown instanceof ToolError) throw thrown;
      const advice = `Try again later; a ready token, set as ${scheme.env?.['token']} in the environment of this MCP server, does without it.`;
      throw new ToolError(`The API was not called: ${redact((thrown as Error).message)} ${advice}`);
    }
  }

  #findEndpoint({ tokenUrl, metadataUrl }: OAuthScheme): Promise<Endpoint> {
    if (metadataUrl === undefined) {
      if (tokenUrl !== undefined && URL.canParse(tokenUrl))
        return Promise.resolve({ url: new URL(tokenUrl), isBodyOnly: false });
      return Promise.reject(new IssuerError('The OAuth token URL of the API is not absolute.'));
    }
    const endpoint = this.#endpoints.get(metadataUrl) ?? discoverEndpoint(metadataUrl);
    this.#endpoints.set(metadataUrl, endpoint);
    endpoint.catch(() => this.#endpoints.delete(metadataUrl));
    return endpoint;
  }
}

function clientOf({ scheme: { env: names = {} }, env }: Pick<Wanted, 'scheme' | 'env'>): Client {
  const { clientId = '', clientSecret = '' } = names;
  return { clientId: env[clientId] ?? '', clientSecret: env[clientSecret] ?? '' };
}

function scopesOf({ scheme, scopes, env }: Wanted): string {
  return env[scheme.env?.['scopes'] ?? ''] || scopes.join(' ');
}

function keyOf(wanted: Wanted): string {
  const { tokenUrl, metadataUrl = tokenUrl } = wanted.scheme;
  return JSON.stringify([metadataUrl, clientOf(wanted).clientId, scopesOf(wanted)]);
}

function readToken(
  { status, json = {} }: IssuerAnswer,
  { env = {} }: OAuthScheme,
  redact: (text: string) => string,
): Token {
  const { access_token: value, expires_in: seconds, error } = json;
  if (status === 200 && typeof value === 'string' && value !== '')
    return { value, until: Date.now() + lifetimeOf(seconds) };
  // Redacted before it is cut: a part of a secret would not be recognised.
  const reason = typeof error === 'string' ? ` (${redact(error).slice(0, 100)})` : '';
  const variables =
    error === 'invalid_scope' ? env['scopes'] : `${env['clientId']} and ${env['clientSecret']}`;
  const advice =
    status === 429 || status >= 500
      ? 'Try again later.'
      : `Check ${variables} in the environment of this MCP server.`;
  throw new ToolError(`The OAuth token endpoint answered ${status}${reason} and gave no token. ${advice}`);
}

async function discoverEndpoint(metadataUrl: string): Promise<Endpoint> {
  const { from, json, refuse } = await readMetadata(metadataUrl);
  const { token_endpoint: endpoint, token_endpoint_auth_methods_supported: methods } = json;
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) throw refuse('it names no token endpoint');
  const url = new URL(endpoint);
  // The secret must not go without TLS where the metadata came with it.
  if (url.protocol !== 'https:' && url.protocol !== from.protocol)
    throw refuse(`its token endpoint ${placeOf(url)} is not https`);
  return {
    url,
    namedBy: from,
    isBodyOnly: Array.isArray(methods) && !methods.includes('client_secret_basic'),
  };
}
