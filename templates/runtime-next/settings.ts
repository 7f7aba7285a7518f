// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Flags, variables and limits; what restricts a server; which operations are selected. */
import { parseArgs } from 'node:util';
import type { Feature, ServerDefinition } from './feature.ts';
import { ownMember } from './json-rpc.ts';
import { type Bindings, type CatalogData, type Env, LOG_LEVELS, type LogLevel, UsageError } from './types.ts';
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
  /** Bodies over HTTP that are not complete, of all clients together, and answers that they have not read. */
  unfinishedBytes: 64 * 1024 * 1024,
  unreadBytes: 64 * 1024 * 1024,
  /** A stream is cut off if more than this waits for its client. */
  streamBytes: 4 * 1024 * 1024,
  batchMessages: 100,
  /** Of one session, or of one address without sessions. */
  requestsInFlight: 1_000,
  callsPerMinute: 6_000,
  countedClients: 10_000,
  connections: 4_000,
  sessions: 10_000,
  sessionIdleMs: 30 * 60_000,
  keepAliveMs: 15_000,
  subscriptions: 10_000,
  subscriptionsPerClient: 1_000,
  subscribedResources: 1_000,
  listTtlMs: 5 * 60_000,
  progressPerSecond: 50,
  /** How often a client that asked for progress hears that an API is at work. */
  progressIntervalMs: 5_000,
  logsPerSecond: 100,
  headersMs: 10_000,
  requestMs: 60_000,
  idleConnectionMs: 75_000,
  /** What is in flight has this time when the server stops. */
  stdioDrainMs: 1_500,
  httpDrainMs: 10_000,
  closeMs: 5_000,
};

export type Flags = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** A flag, a variable, or both. */
export interface Setting {
  flag?: string;
  /** Of the flag, as help shows it: `--port <n>`. Absent: the flag takes none. */
  value?: string;
  isRepeatable?: boolean;
  variable?: string;
  help: string;
  default?: string;
}

const CORE_SETTINGS: readonly Setting[] = [
  { flag: 'transport', value: 'stdio|http', help: 'How clients reach the server.', default: 'stdio' },
  {
    flag: 'include',
    value: 'selector',
    isRepeatable: true,
    help: 'Serve only these: op:, tag:, path:, method:',
  },
  { flag: 'exclude', value: 'selector', isRepeatable: true, help: 'Do not serve these.' },
  {
    variable: 'MCP_SELECTORS',
    help: 'strict or lenient: a selector that matches nothing ends the start, or does not.',
    default: 'strict',
  },
  {
    flag: 'read-only',
    variable: 'MCP_READ_ONLY',
    help: 'Serve only tools that say readOnlyHint. The variable: 1.',
  },
  {
    flag: 'rate-limit',
    value: 'n|off',
    variable: 'MCP_RATE_LIMIT',
    help: 'Calls a minute of one client; the lower one counts.',
    default: '6000 over HTTP, off on stdio',
  },
  {
    flag: 'repair',
    value: 'on|off',
    variable: 'MCP_REPAIR',
    help: 'off: arguments of another JSON type are refused, not converted.',
    default: 'on',
  },
  { flag: 'page-size', value: 'n', help: 'Items a page of a list.', default: 'everything on one page' },
  { flag: 'log-level', value: 'level', help: `${LOG_LEVELS.join(', ')}.`, default: 'info' },
  {
    flag: 'dotenv',
    value: 'file',
    variable: 'MCP_DOTENV',
    help: 'Read variables from this file instead of .env beside package.json.',
  },
  { flag: 'help', help: 'Show this help.' },
  { flag: 'version', help: 'Show the version.' },
];

export function listSettings(features: readonly Feature[]): Setting[] {
  return [...CORE_SETTINGS, ...features.flatMap(({ settings = [] }) => settings)];
}

/** @throws {UsageError} for an unknown flag, or one without its value */
export function parseFlags(args: readonly string[], features: readonly Feature[]): Flags {
  const settings = listSettings(features).filter(({ flag }) => flag !== undefined);
  const options = Object.fromEntries(
    settings.map(({ flag = '', value, isRepeatable = false }) => [
      flag,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: isRepeatable },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } } })
      .values as Flags;
  } catch (thrown) {
    const words =
      thrown instanceof Error ? thrown.message.replace(/\.?(?: To specify.*)?$/s, '.') : String(thrown);
    const name = /'--([^'= ]+)/.exec(words)?.[1];
    const suggestion = name === undefined ? undefined : nearest(name, Object.keys(options));
    throw new UsageError(
      `${words}${suggestion === undefined || suggestion === name ? ' See --help.' : ` Did you mean --${suggestion}?`}`,
    );
  }
}

/** A flag's value, else the variable's. An empty variable is unset. `name` is the one to blame. */
export function getSetting(
  flags: Flags,
  env: Env,
  flag: string,
  variable: string,
): { name: string; value: string | undefined } {
  const value = flags[flag];
  return typeof value === 'string'
    ? { name: `--${flag}`, value }
    : { name: variable, value: env[variable] || undefined };
}

