/** A token for an API, in exchange for that of a caller (RFC 8693). */
import type { ExchangeRule } from '../../on-behalf.ts';
import { encodeFormUrl } from '../../percent-encoding.ts';
import { UpstreamError } from '../../upstream/upstream-error.ts';
import type { AskIssuer, IssuerAnswer } from '../ask-issuer.ts';
import { CheckFailure } from '../token-refusal.ts';
import { type ExchangedToken, readExchanged } from './exchange-answer.ts';
import type { ExchangeSettings } from './exchange-settings.ts';

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
