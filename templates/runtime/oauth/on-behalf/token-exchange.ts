/** A token for an API, in exchange for that of a caller (RFC 8693). */
import { hash } from 'node:crypto';
import type { ExchangeRule } from '../../on-behalf.ts';
import { encodeFormUrl } from '../../percent-encoding.ts';
import { UpstreamError } from '../../upstream/upstream-error.ts';
import type { AskIssuer, IssuerAnswer } from '../ask-issuer.ts';
import { CheckFailure } from '../refusals.ts';
import { type ExchangeSettings, TOKEN_TYPES } from './exchange-settings.ts';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** @throws {UpstreamError} `token`, in words that hold no token and no secret */
export async function exchangeToken(
  token: string,
  target: Required<ExchangeRule>,
  settings: ExchangeSettings,
  ask: AskIssuer,
): Promise<ExchangedToken> {
  return readExchanged(await asked(token, target, settings, ask), token, settings.url);
}

async function asked(
  token: string,
  target: Required<ExchangeRule>,
  settings: ExchangeSettings,
  ask: AskIssuer,
): Promise<IssuerAnswer> {
  const { url, clientAuth } = settings;
  const body = bodyOf(token, target, settings);
  try {
    return await ask(url, clientAuth === 'basic' ? { body, authorization: basicOf(settings) } : { body });
  } catch (thrown) {
    if (!(thrown instanceof CheckFailure)) throw thrown;
    throw new UpstreamError(
      'token',
      `The API was not called: its token could not be had, since ${thrown.message} Try again later.`,
    );
  }
}

/** Section 2.1. Audience and resource may come several times. */
function bodyOf(
  token: string,
  { audience, resource, scopes }: Required<ExchangeRule>,
  { clientAuth, clientId, clientSecret, requestedTokenType, subjectTokenType }: ExchangeSettings,
): string {
  const fields: [string, string][] = [
    ['grant_type', GRANT_TYPE],
    ['subject_token', token],
    ['subject_token_type', subjectTokenType],
    ['requested_token_type', requestedTokenType],
    ...resource.map((value): [string, string] => ['resource', value]),
    ...audience.map((value): [string, string] => ['audience', value]),
  ];
  if (scopes.length > 0) fields.push(['scope', scopes.join(' ')]);
  if (clientAuth === 'body') fields.push(['client_id', clientId], ['client_secret', clientSecret]);
  return fields.map(([name, value]) => `${name}=${encodeFormUrl(value)}`).join('&');
}

function basicOf({ clientId, clientSecret }: ExchangeSettings): string {
  const credentials = `${encodeFormUrl(clientId)}:${encodeFormUrl(clientSecret)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** The token endpoint's answer to an exchange: a token for the API, or the reason for its absence. */
interface ExchangedToken {
  token: string;
  /** Milliseconds until it should be used no more. */
  lifeMs: number;
}

/** A token is renewed this long before it ends, so that it does not end on the way. */
const MARGIN_MS = 30_000;
/** For a token that doesn't say when it ends. */
const UNKNOWN_LIFE_S = 300;

/** RFC 8693, section 2.2. @throws {UpstreamError} `token` */
export function readExchanged(answer: IssuerAnswer, ownToken: string, url: URL): ExchangedToken {
  const { status, json = {} } = answer;
  const place = `${url.origin}${url.pathname}`;
  if (status !== 200) throw refused(place, status, json['error']);
  const { access_token: token, expires_in: seconds } = json;
  const reason = faultOf(json, ownToken);
  if (typeof token === 'string' && reason === undefined) return { token, lifeMs: lifeOf(seconds) };
  throw unusable(place, reason ?? 'it holds no token');
}

/** Of an answer with a token that was issued for another caller, and is still in use. */
export function foreignToken({ origin, pathname }: URL): UpstreamError {
  return unusable(`${origin}${pathname}`, 'it gave a token that it had given for another caller');
}

function unusable(place: string, reason: string): UpstreamError {
  return failure(
    `the token endpoint ${place} gave an answer that can't be used: ${reason}. ` +
      'Whoever runs this MCP server must look at that endpoint.',
  );
}

/** Words that end a sentence; nothing of the answer is repeated. */
function faultOf(
  { access_token: token, issued_token_type: issued, token_type: type, cnf }: Record<string, unknown>,
  ownToken: string,
): string | undefined {
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) return 'it holds no token';
  if (token === ownToken) return 'it gave back the token of the caller, which goes to no API';
  if (typeof issued !== 'string' || !Object.values(TOKEN_TYPES).includes(issued))
    return 'it does not say that the token is an access token or a JWT (issued_token_type)';
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    return 'the token is no bearer token (token_type)';
  if (cnf !== undefined) return 'the token is bound to a key (cnf), of which this server has no proof';
  return undefined;
}

function lifeOf(seconds: unknown): number {
  const given = Number(seconds ?? UNKNOWN_LIFE_S);
  const life = (Number.isFinite(given) ? given : UNKNOWN_LIFE_S) * 1000;
  // A very short life would otherwise mean an exchange for every call.
  return Math.max(life - MARGIN_MS, life / 2);
}

/** RFC 6749, section 5.2; RFC 8693, section 2.2.2. The code alone is shown: a description may repeat the token. */
function refused(place: string, status: number, error: unknown): UpstreamError {
  const code = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? error : undefined;
  const said = code === undefined ? '' : ` (${code})`;
  return failure(
    `the token endpoint ${place} answered ${status}${said} and gave no token. ${nextStep(code)}`,
  );
}

function nextStep(code: string | undefined): string {
  const operator = 'whoever runs this MCP server must check';
  switch (code) {
    case 'invalid_request':
    case 'invalid_grant':
      return `It does not take the caller's token: sign in again. If that does not help, ${operator} what the endpoint is told.`;
    case 'invalid_target':
      return `It issues none for this API: ${operator} MCP_AUTH_EXCHANGE_AUDIENCE and MCP_AUTH_EXCHANGE_RESOURCE.`;
    case 'invalid_scope':
      return `The caller may not have these scopes; else ${operator} MCP_AUTH_EXCHANGE_SCOPES.`;
    case 'invalid_client':
    case 'unauthorized_client':
    case 'unsupported_grant_type':
      return `It does not exchange tokens for this server: ${operator} MCP_AUTH_EXCHANGE_CLIENT_ID, its secret and its rights.`;
    default:
      return `Try again later; else ${operator} MCP_AUTH_EXCHANGE_URI.`;
  }
}

function failure(words: string): UpstreamError {
  return new UpstreamError('token', `The API was not called: ${words}`);
}

/**
 * Whom tokens were issued for, while they are in use: one that comes for another caller too would act for the wrong one.
 */
interface Issued {
  owner: string;
  /** Milliseconds since 1970. */
  until: number;
}

export class IssuedTokens {
  readonly #most: number;
  readonly #now: () => number;
  /** By digest; the one that was issued first of all first. */
  readonly #issued = new Map<string, Issued>();

  /** @param most tokens: then the oldest is forgotten */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** False: it is somebody else's. `owner`: issuer and subject as one text. `until`: as long as it is used. */
  belongsTo(owner: string, token: string, until: number): boolean {
    const digest = hash('sha256', token, 'base64');
    const known = this.#issued.get(digest);
    if (known !== undefined && known.owner !== owner && this.#now() < known.until) return false;
    this.#issued.delete(digest);
    this.#issued.set(digest, { owner, until });
    const [oldest] = this.#issued.keys();
    if (this.#issued.size > this.#most && oldest !== undefined) this.#issued.delete(oldest);
    return true;
  }
}