export function parseChoice<T extends string>(
  { name, value }: { name: string; value: string | undefined },
  choices: readonly [T, ...T[]],
): T {
  const choice = value === undefined ? choices[0] : choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`${name} must be ${choices.join(' or ')}, not ${value}.`);
}

export function parseInteger(
  { name, value }: { name: string; value: string | undefined },
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new UsageError(`${name} must be a whole number, ${range}, not ${value}.`);
}

export function parseSwitch(env: Env, name: string): boolean {
  return parseChoice({ name, value: env[name] || undefined }, ['0', '1']) === '1';
}

export function splitList(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export interface Settings {
  logLevel: LogLevel;
  pageSize: number;
  repairs: boolean;
  /** Characters of an API's answer that a client gets. */
  resultCharacters: number;
}

export function readSettings(flags: Flags, env: Env): Settings {
  const level = typeof flags['log-level'] === 'string' ? flags['log-level'] : undefined;
  return {
    logLevel: parseChoice({ name: '--log-level', value: level ?? 'info' }, [...LOG_LEVELS] as [
      LogLevel,
      ...LogLevel[],
    ]),
    pageSize: parseInteger(getSetting(flags, env, 'page-size', ''), 1) ?? Infinity,
    repairs: parseChoice(getSetting(flags, env, 'repair', 'MCP_REPAIR'), ['on', 'off']) === 'on',
    resultCharacters:
      parseInteger({ name: 'API_RESULT_CHARACTERS', value: env['API_RESULT_CHARACTERS'] || undefined }, 1) ??
      60_000,
  };
}

/** The lower of flag and variable. `Infinity` for off. */
export function readCallLimit(flags: Flags, env: Env): number {
  const limits = [
    {
      name: '--rate-limit',
      value: typeof flags['rate-limit'] === 'string' ? flags['rate-limit'] : undefined,
    },
    { name: 'MCP_RATE_LIMIT', value: env['MCP_RATE_LIMIT'] || undefined },
  ].flatMap((setting) => (setting.value === 'off' ? Infinity : (parseInteger(setting, 1) ?? [])));
  const isHttp = flags['transport'] === 'http';
  return limits.length === 0 ? (isHttp ? LIMITS.callsPerMinute : Infinity) : Math.min(...limits);
}

// What restricts a server.

export interface Selectors {
  include: readonly string[];
  exclude: readonly string[];
}

/** A statement of a flag, a variable, the definition or the catalog. `false` and an absent member state nothing. */
export interface Guards {
  readOnly?: boolean;
  /** What is served must pass each of them. */
  selectors?: readonly Selectors[];
  isLenient?: boolean;
}

/** The strictest statement wins: none takes back what another restricts. */
export function chooseStrictest(statements: readonly (Guards | undefined)[]): Guards {
  return {
    readOnly: statements.some((guards) => guards?.readOnly === true),
    selectors: statements.flatMap((guards) => guards?.selectors ?? []),
  };
}

export function readGuards(
  definition: ServerDefinition,
  ofCatalog: CatalogData['guards'],
  flags: Flags,
  env: Env,
): Guards {
  const [include, exclude] = [flags['include'], flags['exclude']].map((value) =>
    Array.isArray(value) ? value : [],
  );
  const selectors =
    [include, exclude].flat().length === 0 ? [] : [{ include: include ?? [], exclude: exclude ?? [] }];
  const ofFlags: Guards = { readOnly: flags['read-only'] === true, selectors };
  const ofEnv: Guards = { readOnly: parseSwitch(env, 'MCP_READ_ONLY') };
  const ofDefinition: Guards = { readOnly: definition.readOnly === true };
  const isLenient =
    parseChoice({ name: 'MCP_SELECTORS', value: env['MCP_SELECTORS'] || undefined }, [
      'strict',
      'lenient',
    ]) === 'lenient';
  return { ...chooseStrictest([ofFlags, ofEnv, ofDefinition, ofCatalog]), isLenient };
}

// Selectors: `tag:` exact, `path:` glob (`*` within a segment, `**` anything), `op:` glob on the item's name or the document's
// operationId, `method:`. Repeats of one kind of include are alternatives, kinds must all match; what any exclude matches is out.

const KINDS = ['op', 'tag', 'path', 'method'] as const;
type Selectable = Readonly<Record<(typeof KINDS)[number], readonly string[]>>;
type BoundItem = Bindings['tools'][string] | Bindings['resources'][string] | undefined;

function toSelectable(name: string, item: BoundItem): Selectable {
  const { operationId, path, method }: Partial<Bindings['tools'][string]['do']> = item?.do ?? {};
  const text = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);
  return {
    op: [name, ...text(operationId)],
    tag: item?.tags ?? [],
    path: text(path),
    method: text(method),
  };
}

