/** Whether calls of tools are written down, and where. */
import type { FlagValues } from '../main/flags.ts';
import { type AuditSettings, type Environment, named, resolveHere, UsageError } from '../main/settings.ts';

/** @throws {UsageError} naming the flag or variable whose value can't be used */
export function readAuditSettings(flags: FlagValues, env: Environment): AuditSettings | undefined {
  const [place, to] = named('--audit', flags.get('audit')?.[0], 'MCP_AUDIT', env['MCP_AUDIT']);
  const [name, shown = 'types'] = named(
    '--audit-arguments',
    flags.get('audit-arguments')?.[0],
    'MCP_AUDIT_ARGUMENTS',
    env['MCP_AUDIT_ARGUMENTS'],
  );
  if (shown !== 'types' && shown !== 'full')
    throw new UsageError(`${name} must be types or full, not ${shown}.`);
  if (to === undefined && name === '--audit-arguments' && flags.has('audit-arguments'))
    throw new UsageError(
      '--audit-arguments goes with an audit log: give --audit stderr, or a file, as well.',
    );
  if (to === undefined) return undefined;
  return { to: to === 'stderr' ? to : resolveHere(place, to), full: shown === 'full' };
}
