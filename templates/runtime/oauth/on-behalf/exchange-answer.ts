/** What a token endpoint answers to an exchange: a token that an API can be sent, or why there is none. */
import { UpstreamError } from '../../upstream/upstream-error.ts';
import type { IssuerAnswer } from '../ask-issuer.ts';
import { TOKEN_TYPES } from './exchange-settings.ts';

export interface ExchangedToken {
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
