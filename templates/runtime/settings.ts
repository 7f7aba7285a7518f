// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Flags, variables and limits; what restricts a server; which operations are selected. */
import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { ServerDefinition } from './feature.ts';
import { LOG_LEVELS, ownMember } from './json-rpc.ts';
import { type Bindings, type CatalogData, type Env, UsageError } from './types.ts';
import { nearest } from './validate.ts';

/** `Bytes`, `Ms` (milliseconds) or counts. */
export const LIMITS = {
  /** A body over HTTP, and a line on stdio. */
  bodyBytes: 4 * 1024 * 1024,
  lineBytes: 16 * 1024 * 1024,
  /** Clients close a connection at a message of 10 MiB. */
  writtenBytes: 8 * 1024 * 1024,
  pageBytes: 4 * 1024 * 1024,
  headerBytes: 16 * 1024,
  targetBytes: 2 * 1024,
  /** Of all clients together: bodies over HTTP whose requests are not answered, and answers that are not read. */
  heldBytes: 64 * 1024 * 1024,
  /** Messages up to this size are taken even then. */
  shortBytes: 16 * 1024,
  /** A client has this time to read an answer, and a stream is cut off if so much waits for its client. */
  unreadMs: 30_000,
  streamBytes: 4 * 1024 * 1024,
  batchMessages: 100,
  /** Kept free in a batch for each refusal that takes the place of an answer. */
  refusalBytes: 8 * 1024,
  /** Of one session. */
  requestsInFlight: 1_000,
  /** Of one connection, behind one that is not answered. */
  pipelinedRequests: 16,
  callsPerMinute: 6_000,
  countedClients: 10_000,
  connections: 4_000,
  sessions: 10_000,
  sessionsPerClient: 1_000,
  sessionIdleMs: 30 * 60_000,
  keepAliveMs: 15_000,
  listTtlMs: 5 * 60_000,
  progressPerSecond: 50,
  logsPerSecond: 100,
  headersMs: 10_000,
  requestMs: 60_000,
  idleConnectionMs: 75_000,
  /** A stopping server waits this long for calls in flight. Clients over stdio kill it after two seconds. */
  stdioDrainMs: 1_500,
  httpDrainMs: 10_000,
  outputDrainMs: 10_000,
  closeMs: 5_000,
};

export type Flags = Readonly<Record<string, string | boolean | string[] | undefined>>;

export interface Setting {
  flag?: string;
  /** Of the flag, as help shows it: `--port <n>`. Absent: the flag takes none. */
  value?: string;
  isRepeatable?: boolean;
  variable?: string;
  help: string;
  default?: string;
}

export const CORE_SETTINGS: readonly Setting[] = [
  { flag: 'transport', value: 'stdio|http', help: 'How clients reach the server.', default: 'stdio' },
  { flag: 'include', value: 'selector', isRepeatable: true, help: 'Serve only op:, tag:, path: or method:…' },
  { flag: 'exclude', value: 'selector', isRepeatable: true, help: 'Do not serve these.' },
  { variable: 'MCP_SELECTORS', help: 'lenient: start even if a selector matches nothing.' },
  { flag: 'read-only', variable: 'MCP_READ_ONLY', help: 'Only reading tools. MCP_READ_ONLY=1: the same.' },
  {
    flag: 'rate-limit',
    value: 'n|off',
    variable: 'MCP_RATE_LIMIT',
    help: 'Calls per minute of one client. Default over HTTP: 6000.',
  },
  { flag: 'repair', value: 'on|off', variable: 'MCP_REPAIR', help: 'off: do not convert arguments.' },
  { flag: 'page-size', value: 'n', help: 'Items per page of a list.', default: 'everything on one page' },
  { flag: 'log-level', value: 'level', help: `To clients: ${LOG_LEVELS.join(', ')}.`, default: 'info' },
  { flag: 'dotenv', value: 'file', variable: 'MCP_DOTENV', help: 'Variables, instead of .env.' },
  { flag: 'help', help: 'Show this help.' },
  { flag: 'version', help: 'Show the version.' },
];

function listSettings({ features = [] }: ServerDefinition): Setting[] {
  return [...CORE_SETTINGS, ...features.flatMap(({ settings = [] }) => settings)];
}

