/** Asks the issuer about a token that does not speak for itself (RFC 7662). */
import { encodeFormUrl } from '../upstream/percent-encoding.ts';
import type { AskIssuer } from './ask-issuer.ts';
import type { Claims } from './claims.ts';
import type { AuthSettings, Introspection } from './settings.ts';
import { CheckFailure, TokenRefusal } from './token-refusal.ts';

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
  if (status !== 200 || json === undefined)
    throw new CheckFailure(
      `${url.href} answers questions about tokens by ${status}. Check MCP_AUTH_CLIENT_ID and its secret.`,
    );
  if (json['active'] !== true) throw new TokenRefusal('The token is not valid, or not any more.');
  return { claims: json, issuer: issuerOf(json, issuers) };
}

/** One that is not named is the only one. */
function issuerOf({ iss }: Claims, [first, ...others]: AuthSettings['issuers']): string {
  if (iss === undefined && first !== undefined && others.length === 0) return first;
  if (typeof iss === 'string' && [first, ...others].includes(iss)) return iss;
  throw new TokenRefusal('The token is of another issuer.');
}
