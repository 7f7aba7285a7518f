/** Asks the issuer about a token that does not speak for itself (RFC 7662). */
import { encodeFormUrl } from '../percent-encoding.ts';
import type { AskIssuer } from './ask-issuer.ts';
import type { Claims } from './claims.ts';
import type { AuthSettings, Introspection } from './settings.ts';
import { CheckFailure, TokenRefusal } from './token-refusal.ts';

/** Who asks is not known, or may not: tokens have no part in it. */
const OF_CLIENT: readonly unknown[] = ['invalid_client', 'unauthorized_client', 'access_denied'];

/** @throws {TokenRefusal}; {CheckFailure} when the issuer does not answer the question */
export async function introspect(
  token: string,
  { url, clientId, clientSecret }: Introspection,
  issuers: AuthSettings['issuers'],
  ask: AskIssuer,
): Promise<{ claims: Claims; issuer: string }> {
  const credentials = `${encodeFormUrl(clientId)}:${encodeFormUrl(clientSecret)}`;
  const { status, json } = await ask(url, {
    body: `token=${encodeFormUrl(token)}&token_type_hint=access_token`,
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  });
  if (isOfToken(status, json)) throw new TokenRefusal('The issuer can not be asked about this token.');
  if (status !== 200 || json === undefined)
    throw new CheckFailure(
      `${url.href} answers questions about tokens by ${status}. Check MCP_AUTH_CLIENT_ID and its secret.`,
      true,
    );
  if (json['active'] !== true) throw new TokenRefusal('The token is not valid, or not any more.');
  return { claims: json, issuer: issuerOf(json, issuers) };
}

/**
 * What differs from question to question is the token, so a question that is no good (RFC 6749, section 5.2, to which
 * RFC 7662, section 2.3, leaves it) has no good token. An issuer should say that such a one is not active; asking it again
 * would change nothing.
 */
function isOfToken(status: number, json: Claims | undefined): boolean {
  return status === 400 && !OF_CLIENT.includes(json?.['error']);
}

/** One that is not named is the only one. */
function issuerOf({ iss }: Claims, [first, ...others]: AuthSettings['issuers']): string {
  if (iss === undefined && first !== undefined && others.length === 0) return first;
  if (typeof iss === 'string' && [first, ...others].includes(iss)) return iss;
  throw new TokenRefusal('The token is of another issuer.');
}
