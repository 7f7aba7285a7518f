// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The feature `oauth`: checks of tokens. */
import type { FeatureLoaders, GuardOptions, OpenGuard } from '../feature-loaders.ts';
import { createIssuerClient } from './ask-issuer.ts';
import { UsageError } from '../contract/feature.ts';
import { keepTokenOfCaller, limitConcurrentChecks } from './checked-tokens.ts';
import type { OpenTokenBinding } from './claims.ts';
import { AUTH_LIMITS, parseAuthSettings } from './settings.ts';

export { makeCallerPart, openOnBehalf } from './for-caller.ts';
export { allScopes, runWithScopeCheck } from './scopes.ts';

/** The guard loads late, since `--help` and a start over stdio don't check signatures. */
export const openGuard: OpenGuard = async ({ env, features, verifyToken, ...options }: GuardOptions) => {
  const settings = parseAuthSettings(env);
  const { ResourceGuard } = await import('./resource-guard.ts').catch((thrown: unknown) => {
    throw isModuleNotFound(thrown) ? new UsageError(MISSING, { cause: thrown }) : thrown;
  });
  const dpop = await (features as OAuthFeatures | undefined)?.dpop?.();
  return new ResourceGuard({
    ...options,
    binding: dpop?.openTokenBinding({ ...options, env, resource: settings.resource }),
    verifyToken: verifyToken && limitConcurrentChecks(verifyToken, AUTH_LIMITS),
    keep: keepTokenOfCaller,
    settings,
    ask: createIssuerClient(env, features),
  });
};

interface OAuthFeatures extends FeatureLoaders {
  dpop?: () => Promise<{ openTokenBinding: OpenTokenBinding }>;
}

const MISSING =
  'The package jose, which checks tokens, is not installed: run `npm install` in the project first.';

function isModuleNotFound(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_MODULE_NOT_FOUND';
}
