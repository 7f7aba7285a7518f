// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** OAuth 2.0 client credentials (RFC 6749, section 4.4): tokens are kept until they expire. */
import { isRecord } from '../contract/json-value.ts';
import type { TokenRequest } from './security.ts';
import { type ChooseDispatcher, type Sender, maySenderNameHost, senderOf } from './dispatcher.ts';
import { HeaderList, type WireRequest } from './wire-request.ts';
import { Deadline, UpstreamError, errorCode } from './upstream-error.ts';
import { type WireAnswer, sendWithRedirects, sendRequest } from './send.ts';
import type { UpstreamLimits } from '../contract/feature.ts';
import { encodeFormUrlencoded } from '../contract/http-syntax.ts';
import { createRedactor, redactThrown } from '../redact.ts';

interface Token {
  value: string;
  /** Milliseconds since the epoch. */
  expires: number;
}

/** RFC 6749, section 2.3.1. */
type ClientAuth = 'basic' | 'body';

/** Renewed early, so that no token expires during a request. */
const MARGIN_MS = 30_000;
/** Limits answers of token endpoints and metadata documents. */
const MOST_BYTES = 1024 * 1024;
/** The error of an endpoint that has accepted the credentials (RFC 6749, section 5.2). */
const INVALID_SCOPE = 'invalid_scope';
/** Assumed for tokens without `expires_in`. */
const UNKNOWN_LIFE_S = 300;

export class TokenSource {
  readonly #limits: UpstreamLimits;
  readonly #chooseDispatcher: ChooseDispatcher;
  readonly #tokens = new Map<string, Promise<Token>>();
  /** The placement of credentials that worked last, by client and endpoint. */
  readonly #auths = new Map<string, ClientAuth>();
  /** Token endpoints by metadata URL. */
  readonly #endpoints = new Map<string, Promise<TokenEndpoint>>();

  constructor(limits: UpstreamLimits, chooseDispatcher: ChooseDispatcher) {
    this.#limits = limits;
    this.#chooseDispatcher = chooseDispatcher;
  }

