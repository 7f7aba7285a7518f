/** The command line of a server. */
import { LOG_LEVELS } from '../core/log-level.ts';
import { UsageError } from './settings.ts';

export interface FlagDefinition {
  /** What stands for the value in the help; absent: a switch. */
  value?: string;
  help: string;
  /** May be given several times. Default false. */
  repeatable?: boolean;
}

export const FLAGS: Readonly<Record<string, FlagDefinition>> = {
  transport: { value: 'stdio|http', help: 'How clients reach the server. Default: stdio' },
  port: { value: 'n', help: 'HTTP port. Default: $PORT, else 3000' },
  host: { value: 'address', help: 'HTTP address to bind. Default: 127.0.0.1' },
  path: { value: '/mcp', help: 'HTTP path of the endpoint. Default: /mcp' },
  'base-url': { value: 'url', help: 'Base URL of the API. Default: $API_BASE_URL, else the built-in one' },
  include: { value: 'selector', help: 'Serve only these: op:, tag:, path:, method:', repeatable: true },
  exclude: { value: 'selector', help: 'Serve all but these', repeatable: true },
  'rate-limit': { value: 'n|off', help: 'Calls a minute and session. Default: 6000 over HTTP, off on stdio' },
  'log-level': { value: 'level', help: `${LOG_LEVELS.join(', ')}. Default: info` },
  'page-size': { value: 'n', help: 'Items a page of a list. Default: everything on one page' },
  help: { help: 'Show this help' },
  version: { help: 'Show the version' },
};

/** Known to the design of this server's command line, but not in this build. */
const ABSENT: Readonly<Record<string, string>> = {
  sse: 'This build has no HTTP+SSE transport (2024-11-05).',
  ws: 'This build has no WebSocket transport.',
};

/** The values given, by flag; a switch has the value `true`. */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

/**
 * Reads `--name value`, `--name=value` and `-h`.
 *
 * @throws {UsageError} on anything else.
 */
export async function readFlags(args: readonly string[]): Promise<FlagValues> {
  const values = new Map<string, string[]>();
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    const [name, inline] = splitFlag(argument);
    const flag = Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined;
    if (flag === undefined) throw await unknownFlag(argument, name);
    if (flag.value === undefined && inline !== undefined) throw new UsageError(`--${name} takes no value.`);
    const value = flag.value === undefined ? 'true' : (inline ?? args[++index]);
    if (value === undefined || value === '')
      throw new UsageError(`--${name} needs a value: --${name} <${flag.value}>`);
    const known = values.get(name) ?? [];
    if (known.length > 0 && flag.repeatable !== true) throw new UsageError(`--${name} is given twice.`);
    values.set(name, [...known, value]);
  }
  return values;
}

function splitFlag(argument: string): [string, string | undefined] {
  if (argument === '-h') return ['help', undefined];
  if (!argument.startsWith('--')) return ['', undefined];
  const equals = argument.indexOf('=');
  return equals === -1
    ? [argument.slice(2), undefined]
    : [argument.slice(2, equals), argument.slice(equals + 1)];
}

async function unknownFlag(argument: string, name: string): Promise<UsageError> {
  const absent = Object.hasOwn(ABSENT, name) ? ABSENT[name] : undefined;
  if (absent !== undefined) return new UsageError(`${argument}: ${absent}`);
  if (name === '') return new UsageError(`Unexpected argument: ${argument}. See --help.`);
  const { nearMiss } = await import('../schema/near-miss.ts');
  const meant = nearMiss(name, Object.keys(FLAGS));
  return new UsageError(
    `Unknown option: --${name}.${meant === undefined ? ' See --help.' : ` Did you mean --${meant}?`}`,
  );
}