/** @throws {UsageError} for an unknown flag, or one without its value */
export function parseFlags(args: readonly string[], definition: ServerDefinition): Flags {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const { flag, value, isRepeatable = false } of listSettings(definition))
    if (flag !== undefined)
      options[flag] = { type: value === undefined ? 'boolean' : 'string', multiple: isRepeatable };
  options['help'] = { type: 'boolean', short: 'h' };
  try {
    return parseArgs({ args: [...args], options }).values as Flags;
  } catch (thrown) {
    // Node goes on to explain positional arguments, and a server has none.
    const words = (thrown as Error).message.replace(/\.?(?: To specify.*)?$/s, '.');
    const [, name = '', command] =
      /^Unknown option '--([^']+)'|^Unexpected argument '(.+?)'/.exec(words) ?? [];
    const { refuses = {} } = readGenerated(definition, 'bindings.json') as Bindings;
    // Its first command has the name of the feature.
    const feature = ownMember(refuses, `--${name}`) ?? Object.values(refuses).find((one) => one === command);
    if (feature !== undefined) throw lacksFeature(command ?? `--${name}`, feature);
    const suggestion = nearest(name, Object.keys(options));
    throw new UsageError(`${words} ${suggestion ? `Did you mean --${suggestion}?` : 'See --help.'}`);
  }
}

export function lacksFeature(setting: string, feature: string): UsageError {
  return new UsageError(
    `${setting} needs ${feature}, and this server was generated without it. Add it: npx mcpgen generate --feature ${feature}`,
  );
}

interface SettingText {
  name: string;
  value: string | undefined;
}

/** A flag's value, else the variable's; either name may be `''` for none. An empty value is unset. */
export function getSetting(flags: Flags, env: Env, flag: string, variable: string): SettingText {
  const value = ownMember(flags, flag);
  if (typeof value === 'string' && value !== '') return { name: `--${flag}`, value };
  return { name: variable, value: env[variable] || undefined };
}

/** A file may not set what Node, the loader or the shell reads. */
export function isForFile(variable: string): boolean {
  return !/^(?:(?:NODE|LD|DYLD|OPENSSL|SSL_CERT)_.*|PATH|MCP_DOTENV)$/i.test(variable);
}

/** Unset is the first choice. */
export function parseChoice<T extends string>({ name, value }: SettingText, choices: readonly T[]): T {
  const choice = value === undefined ? choices[0] : choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`${name} must be ${choices.join(' or ')}, not ${value}.`);
}

export function parseInteger(
  { name, value }: SettingText,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new UsageError(`${name} must be a whole number, ${range}, not ${value}.`);
}

export type Settings = ReturnType<typeof readSettings>;

export function readSettings(flags: Flags, env: Env) {
  const { name, value = 'info' } = getSetting(flags, env, 'log-level', '');
  return {
    logLevel: parseChoice({ name, value }, LOG_LEVELS),
    pageSize: parseInteger(getSetting(flags, env, 'page-size', ''), 1) ?? Infinity,
    repairs: parseChoice(getSetting(flags, env, 'repair', 'MCP_REPAIR'), ['on', 'off']) === 'on',
    resultCharacters: parseInteger(getSetting(flags, env, '', 'API_RESULT_CHARACTERS'), 1) ?? 60_000,
  };
}

/** The lower of flag and variable. `Infinity` for off. */
export function readCallLimit(flags: Flags, env: Env): number {
  const texts = [getSetting(flags, env, 'rate-limit', ''), getSetting(flags, env, '', 'MCP_RATE_LIMIT')];
  const limits = texts.flatMap((text) => (text.value === 'off' ? Infinity : (parseInteger(text, 1) ?? [])));
  if (limits.length > 0) return Math.min(...limits);
  return flags['transport'] === 'http' ? LIMITS.callsPerMinute : Infinity;
}

export function readGenerated({ generated }: ServerDefinition, file: string): unknown {
  if (generated instanceof URL) return JSON.parse(readFileSync(new URL(file, generated), 'utf8'));
  return JSON.parse(ownMember(generated, file) ?? 'null');
}

// What restricts a server.

export interface Guards {
  readOnly: boolean;
  include: readonly string[];
  exclude: readonly string[];
  /** Selectors that match nothing are no mistake. */
  isLenient: boolean;
}

/** The strictest statement wins: of flags, variables, the definition and the catalog, none takes back what another restricts. */
export function readGuards(
  { readOnly }: Pick<ServerDefinition, 'readOnly'>,
  compiled: CatalogData['guards'],
  flags: Flags,
  env: Env,
): Guards {
  const [include = [], exclude = []] = [flags['include'], flags['exclude']] as (string[] | undefined)[];
  const isSet = parseChoice(getSetting(flags, env, '', 'MCP_READ_ONLY'), ['0', '1']) === '1';
  return {
    readOnly: [flags['read-only'], isSet, readOnly, compiled?.readOnly].includes(true),
    include,
    exclude,
    isLenient: parseChoice(getSetting(flags, env, '', 'MCP_SELECTORS'), ['strict', 'lenient']) === 'lenient',
  };
}

// Selectors: `tag:` exact, `path:` glob (`*` within a segment, `**` anything), `op:` glob on the item's name or the document's
// operationId, `method:`. Repeats of one kind of include are alternatives, kinds must all match; what any exclude matches is out.

const KINDS = ['op', 'tag', 'path', 'method'] as const;
type Selectable = Readonly<Record<(typeof KINDS)[number], readonly string[]>>;
type BoundItem = Bindings['tools'][string] | Bindings['resources'][string] | undefined;

