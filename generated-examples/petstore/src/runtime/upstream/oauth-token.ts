/** Tokens by OAuth 2.0 client credentials (RFC 6749, section 4.4): kept until they expire, fetched once at a time. */
import type { SecuritySchemeBinding } from '../contract/bindings.ts';
import type { TokenEndpoint } from './authorization-server.ts';
import type { ChooseDispatcher } from './dispatcher.ts';
import { Deadline } from './deadline.ts';
import { sendRequest, type WireAnswer } from './send-request.ts';
import { HeaderList } from './wire-request.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import type { UpstreamSettings } from './settings.ts';
import { encodeFormUrl } from '../percent-encoding.ts';
import { redactor, withoutSecrets } from '../redact.ts';
import { UpstreamError } from './upstream-error.ts';

export interface TokenRequest {
  scheme: Extract<SecuritySchemeBinding, { type: 'oauth2' }>;
  /** What the operation needs; the scheme's environment variable wins. */
  scopes: string[];
  env: UpstreamSettings['env'];
}

interface Token {
  value: string;
  /** Milliseconds since the epoch. */
  expires: number;
}

/** Where a client's id and secret stand (RFC 6749, section 2.3.1). */
type CredentialsWay = 'basic' | 'body';

/** A token is renewed this long before it ends, so that it does not end on the way. */
const MARGIN_MS = 30_000;
/** Of a token endpoint's answer. */
const MOST_BYTES = 1024 * 1024;
/** For a token that doesn't say when it ends. */
const UNKNOWN_LIFE_S = 300;

export class TokenSource {
  readonly #limits: UpstreamLimits;
  readonly #chooseDispatcher: ChooseDispatcher;
  readonly #tokens = new Map<string, Promise<Token>>();
  /** How the client was believed last, by who it is and where. */
  readonly #ways = new Map<string, CredentialsWay>();
  /** By the address of the metadata they are found in. */
  readonly #endpoints = new Map<string, Promise<TokenEndpoint>>();

  constructor(limits: UpstreamLimits, chooseDispatcher: ChooseDispatcher) {
    this.#limits = limits;
    this.#chooseDispatcher = chooseDispatcher;
  }

