/** What an issuer says of itself: where its keys are (RFC 8414; OpenID Connect Discovery 1.0). */
import { mayName, type Sender, senderOf } from '../upstream/dispatcher.ts';
import type { AskIssuer } from './ask-issuer.ts';
import { secureUrl } from './secure-url.ts';
import { CheckFailure } from './token-refusal.ts';

export interface IssuerMetadata {
  /** Where it was found. */
  url: URL;
  /** Where its keys are. */
  keys: { url: URL; sentBy: Sender | undefined } | undefined;
}

/** The places in which a client looks, in this order (MCP 2025-11-25, "Authorization Server Metadata Discovery"). */
export function metadataPlaces(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(places)].map((place) => new URL(place));
}

/**
 * A document that is not of this issuer, character by character, could be of anyone (RFC 8414, section 3.3): it ends the
 * search.
 *
 * @throws {CheckFailure} when there is none, or it can't be used
 */
export async function discoverIssuer(issuer: string, ask: AskIssuer): Promise<IssuerMetadata> {
  for (const url of metadataPlaces(issuer)) {
    const { status, json, address } = await ask(url);
    if (status !== 200 || json === undefined) continue;
    if (json['issuer'] !== issuer)
      throw new CheckFailure(
        `${url.href} is not of the issuer ${issuer}: MCP_AUTH_ISSUER must be written as it is there.`,
      );
    const { jwks_uri: uri } = json;
    const jwksUri = secureUrl(uri);
    if (uri !== undefined && jwksUri === undefined)
      throw new CheckFailure(`${url.href} has a jwks_uri that is no https URL.`);
    return { url, keys: jwksUri && { url: jwksUri, sentBy: keysNamedBy(jwksUri, url, address) } };
  }
  throw new CheckFailure(
    `The issuer ${issuer} says nowhere where its keys are. Check MCP_AUTH_ISSUER, or set MCP_AUTH_JWKS_URI.`,
  );
}

/** An issuer elsewhere does not make this server ask its own network. */
function keysNamedBy(jwksUri: URL, metadata: URL, address: string | undefined): Sender | undefined {
  if (jwksUri.origin === metadata.origin) return undefined;
  const sender = senderOf(metadata, address);
  if (mayName(sender, jwksUri.hostname)) return sender;
  throw new CheckFailure(
    `${metadata.href} has a jwks_uri in the network of this server, and is not there itself. Set MCP_AUTH_JWKS_URI where it is meant.`,
  );
}