  async get(request: TokenRequest): Promise<string> {
    const key = cacheKeyOfToken(request);
    const known = this.#tokens.get(key);
    if (known !== undefined) {
      const token = await known;
      if (token.expires > Date.now()) return token.value;
      if (this.#tokens.get(key) === known) this.#tokens.delete(key);
    }
    const pending = this.#tokens.get(key) ?? this.#startFetch(key, request);
    return (await pending).value;
  }

  /** Drops a token that the API refused before it expired, unless another call has renewed it already. */
  async forget(request: TokenRequest, refused: string): Promise<void> {
    const key = cacheKeyOfToken(request);
    const known = this.#tokens.get(key);
    const token = await known?.catch(() => undefined);
    if (token?.value === refused && this.#tokens.get(key) === known) this.#tokens.delete(key);
  }

  #startFetch(key: string, request: TokenRequest): Promise<Token> {
    const pending = this.#fetchToken(request).catch((error: unknown) => {
      this.#tokens.delete(key);
      throw redactThrown(error, createRedactor(listClientSecrets(request)));
    });
    this.#tokens.set(key, pending);
    return pending;
  }

  /** Basic first, which every server must support (section 2.3.1); some accept only the body. */
  async #fetchToken(request: TokenRequest): Promise<Token> {
    const client = cacheKeyOfClient(request);
    const endpoint = await this.#findEndpoint(request.scheme);
    let auth = this.#auths.get(client) ?? (endpoint.bodyOnly ? 'body' : 'basic');
    let answer = await this.#postTokenRequest(request, endpoint, auth);
    if (answer.status === 401 || (answer.status === 400 && readError(answer) !== INVALID_SCOPE)) {
      auth = auth === 'basic' ? 'body' : 'basic';
      answer = await this.#postTokenRequest(request, endpoint, auth);
    }
    const token = readToken(answer, request);
    this.#auths.set(client, auth);
    return token;
  }

  /** Metadata of the authorization server wins over the document. */
  async #findEndpoint({ tokenUrl, metadataUrl }: TokenRequest['scheme']): Promise<TokenEndpoint> {
    if (metadataUrl === undefined) return { url: requireAbsoluteUrl(tokenUrl), bodyOnly: false };
    const known = this.#endpoints.get(metadataUrl);
    if (known !== undefined) return known;
    const pending = this.#fetchMetadata(metadataUrl);
    this.#endpoints.set(metadataUrl, pending);
    pending.catch(() => this.#endpoints.delete(metadataUrl));
    return pending;
  }

  async #postTokenRequest(
    { scheme, scopes, env }: TokenRequest,
    { url, sentBy }: TokenEndpoint,
    auth: ClientAuth,
  ): Promise<WireAnswer> {
    const [id = '', secret = ''] = [env[scheme.env.clientId], env[scheme.env.clientSecret]];
    const scope = env[scheme.env.scopes] || scopes.join(' ');
    const headers = new HeaderList();
    headers.setChecked('Accept', 'application/json');
    headers.setChecked('Content-Type', 'application/x-www-form-urlencoded');
    if (auth === 'basic') headers.setChecked('Authorization', `Basic ${encodeBasic(id, secret)}`);
    const body =
      'grant_type=client_credentials' +
      (scope === '' ? '' : `&scope=${encodeFormUrlencoded(scope)}`) +
      (auth === 'basic'
        ? ''
        : `&client_id=${encodeFormUrlencoded(id)}&client_secret=${encodeFormUrlencoded(secret)}`);
    const wire = { method: 'POST', url, target: url.pathname + url.search, headers, body, sentBy };
    return this.#sendWithDeadline(sendRequest, wire).catch((error: unknown) => {
      throw rewordNetworkError(error, url, scheme);
    });
  }

  async #sendWithDeadline(sendBy: typeof sendWithRedirects, wire: WireRequest): Promise<WireAnswer> {
    // Not the caller's deadline: others may wait for the same answer.
    const deadline = new Deadline(this.#limits.timeoutMs);
    const limits = { ...this.#limits, responseBytes: MOST_BYTES };
    return sendBy(wire, { deadline, limits, chooseDispatcher: this.#chooseDispatcher }).finally(() =>
      deadline.clearDeadline(),
    );
  }

  /** @throws {UpstreamError} `token` when the metadata can't be fetched or trusted */
  async #fetchMetadata(metadataUrl: string): Promise<TokenEndpoint> {
    if (!URL.canParse(metadataUrl) || !/^https?:/i.test(metadataUrl))
      throw unusableMetadataError(metadataUrl, 'its address is no absolute URL');
    const url = new URL(metadataUrl);
    const headers = new HeaderList();
    headers.setChecked('Accept', 'application/json');
    const wire = { method: 'GET', url, target: url.pathname + url.search, headers };
    const answer = await this.#sendWithDeadline(sendWithRedirects, wire);
    if (answer.status !== 200) throw unusableMetadataError(url.href, `it was answered by ${answer.status}`);
    const metadata = parseObject(answer);
    if (metadata === undefined) throw unusableMetadataError(url.href, 'it is no JSON object');
    checkIssuer(url, metadata['issuer']);
    return parseTokenEndpoint(url, metadata, answer.address);
  }
}

/** Lists the secret as it is and as it is sent, since the endpoint may echo either. */
function listClientSecrets({ scheme, env }: TokenRequest): string[] {
  const [id = '', secret = ''] = [env[scheme.env.clientId], env[scheme.env.clientSecret]];
  return [secret, encodeBasic(id, secret)];
}

function encodeBasic(id: string, secret: string): string {
  return Buffer.from(`${encodeFormUrlencoded(id)}:${encodeFormUrlencoded(secret)}`).toString('base64');
}

function cacheKeyOfClient({ scheme, env }: TokenRequest): string {
  return JSON.stringify([scheme.metadataUrl ?? scheme.tokenUrl, env[scheme.env.clientId]]);
}

function cacheKeyOfToken({ scheme, scopes, env }: TokenRequest): string {
  return JSON.stringify([
    scheme.metadataUrl ?? scheme.tokenUrl,
    env[scheme.env.clientId],
    env[scheme.env.scopes] || scopes,
  ]);
}

function requireAbsoluteUrl(url: string | undefined): URL {
  if (url !== undefined && URL.canParse(url)) return new URL(url);
  throw new UpstreamError(
    'token',
    'The OAuth token URL of the API is not absolute: set a ready token instead.',
  );
}

/** Rewords errors that would blame the API's base URL. */
function rewordNetworkError(error: unknown, { origin }: URL, { env }: TokenRequest['scheme']): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const isRefused = error.code === 'redirect';
  if (!isRefused && error.code !== 'network') return error;
  const code = errorCode(error.cause);
  const reason = isRefused ? ', since it is in the network of this MCP server' : code && ` (${code})`;
  return new UpstreamError(
    'token',
    `The OAuth token endpoint at ${origin} could not be used${reason}, and the API was not called. Try again later; ` +
      `a ready token, set as ${env.token} in the environment of this MCP server, does without it.`,
    { cause: error },
  );
}

