/** The keys of each issuer, and where they are fetched. */
import type { AskIssuer } from './ask-issuer.ts';
import { discoverIssuer } from './issuer-metadata.ts';
import { KeySet, type KeySetOptions } from './key-set.ts';
import type { AuthSettings } from './settings.ts';
import { CheckFailure } from './token-refusal.ts';

/** By issuer. */
export function keySetsOf(
  { issuers, jwksUri }: Pick<AuthSettings, 'issuers' | 'jwksUri'>,
  ask: AskIssuer,
  options: Omit<KeySetOptions, 'fetch'>,
): ReadonlyMap<string, KeySet> {
  const fetch = async (issuer: string): Promise<Record<string, unknown>> => {
    const keys = jwksUri === undefined ? (await discoverIssuer(issuer, ask)).keys : { url: jwksUri };
    if (keys === undefined) throw new CheckFailure(`The issuer ${issuer} names no keys (jwks_uri).`);
    const { url, ...question } = keys;
    const { status, json } = await ask(url, question);
    if (status === 200 && json !== undefined) return json;
    throw new CheckFailure(`The keys at ${url.href} were answered by ${status}.`);
  };
  return new Map(issuers.map((issuer) => [issuer, new KeySet({ ...options, fetch: () => fetch(issuer) })]));
}
