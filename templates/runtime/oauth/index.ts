/** The part of the runtime that checks tokens: only projects with OAuth have it. */
import type { GuardOptions, OpenGuard } from '../transports/http/guard.ts';
import { issuersBy } from './ask-issuer.ts';
import { readAuthSettings } from './settings.ts';

export { AUTH_VARIABLES } from './variables.ts';

/** What checks signatures is loaded here, since `--help` and a start over stdio need none of it. */
export const openGuard: OpenGuard = async ({ env, ...options }: GuardOptions) => {
  const settings = readAuthSettings(env);
  const { ResourceGuard } = await import('./resource-guard.ts');
  return new ResourceGuard({ ...options, settings, ask: issuersBy(env) });
};
