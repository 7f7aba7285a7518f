import { type Environment, UsageError } from './settings.ts';

/**
 * Whoever sets what only a project with OAuth reads means callers to be asked for tokens, and nobody would be.
 *
 * @throws {UsageError} naming the variable
 */
export function refuseAuthSettings(env: Environment): void {
  const name = Object.keys(env).find((each) => each.startsWith('MCP_AUTH_') && env[each]);
  if (name === undefined) return;
  throw new UsageError(
    `${name} is set, and this server was compiled without --auth oauth: it would ask nobody for a token. Compile the project ` +
      'again with --auth oauth (or `auth` in its configuration), or unset it.',
  );
}
