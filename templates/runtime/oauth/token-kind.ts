/**
 * Only bearer access tokens count. A sender-constrained token counts together with a proof of its client's key (DPoP, RFC 9449;
 * mutual TLS, RFC 8705). No proof is verified here, so that such a token would count for anyone who has stolen it.
 */
import { TokenRefusal } from './token-refusal.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Issuers say by these which of their tokens it is: in introspection (RFC 7662), and in claims of their own. */
const KINDS: readonly [name: string, access: RegExp][] = [
  ['typ', /^(?:bearer|(?:application\/)?(?:at\+)?jwt|access(?:[-_ ]?token)?)$/i],
  ['token_use', /^access(?:[-_ ]?token)?$/i],
];

/**
 * A confirmation that can't be understood is one too: whatever its member `cnf` holds, the token is not for a bearer.
 *
 * @throws {TokenRefusal}
 */
export function refuseSenderConstrained({ cnf, token_type: type }: Claims): void {
  if (cnf !== undefined)
    throw new TokenRefusal(
      'The token is bound to a key of its client (cnf), whose proof this server does not verify: only bearer tokens count.',
      'they are bound to a key (`cnf`), and no proof of it is verified here: its issuer must give this server bearer tokens.',
    );
  if (type === undefined || (typeof type === 'string' && /^bearer$/i.test(type))) return;
  throw new TokenRefusal('The token is no bearer token (token_type).');
}

/** Of refresh tokens and ID tokens, which prove nothing to a resource. @throws {TokenRefusal} */
export function refuseOtherKinds(claims: Claims): void {
  for (const [name, access] of KINDS) {
    const { [name]: kind } = claims;
    if (kind !== undefined && !(typeof kind === 'string' && access.test(kind)))
      throw new TokenRefusal(`The token is no access token (${name}).`);
  }
}
