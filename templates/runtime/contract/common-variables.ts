// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Flags and variables of every server. */
import { type EnvironmentVariable, type FlagDefinition, LOG_LEVELS } from './feature.ts';

export function plainVariable(name: string, description: string, value?: string): EnvironmentVariable {
  const variable = { name, description, secret: false, required: false };
  return value === undefined ? variable : { ...variable, default: value };
}

export function secretVariable(name: string, description: string): EnvironmentVariable {
  return { ...plainVariable(name, description), secret: true };
}

export const COMMON_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  transport: { value: 'stdio|http', example: 'http', help: 'How clients reach the server. Default: stdio' },
  include: {
    value: 'selector',
    example: 'op:get*',
    help: 'Serve only these: op:, tag:, path:, method:',
    withoutApi: 'Serve only these: op: and a name, * for any characters',
    repeatable: true,
  },
  exclude: { value: 'selector', example: 'tag:admin', help: 'Do not serve these', repeatable: true },
  'read-only': {
    help: 'Serve only tools that read, by their readOnlyHint. $MCP_READ_ONLY says the same',
  },
  'rate-limit': {
    value: 'n|off',
    example: '600',
    help: 'Calls a minute of one client, by its subject or else its address; the lower of this and $MCP_RATE_LIMIT. Default: 6000 over HTTP, off on stdio',
  },
  repair: {
    value: 'on|off',
    example: 'off',
    help: 'off: refuse arguments of another JSON type instead of converting them. Default: $MCP_REPAIR, else on',
  },
  dotenv: {
    value: 'file',
    example: '/path/to/.env',
    help: 'Read variables from this file, instead of .env beside package.json. Default: $MCP_DOTENV',
  },
  'log-level': {
    value: 'level',
    example: 'warning',
    help: `${LOG_LEVELS.join(', ')}. Default: info`,
  },
  'log-format': {
    value: 'text|json',
    example: 'json',
    help: 'json: each line of the log on stderr is a JSON object. Default: $MCP_LOG_FORMAT, else text',
  },
  'page-size': { value: 'n', example: '50', help: 'Items a page of a list. Default: everything on one page' },
  help: { help: 'Show this help' },
  version: { help: 'Show the version' },
};

export const COMMON_VARIABLES: readonly EnvironmentVariable[] = [
  plainVariable(
    'MCP_RATE_LIMIT',
    'Calls a minute of one client, by its subject or else its address, or off; the lower of this and --rate-limit. If both ' +
      'are unset: 6000 over HTTP, no limit on stdio.',
  ),
  plainVariable(
    'MCP_SELECTORS',
    'strict or lenient: a selector that names no tag, path or operation ends the start, or is a warning.',
    'strict',
  ),
  plainVariable('MCP_READ_ONLY', '1: only tools that say readOnlyHint are served, like --read-only.', '0'),
  plainVariable(
    'MCP_REPAIR',
    'off: arguments of another JSON type than the schema allows are refused, not converted; --repair wins.',
    'on',
  ),
  plainVariable(
    'MCP_LOG_FORMAT',
    'json: each line of the log on stderr is a JSON object; --log-format wins.',
    'text',
  ),
  plainVariable(
    'MCP_DOTENV',
    'File of variables that is read instead of .env beside package.json; --dotenv wins. From the environment alone.',
  ),
];
