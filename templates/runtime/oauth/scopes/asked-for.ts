/** The scopes that clients are told of, before they have a token (MCP, "Scope Selection Strategy"). */
import { isScopeToken } from '../../contract/token-syntax.ts';
import type { GuardOptions } from '../../transports/http/guard.ts';
import { together } from './needed.ts';

/** A header of more is refused by proxies, and by the clients that read it. */
const MOST_CHARACTERS = 2_000;

type Known = Pick<GuardOptions, 'definition' | 'scopes'>;

/** All that a client may ask for: `scopes_supported`. `offline_access` is between clients and issuers: nothing here needs it. */
export function offeredScopes({ definition, scopes }: Known): readonly string[] {
  return together(definition.scopes, scopes).filter((scope) => scope !== 'offline_access');
}

/**
 * What a client without a token should ask for: what every request needs, where that is said. Else what is offered, which
 * is what a client takes that is told of none; none where there are too many, since the metadata have them.
 */
export function firstScopes(known: Known): readonly string[] {
  const { scopes = [] } = known.definition;
  const offered = offeredScopes(known).filter(isScopeToken);
  if (scopes.length > 0) return offered.filter((scope) => scopes.includes(scope));
  return offered.join(' ').length > MOST_CHARACTERS ? [] : offered;
}