function readError(answer: WireAnswer): string | undefined {
  const error = parseObject(answer)?.['error'];
  return typeof error === 'string' ? error : undefined;
}

function readToken(answer: WireAnswer, request: TokenRequest): Token {
  const { scheme } = request;
  const redact = createRedactor(listClientSecrets(request));
  const body = parseObject(answer) ?? {};
  const value = body['access_token'];
  if (answer.status !== 200 || typeof value !== 'string' || value === '') {
    // Redact before cutting: part of a secret would not be recognised.
    const error = readError(answer);
    const reason = error === undefined ? '' : ` (${redact(error).slice(0, 100)})`;
    const { clientId, clientSecret, scopes } = scheme.env;
    const isPassing = answer.status === 429 || answer.status >= 500;
    const variables = error === INVALID_SCOPE ? scopes : `${clientId} and ${clientSecret}`;
    throw new UpstreamError(
      'token',
      `The OAuth token endpoint answered ${answer.status}${reason} and gave no token. ` +
        (isPassing ? 'Try again later.' : `Check ${variables} in the environment of this MCP server.`),
    );
  }
  const seconds = Number(body['expires_in'] ?? UNKNOWN_LIFE_S);
  const life = (Number.isFinite(seconds) ? seconds : UNKNOWN_LIFE_S) * 1000;
  // The minimum avoids a request per call for very short lifetimes.
  return { value, expires: Date.now() + Math.max(life - MARGIN_MS, life / 2) };
}

function parseObject({ body }: WireAnswer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The token endpoint, as the document or the server's metadata names it (OpenID Connect Discovery 1.0; RFC 8414). */
interface TokenEndpoint {
  url: URL;
  /** The server that named this URL of another origin. */
  sentBy?: Sender | undefined;
  /** Whether the endpoint does not support HTTP Basic. */
  bodyOnly: boolean;
}

function parseTokenEndpoint(
  from: URL,
  metadata: Record<string, unknown>,
  address: string | undefined,
): TokenEndpoint {
  const { token_endpoint: endpoint, token_endpoint_auth_methods_supported: methods } = metadata;
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint))
    throw unusableMetadataError(from.href, 'it names no token endpoint');
  const url = new URL(endpoint);
  // The secret must not go without TLS when the metadata came with it.
  if (url.protocol !== 'https:' && url.protocol !== from.protocol)
    throw unusableMetadataError(from.href, 'its token endpoint is not https');
  const sender = senderOf(from, address);
  const isElsewhere = url.origin !== sender.origin;
  // Credentials of this server must not be sent into its own network.
  if (isElsewhere && !maySenderNameHost(sender, url.hostname))
    throw unusableMetadataError(
      from.href,
      'its token endpoint is in the network of this MCP server, and it is not there itself',
    );
  return {
    url,
    sentBy: isElsewhere ? sender : undefined,
    bodyOnly: Array.isArray(methods) && !methods.includes('client_secret_basic'),
  };
}

/** Prevents impersonation (Discovery, section 4.3; RFC 8414, section 3.3). At a non-standard address, the origin must match. */
function checkIssuer(from: URL, issuer: unknown): void {
  const expected = deriveIssuer(from);
  const stated = typeof issuer === 'string' && URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isRight =
    expected === undefined ? stated?.origin === from.origin : stated?.href.replace(/\/$/, '') === expected;
  if (!isRight) throw unusableMetadataError(from.href, 'it is of another issuer');
}

/** `https://id.test/a` for `https://id.test/a/.well-known/openid-configuration`; RFC 8414 puts the path behind. */
function deriveIssuer({ origin, pathname }: URL): string | undefined {
  const mark = '/.well-known/';
  const at = pathname.indexOf(mark);
  if (at === -1) return undefined;
  const [, ...rest] = pathname.slice(at + mark.length).split('/');
  return [origin + pathname.slice(0, at), ...rest].join('/').replace(/\/$/, '');
}

function unusableMetadataError(url: string, reason: string): UpstreamError {
  return new UpstreamError(
    'token',
    `The metadata of the authorization server at ${url} can't be used: ${reason}. ` +
      'A ready token, set in the environment of this MCP server, does without it.',
  );
}