/** @throws {UsageError} for a selector that can't be read, or that matches no operation of the document unless lenient */
export function makeSelection(
  statements: readonly Selectors[],
  isLenient: boolean,
  bindings: Bindings,
  tools: readonly string[],
): (name: string, item: BoundItem) => boolean {
  const parsed = statements.map(({ include, exclude }) => ({
    include: include.map(parseSelector),
    exclude: exclude.map(parseSelector),
  }));
  const items = [
    ...tools.map((name) => toSelectable(name, ownMember(bindings.tools, name))),
    ...Object.entries(bindings.resources).map(([, item]) => toSelectable('', item)),
    ...(bindings.deselected ?? []),
  ];
  for (const { text, kind, value, matches } of parsed.flatMap(({ include, exclude }) => [
    ...include,
    ...exclude,
  ])) {
    if (isLenient || items.some(matches) || (kind !== 'tag' && value.includes('*'))) continue;
    const suggestion = nearest(value, new Set(items.flatMap((item) => item[kind])));
    const hint = suggestion === undefined ? '' : ` Did you mean ${kind}:${suggestion}?`;
    throw new UsageError(
      `The selector ${JSON.stringify(text)} matches nothing.${hint} MCP_SELECTORS=lenient accepts it all the same.`,
    );
  }
  return (name, item) => {
    const selectable = toSelectable(name, item);
    return parsed.every(({ include, exclude }) => {
      if (exclude.some(({ matches }) => matches(selectable))) return false;
      return KINDS.every((kind) => {
        const alternatives = include.filter((selector) => selector.kind === kind);
        return alternatives.length === 0 || alternatives.some(({ matches }) => matches(selectable));
      });
    });
  };
}

function parseSelector(text: string) {
  const [, prefix, rest = ''] = /^\s*(\w+)\s*:(.*)$/s.exec(text) ?? [];
  const kind = KINDS.find((one) => one === prefix);
  const value = rest.trim();
  if (kind === undefined || value === '')
    throw new UsageError(
      `The selector ${JSON.stringify(text)} must be one of tag:, path:, op:, method: and a value.`,
    );
  const glob = kind === 'op' ? value.replace(/\*+/g, '**') : /^[/*]/.test(value) ? value : `/${value}`;
  const test =
    kind === 'tag'
      ? (tag: string) => tag === value
      : kind === 'method'
        ? (method: string) => method.toUpperCase() === value.toUpperCase()
        : compileGlob(glob);
  return { text, kind, value, matches: (item: Selectable) => item[kind].some(test) };
}

/** `*` matches anything within a segment, `**` anything. The work is at most the length of the text times that of the glob. */
export function compileGlob(glob: string): (text: string) => boolean {
  const parts = (glob.match(/\*+|[^*]/gsu) ?? []).map((part) => (part.length > 2 ? '**' : part));
  const addBehindAsterisks = (places: Set<number>): Set<number> => {
    // An asterisk may match nothing.
    for (const place of places) if (parts[place]?.startsWith('*') === true) places.add(place + 1);
    return places;
  };
  return (text) => {
    let places = addBehindAsterisks(new Set([0]));
    for (const character of text) {
      const next = new Set<number>();
      for (const place of places) {
        const part = parts[place];
        if (part === '**' || (part === '*' && character !== '/')) next.add(place);
        else if (part === character) next.add(place + 1);
      }
      places = addBehindAsterisks(next);
    }
    return places.has(parts.length);
  };
}

/** The environment that Node, the loader or the shell reads: a file may not set it. */
const ENVIRONMENT_ALONE = /^(?:(?:NODE|LD|DYLD|OPENSSL|SSL_CERT)_.*|PATH|MCP_DOTENV)$/i;

export function isForFile(name: string): boolean {
  return !ENVIRONMENT_ALONE.test(name);
}

export function helpText({ info, features = [] }: ServerDefinition): string {
  const rows = listSettings(features);
  const flags = rows.flatMap(({ flag, value, help, variable, ...row }): [string, string][] => {
    if (flag === undefined) return [];
    const otherwise = [variable && `$${variable}`, row.default].filter(Boolean).join(', else ');
    return [
      [
        `--${flag}${value === undefined ? '' : ` <${value}>`}`,
        `${help}${otherwise && ` Default: ${otherwise}`}`,
      ],
    ];
  });
  const variables = rows.flatMap(({ variable, help, flag, ...row }): [string, string][] =>
    variable === undefined || flag !== undefined
      ? []
      : [[variable, `${help}${row.default === undefined ? '' : ` Default: ${row.default}`}`]],
  );
  const table = (pairs: [string, string][]): string => {
    const width = Math.max(0, ...pairs.map(([left]) => left.length));
    return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
  };
  const http = features.some(({ transports }) => transports?.['http'] !== undefined)
    ? `  ${info.name} --transport http --port 8080    serve http://127.0.0.1:8080/mcp\n`
    : '';
  return `${info.title ?? info.name} ${info.version}, an MCP server

Examples:
  ${info.name}                                 speak MCP on stdin and stdout: what clients start
${http}
Options:
${table(flags)}

Environment, also read from .env beside package.json (the environment wins):
${table(variables)}

Limits: ${Object.entries(LIMITS)
    .map(([name, limit]) => `${name} ${limit}`)
    .join(', ')}

Exit codes: 0 fine, 1 the server failed, 2 the command line, the environment or src/handlers/ can't be used.
`;
}
