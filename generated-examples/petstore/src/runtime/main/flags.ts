/** The command line of a server. */
import { LOG_LEVELS } from '../core/log-level.ts';
import { suggest } from '../contract/suggest.ts';
import { UsageError } from './settings.ts';

export interface FlagDefinition {
  /** What stands for the value in the help; absent: a switch. */
  value?: string;
  /** A value, for the one who gave none. */
  example?: string;
  help: string;
  /** May be given several times. Default false. */
  repeatable?: boolean;
  /** Of a server without an API, where it differs; `false`: it would have no effect there. */
  withoutApi?: string | false;
}

export const FLAGS: Readonly<Record<string, FlagDefinition>> = {
  transport: { value: 'stdio|http', example: 'http', help: 'How clients reach the server. Default: stdio' },
  port: { value: 'n', example: '8080', help: 'HTTP port. Default: $PORT, else 3000' },
  host: {
    value: 'address',
    example: '127.0.0.1',
    help: 'HTTP address to bind; 0.0.0.0 lets other machines in. Default: 127.0.0.1',
  },
  path: { value: 'path', example: '/mcp', help: 'HTTP path of the endpoint. Default: /mcp' },
  sse: { help: 'Serve HTTP+SSE (2024-11-05) too, at /sse and /messages; with --transport http' },
  ws: { help: 'Serve WebSocket too, at /ws; with --transport http' },
  'tls-cert': {
    value: 'file',
    example: './cert.pem',
    help: 'Serve HTTPS with this certificate (PEM), read again when it changes. Default: $MCP_TLS_CERT, else no TLS',
  },
  'tls-key': {
    value: 'file',
    example: './key.pem',
    help: 'Its key (PEM). Default: $MCP_TLS_KEY, else the file of the certificate',
  },
  'trusted-proxy': {
    value: 'address',
    example: '10.0.0.0/8',
    help: 'Proxy, or block of them, whose X-Forwarded-For says where requests come from. Default: $MCP_TRUSTED_PROXIES, else none',
    repeatable: true,
  },
  'base-url': {
    value: 'url',
    example: 'https://api.example.com/v1',
    help: 'Base URL of the API. Default: $API_BASE_URL, else the built-in one',
    withoutApi: false,
  },
  files: {
    value: 'folder',
    example: './files',
    help: 'Folder whose files calls may send, as file:<path>, and where long bytes are saved. Default: $MCP_FILES_ROOT, else none',
    withoutApi: false,
  },
  mock: {
    help: 'Make answers up from examples and schemas: no API and no function is called, and no credentials are needed. Default: $MCP_MOCK',
  },
  include: {
    value: 'selector',
    example: 'op:get*',
    help: 'Serve only these: op:, tag:, path:, method:',
    withoutApi: 'Serve only these: op: and a name, * for any characters',
    repeatable: true,
  },
  exclude: { value: 'selector', example: 'tag:admin', help: 'Serve all but these', repeatable: true },
  'pass-header': {
    value: 'name',
    example: 'X-Tenant',
    help: 'Send this header of HTTP requests on to the API; with --transport http. Default: $MCP_PASS_HEADERS',
    withoutApi: false,
    repeatable: true,
  },
  'rate-limit': {
    value: 'n|off',
    example: '600',
    help: 'Calls a minute of one client, by its subject or else its address. Default: 6000 over HTTP, off on stdio',
  },
  connections: {
    value: 'n|off',
    example: '500',
    help: 'Connections of one address open at one time; with --transport http. Default: $MCP_CONNECTIONS, else 4000',
  },
  audit: {
    value: 'file|stderr',
    example: './audit.jsonl',
    help: 'Write a JSON line for each call of a tool there. Default: $MCP_AUDIT, else none',
  },
  'audit-arguments': {
    value: 'types|full',
    example: 'full',
    help: 'What it shows of arguments: names and types, or values without secrets. Default: $MCP_AUDIT_ARGUMENTS, else types',
  },
  dotenv: {
    value: 'file',
    example: '/path/to/.env',
    help: 'Read variables from this file, instead of .env beside package.json. Default: $MCP_DOTENV',
  },
  'log-level': { value: 'level', example: 'warning', help: `${LOG_LEVELS.join(', ')}. Default: info` },
  'page-size': { value: 'n', example: '50', help: 'Items a page of a list. Default: everything on one page' },
  help: { help: 'Show this help' },
  version: { help: 'Show the version' },
};

/** The values given, by flag; a switch has the value `true`. */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

/** Those that have an effect, in the words that hold there. */
export function flagsFor({ hasApi = true }: { hasApi?: boolean }): Readonly<Record<string, FlagDefinition>> {
  if (hasApi) return FLAGS;
  const kept = Object.entries(FLAGS).flatMap(([name, { withoutApi, ...flag }]): [string, FlagDefinition][] =>
    withoutApi === false ? [] : [[name, { ...flag, help: withoutApi ?? flag.help }]],
  );
  return Object.fromEntries(kept);
}

/**
 * Reads `--name value`, `--name=value` and `-h`; without `hasApi` (default: true) none that only an API heeds.
 *
 * @throws {UsageError} on anything else.
 */
export function readFlags(args: readonly string[], server: { hasApi?: boolean } = {}): FlagValues {
  const flags = flagsFor(server);
  const values = new Map<string, string[]>();
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    const [name, inline] = splitFlag(argument);
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) throw unknownFlag(argument, name, flags);
    if (flag.value === undefined && inline !== undefined) throw new UsageError(`--${name} takes no value.`);
    const value = flag.value === undefined ? 'true' : (inline ?? args[++index]);
    if (value === undefined || value === '')
      throw new UsageError(`--${name} needs a value, as in --${name} ${flag.example}. See --help.`);
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

/** Short ways that people try. */
const MEANT: Readonly<Record<string, string>> = { http: 'transport http', stdio: 'transport stdio' };

function unknownFlag(argument: string, name: string, flags: typeof FLAGS): UsageError {
  if (Object.hasOwn(FLAGS, name))
    return new UsageError(
      `--${name} goes with an API, and this server has none: functions do its work. Leave it out.`,
    );
  const bare = argument.replace(/^-*/, '').replace(/=.*$/s, '');
  const meant = Object.hasOwn(MEANT, bare) ? MEANT[bare] : suggest(bare, Object.keys(flags));
  return new UsageError(
    `${name === '' ? `Unexpected argument: ${argument}` : `Unknown option: --${name}`}.` +
      (meant === undefined ? ' See --help.' : ` Did you mean --${meant}?`),
  );
}
