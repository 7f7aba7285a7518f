// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Exchanges a caller's token for a token of an API (RFC 8693). */
import { hash } from 'node:crypto';
import { putAndDropOldest } from '../../contract/json-value.ts';
import type { ExchangeRule } from '../../definition.ts';
import { UpstreamError } from '../../upstream/upstream-error.ts';
import type { AskIssuer, IssuerAnswer, IssuerRequest } from '../ask-issuer.ts';
import { CheckFailure } from '../refusals.ts';
import { type ExchangeSettings, TOKEN_TYPES } from './exchange-settings.ts';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** @throws {UpstreamError} `token`, with a message without tokens and secrets */
export async function exchangeToken(
  token: string,
  target: Required<ExchangeRule>,
  settings: ExchangeSettings,
  ask: AskIssuer,
): Promise<ExchangedToken> {
  const { url, clientAuth } = settings;
  const form = makeExchangeForm(token, target, settings);
  const client = clientAuth === 'basic' ? settings : undefined;
  const answer = await ask(url, { form, client }).catch((thrown: unknown) => {
    if (!(thrown instanceof CheckFailure)) throw thrown;
    throw makeTokenError(`its token could not be had, since ${thrown.message} Try again later.`);
  });
  return parseExchangeAnswer(answer, token, url);
}

function makeExchangeForm(
  token: string,
  { audience, resource, scopes }: Required<ExchangeRule>,
  { clientAuth, clientId, clientSecret, requestedTokenType, subjectTokenType }: ExchangeSettings,
): NonNullable<IssuerRequest['form']> {
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
  return fields;
}

interface ExchangedToken {
  token: string;
  lifeMs: number;
}

/** A token is renewed before it expires, so that it doesn't expire during a request. */
const MARGIN_MS = 30_000;
const UNKNOWN_LIFE_S = 300;

export function parseExchangeAnswer(answer: IssuerAnswer, ownToken: string, url: URL): ExchangedToken {
  const { status, json = {} } = answer;
  const place = `${url.origin}${url.pathname}`;
  if (status !== 200) throw makeRefusedExchangeError(place, status, json['error']);
  const { access_token: token, expires_in: seconds } = json;
  const reason = findAnswerFault(json, ownToken);
  if (typeof token === 'string' && reason === undefined) return { token, lifeMs: parseLifetime(seconds) };
  throw makeUnusableAnswerError(place, reason ?? 'it holds no token');
}

export function foreignTokenError({ origin, pathname }: URL): UpstreamError {
  return makeUnusableAnswerError(
    `${origin}${pathname}`,
    'it gave a token that it had given for another caller',
  );
}

function makeUnusableAnswerError(place: string, reason: string): UpstreamError {
  return makeTokenError(
    `the token endpoint ${place} gave an answer that can't be used: ${reason}. ` +
      'Whoever runs this MCP server must look at that endpoint.',
  );
}

/** Returns the end of a sentence, which repeats nothing of the answer. */
function findAnswerFault(
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

function parseLifetime(seconds: unknown): number {
  const given = Number(seconds ?? UNKNOWN_LIFE_S);
  const life = (Number.isFinite(given) ? given : UNKNOWN_LIFE_S) * 1000;
  // A very short life would otherwise mean an exchange for every call.
  return Math.max(life - MARGIN_MS, life / 2);
}

/** A description may repeat the token, so the code alone is shown (RFC 6749, section 5.2; RFC 8693, section 2.2.2). */
function makeRefusedExchangeError(place: string, status: number, error: unknown): UpstreamError {
  const code = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? error : undefined;
  const shown = code === undefined ? '' : ` (${code})`;
  return makeTokenError(
    `the token endpoint ${place} answered ${status}${shown} and gave no token. ${adviseOnErrorCode(code)}`,
  );
}

function adviseOnErrorCode(code: string | undefined): string {
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

function makeTokenError(words: string): UpstreamError {
  return new UpstreamError('token', `The API was not called: ${words}`);
}

/**
 * A token that is issued for two callers would act for the wrong one, so the returned function refuses one that is in
 * use for another owner.
 */
export function createTokenOwnerCheck(
  most: number,
  now: () => number,
): (owner: string, token: string, until: number) => boolean {
  const issued = new Map<string, { owner: string; until: number }>();
  return (owner, token, until) => {
    const digest = hash('sha256', token, 'base64');
    const known = issued.get(digest);
    if (known !== undefined && known.owner !== owner && now() < known.until) return false;
    putAndDropOldest(issued, digest, { owner, until }, most);
    return true;
  };
}