/** What a selector is compared with, by its kind. */
function toSelectable(name: string, item: BoundItem): Selectable {
  const { operationId, path, method } = (item?.do ?? {}) as Partial<Record<string, string>>;
  return {
    op: [name, operationId ?? []].flat(),
    tag: item?.tags ?? [],
    path: [path ?? []].flat(),
    method: [method ?? []].flat(),
  };
}

/** @throws {UsageError} for a selector that can't be read, or that matches no operation of the document unless lenient */
export function makeSelection(
  { include, exclude, isLenient }: Omit<Guards, 'readOnly'>,
  bindings: Bindings,
  tools: readonly string[],
): (name: string, item: BoundItem) => boolean {
  if (include.length + exclude.length === 0) return () => true;
  const items = [
    ...tools.map((name) => toSelectable(name, ownMember(bindings.tools, name))),
    ...Object.values(bindings.resources).map((item) => toSelectable('', item)),
    ...(bindings.deselected ?? []),
  ];
  const read = (text: string): Selector => {
    const selector = parseSelector(text);
    const { kind, value, matches } = selector;
    if (isLenient || items.some(matches) || (kind !== 'tag' && value.includes('*'))) return selector;
    const suggestion = nearest(value, new Set(items.flatMap((item) => item[kind])));
    const hint = suggestion === undefined ? '' : ` Did you mean ${kind}:${suggestion}?`;
    throw new UsageError(`The selector "${text}" matches nothing.${hint} MCP_SELECTORS=lenient accepts it.`);
  };
  const [included, excluded] = [include.map(read), exclude.map(read)];
  const isIncluded = (item: Selectable): boolean =>
    included.every(({ kind }) => included.some((one) => one.kind === kind && one.matches(item)));
  const kinds = [...new Set(included.map(({ kind }) => kind))];
  if (kinds.length > 1 && !isLenient && !items.some(isIncluded))
    throw new UsageError(
      `Nothing matches each kind of --include that is given: ${kinds.join(':, ')}:. Use one kind for all. MCP_SELECTORS=lenient accepts it.`,
    );
  return (name, item) => {
    const selectable = toSelectable(name, item);
    return isIncluded(selectable) && !excluded.some(({ matches }) => matches(selectable));
  };
}

interface Selector {
  kind: (typeof KINDS)[number];
  value: string;
  matches: (item: Selectable) => boolean;
}

/** @throws {UsageError} if it can't be read */
export function parseSelector(text: string): Selector {
  const [, prefix, rest = ''] = /^\s*(\w+)\s*:(.*)$/s.exec(text) ?? [];
  const kind = KINDS.find((name) => name === prefix);
  const value = rest.trim();
  if (kind === undefined || value === '')
    throw new UsageError(`The selector "${text}" must be one of tag:, path:, op:, method: and a value.`);
  if (kind === 'tag') return { kind, value, matches: ({ tag }) => tag.includes(value) };
  const glob = kind === 'path' && !/^[/*]/.test(value) ? `/${value}` : value;
  const source = glob.replace(/\*+|[^\w*]/g, (part) => {
    if (!part.startsWith('*')) return `\\${part}`;
    return part === '*' && kind === 'path' ? '[^/]*' : '.*';
  });
  const pattern = new RegExp(`^${source}$`, kind === 'method' ? 'is' : 's');
  return { kind, value, matches: (item) => item[kind].some((text) => pattern.test(text)) };
}

export function helpText(definition: ServerDefinition): string {
  const { info, features = [] } = definition;
  const rows = listSettings(definition).map(({ flag, value, variable, help, default: preset }) => {
    const flagText = flag && (value === undefined ? `--${flag}` : `--${flag} <${value}>`);
    const names = [flagText, variable].filter(Boolean).join(', ');
    return `  ${names.padEnd(36)} ${help}${preset === undefined ? '' : ` Default: ${preset}`}`;
  });
  const examples = features.flatMap(({ transports = {}, commands = {} }) => [
    ...Object.keys(transports).map((name) => `  ${info.name} --transport ${name}    serve over ${name}\n`),
    ...Object.entries(commands).map(([name, { help }]) => `  ${info.name} ${name}    ${help}\n`),
  ]);
  const limits = Object.entries(LIMITS).map((limit) => limit.join(' '));
  return `${info.title ?? info.name} ${info.version}, an MCP server

Examples:
  ${info.name}    speak MCP on stdin and stdout: what clients start
${examples.join('')}
Flags and variables (a flag wins over the environment, the environment over .env beside package.json; the README has those of an API):
${rows.join('\n')}

Limits, fixed except callsPerMinute (--rate-limit): ${limits.join(', ')}

Exit codes: 0 fine, 1 the server failed, 2 the command line, the environment or src/handlers/ can't be used.
`;
}
