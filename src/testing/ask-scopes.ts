/** Demands the scopes of `@scope` from the caller of a test, as a server with OAuth does. */
import type { Feature, MethodCall } from '../../templates/runtime/feature.ts';
import { Scopes } from '../../templates/runtime/features/oauth/scopes.ts';
import { INVALID_REQUEST, RpcError } from '../../templates/runtime/json-rpc.ts';

export function askScopes(): Feature {
  let scopes: Scopes | undefined;
  const scopesOf = ({ server }: MethodCall): Scopes => (scopes ??= new Scopes(server, {}));
  const require = (call: MethodCall, needs: readonly string[]): void => {
    const missing = scopesOf(call).missing(call.exchange.caller?.auth?.scopes ?? [], needs);
    if (missing === undefined) return;
    const words = `The token does not reach this far: it takes the scopes ${missing.join(', ')}.`;
    throw new RpcError(INVALID_REQUEST, words, { status: 403, data: { requiredScopes: missing } });
  };
  return {
    name: 'scopes',
    aroundRequest: (call, next) => {
      require(call, scopesOf(call).ofRequest(call));
      return next(call);
    },
    aroundCall: {
      // Functions call others, too.
      admit: ({ request, kind, name }, next) => {
        require(request, scopesOf(request).ofItem(kind, name));
        return next();
      },
    },
    context: ({ request }) => ({ auth: request.exchange.caller?.auth }),
  };
}