  /** A valid token. Calls that come while one is fetched share it. */
  async get(request: TokenRequest): Promise<string> {
    const key = keyOf(request);
    const known = this.#tokens.get(key);
    if (known !== undefined) {
      const token = await known;
      if (token.expires > Date.now()) return token.value;
      if (this.#tokens.get(key) === known) this.#tokens.delete(key);
    }
    const pending = this.#tokens.get(key) ?? this.#start(key, request);
    return (await pending).value;
  }

  /** The API refused the token, whatever its expiry says. */
  forget(request: TokenRequest): void {
    this.#tokens.delete(keyOf(request));
  }

  #start(key: string, request: TokenRequest): Promise<Token> {
    const pending = this.#fetch(request).catch((error: unknown) => {
      this.#tokens.delete(key);
      throw withoutSecrets(error, redactor(clientSecrets(request)));
    });
    this.#tokens.set(key, pending);
    return pending;
  }

  /** Credentials go by Basic, which every server must take (section 2.3.1), else in the body, which some insist on. */
  async #fetch(request: TokenRequest): Promise<Token> {
    const client = clientOf(request);
    const endpoint = await this.#endpoint(request.scheme);
    let way = this.#ways.get(client) ?? (endpoint.bodyOnly ? 'body' : 'basic');
    let answer = await this.#post(request, endpoint, way);
    if (answer.status === 400 || answer.status === 401) {
      way = way === 'basic' ? 'body' : 'basic';
      answer = await this.#post(request, endpoint, way);
    }
    const token = readToken(answer, request);
    this.#ways.set(client, way);
    return token;
  }

  /** What the document names, else what the authorization server says itself. */
  async #endpoint({ tokenUrl, metadataUrl }: TokenRequest['scheme']): Promise<TokenEndpoint> {
    if (metadataUrl === undefined) return { url: absoluteTokenUrl(tokenUrl), bodyOnly: false };
    const known = this.#endpoints.get(metadataUrl);
    if (known !== undefined) return known;
    const pending = import('./authorization-server.ts').then(({ discoverTokenEndpoint }) =>
      discoverTokenEndpoint(metadataUrl, this.#limits, this.#chooseDispatcher),
    );
    this.#endpoints.set(metadataUrl, pending);
    pending.catch(() => this.#endpoints.delete(metadataUrl));
    return pending;
  }

  async #post(
    { scheme, scopes, env }: TokenRequest,
    { url, sentBy }: TokenEndpoint,
    way: CredentialsWay,
  ): Promise<WireAnswer> {
    const id = encodeFormUrl(env[scheme.env.clientId] ?? '');
    const secret = encodeFormUrl(env[scheme.env.clientSecret] ?? '');
    const scope = env[scheme.env.scopes] || scopes.join(' ');
    const headers = new HeaderList();
    headers.set('Accept', 'application/json');
    headers.set('Content-Type', 'application/x-www-form-urlencoded');
    if (way === 'basic')
      headers.set(
        'Authorization',
        `Basic ${basicOf(env[scheme.env.clientId] ?? '', env[scheme.env.clientSecret] ?? '')}`,
      );
    const body =
      'grant_type=client_credentials' +
      (scope === '' ? '' : `&scope=${encodeFormUrl(scope)}`) +
      (way === 'basic' ? '' : `&client_id=${id}&client_secret=${secret}`);
    // Not bound to one caller's signal: others may wait for the same token.
    const deadline = new Deadline(this.#limits.timeoutMs);
    const named = sentBy === undefined ? {} : { sentBy };
    const wire = { method: 'POST', url, target: url.pathname + url.search, headers, body, ...named };
    const limits = { ...this.#limits, responseBytes: MOST_BYTES };
    return sendRequest(wire, { deadline, limits, chooseDispatcher: this.#chooseDispatcher })
      .catch((error: unknown) => {
        throw unreached(error, url, scheme);
      })
      .finally(() => deadline.clear());
  }
}

/** The secret, and how it travels by Basic: a token endpoint may repeat either. */
function clientSecrets({ scheme, env }: TokenRequest): string[] {
  const [id = '', secret = ''] = [env[scheme.env.clientId], env[scheme.env.clientSecret]];
  return [secret, basicOf(id, secret)];
}

function basicOf(id: string, secret: string): string {
  return Buffer.from(`${encodeFormUrl(id)}:${encodeFormUrl(secret)}`).toString('base64');
}

function clientOf({ scheme, env }: TokenRequest): string {
  return JSON.stringify([placeOf(scheme), env[scheme.env.clientId]]);
}

function keyOf({ scheme, scopes, env }: TokenRequest): string {
  return JSON.stringify([placeOf(scheme), env[scheme.env.clientId], env[scheme.env.scopes] || scopes]);
}

function placeOf({ tokenUrl, metadataUrl }: TokenRequest['scheme']): string | undefined {
  return metadataUrl ?? tokenUrl;
}

function absoluteTokenUrl(url: string | undefined): URL {
  if (url !== undefined && URL.canParse(url)) return new URL(url);
  throw new UpstreamError(
    'token',
    'The OAuth token URL of the API is not absolute: set a ready token instead.',
  );
}

/** What was not reached is not the API: its base URL says nothing of it. */
function unreached(error: unknown, { origin }: URL, { env }: TokenRequest['scheme']): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const { cause } = error;
  const isRefused = error.code === 'redirect';
  if (!isRefused && error.code !== 'network') return error;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  const reason = isRefused ? ', since it is in the network of this MCP server' : code;
  return new UpstreamError(
    'token',
    `The OAuth token endpoint at ${origin} could not be used${reason}, and the API was not called. Try again later; ` +
      `a ready token, set as ${env.token} in the environment of this MCP server, does without it.`,
    { cause: error },
  );
}

function readToken(answer: WireAnswer, request: TokenRequest): Token {
  const { scheme } = request;
  const redact = redactor(clientSecrets(request));
  const body = parseObject(answer.body.toString('utf8'));
  const value = body['access_token'];
  if (answer.status !== 200 || typeof value !== 'string' || value === '') {
    // Redacted before it is cut: a part of a secret would not be found any more.
    const reason = typeof body['error'] === 'string' ? ` (${redact(body['error']).slice(0, 100)})` : '';
    throw new UpstreamError(
      'token',
      `The OAuth token endpoint answered ${answer.status}${reason} and gave no token. ` +
        `Check ${scheme.env.clientId} and ${scheme.env.clientSecret} in the environment of this MCP server.`,
    );
  }
  const seconds = Number(body['expires_in'] ?? UNKNOWN_LIFE_S);
  const life = (Number.isFinite(seconds) ? seconds : UNKNOWN_LIFE_S) * 1000;
  // A very short life would otherwise mean a fetch for every call.
  return { value, expires: Date.now() + Math.max(life - MARGIN_MS, life / 2) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
