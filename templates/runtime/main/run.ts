/**
 * Starts a server from its definition, the command line and the environment. On the way to a first answer: what a
 * plain start over stdio doesn't need is loaded when it is needed, since each module costs a start some time.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Bindings } from '../bindings.ts';
import type { OpenAudit } from '../audit/open-audit.ts';
import type { Audit } from '../core/audit.ts';
import { CatalogStore } from '../core/catalog-store.ts';
import { createProject, type LiveProject, type Project } from '../core/project.ts';
import type { AuthDefinition, Ending, ServerDefinition } from '../definition.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { LineWriter } from '../transports/line-writer.ts';
import { checkHandlers } from './check-handlers.ts';
import type { EnvironmentVariable } from './environment-variable.ts';
import type { FlagValues } from './flags.ts';
import { readSettings, type Settings, UsageError } from './settings.ts';
import { stackOf } from './stack-of.ts';
import { startStdio, type StdioEnds } from './start-stdio.ts';

/** Read in the working folder, as Node reads such files. The real environment wins. */
const ENV_FILE = '.env';

const MOCKING = 'No API and no function is called (--mock): answers are made up from examples and schemas.';

/** Imports the definition of the server, and with it the user's own code. */
export type LoadServer = () => Promise<{ server: ServerDefinition }>;

/**
 * Told of the server before its first message is read. `open` makes the project that takes the place of `predecessor`;
 * it rejects when the definition can't be served.
 */
export type Watch = (
  live: LiveProject,
  open: (definition: ServerDefinition, predecessor: Project) => Promise<Project>,
) => void;

/** How long what a handler left behind, such as a timer, may keep the process when there is nothing more to do. */
const LINGER_MS = 250;

/**
 * Serves until the client goes (stdio) or a signal asks to stop. Never rejects. With `watch`, another definition may
 * take the place of the first while there are clients.
 *
 * @returns the exit code: 0 fine, 1 the server failed, 2 the command line, the environment or the user's own code
 *   can't be used
 */
export async function run(load: LoadServer, host: NodeJS.Process, watch?: Watch): Promise<number> {
  const writer = new LineWriter(host.stdout);
  // Before the user's own code is there: it may print as it loads.
  writer.divert(host.stderr);
  let name = 'mcp server';
  const tell = (words: string): void => void host.stderr.write(`${name}: ${words}\n`);
  /** For the one who can mend it; a client is never told. */
  const report = (thrown: unknown): void => tell(`error: ${stackOf(thrown)}`);
  outlive(host, report);
  try {
    // Before the user's own code too: it may look for a variable as it loads.
    if (existsSync(ENV_FILE)) readEnvFile(host);
    const server = await definitionOf(load);
    name = server.info.name;
    const flags = await flagsOf(host.argv.slice(2), server);
    const text = await textFor(flags, server);
    if (text === undefined) await serve(flags, server, { host, writer, tell, report, watch });
    else void writer.write(text);
    return 0;
  } catch (thrown) {
    tell(thrown instanceof Error ? thrown.message : String(thrown));
    return thrown instanceof UsageError ? 2 : 1;
  } finally {
    setTimeout(() => host.exit(), LINGER_MS).unref();
  }
}

function readEnvFile(host: NodeJS.Process): void {
  try {
    host.loadEnvFile(ENV_FILE);
  } catch (cause) {
    const words = `${ENV_FILE} in the working folder can't be read. Make it a readable file, or take it away.`;
    throw new UsageError(words, { cause });
  }
}

/** What the user's own code throws where nobody catches it must not end the sessions of everyone. */
function outlive(host: NodeJS.Process, report: (thrown: unknown) => void): void {
  host.on('unhandledRejection', report).on('uncaughtException', report);
  // Nobody may be reading it any more.
  host.stderr.on('error', () => undefined);
}

async function definitionOf(load: LoadServer): Promise<ServerDefinition> {
  try {
    return (await load()).server;
  } catch (thrown) {
    if (thrown instanceof SyntaxError && thrown.message.includes("export named 'handlers'"))
      throw new UsageError(
        'src/handlers/index.ts must export `handlers`: `export const handlers = {};` at least.',
      );
    const words = `The server's code can't be loaded, so there is nothing to serve. ${stackOf(thrown)}`;
    throw new Error(words, { cause: thrown });
  }
}

async function flagsOf(args: readonly string[], server: ServerDefinition): Promise<FlagValues> {
  return args.length === 0 ? new Map() : (await import('./flags.ts')).readFlags(args, server);
}

/** What is printed instead of serving. */
async function textFor(
  flags: FlagValues,
  { info, generated, auth, hasApi = true }: ServerDefinition,
): Promise<string | undefined> {
  if (!flags.has('help')) return flags.has('version') ? info.version : undefined;
  const bindings: Bindings = JSON.parse(readGenerated(generated, 'bindings.json'));
  const [{ helpText }, { apiVariables }] = await Promise.all([
    import('./help.ts'),
    import('./api-settings.ts'),
  ]);
  return helpText(info, {
    hasApi,
    apiVariables: apiVariables(bindings),
    authVariables: auth === undefined ? [] : await variablesOf(auth, hasApi),
  });
}

async function variablesOf({ runtime }: AuthDefinition, hasApi: boolean): Promise<EnvironmentVariable[]> {
  const { AUTH_VARIABLES, ON_BEHALF_VARIABLES } = await runtime();
  return [...AUTH_VARIABLES, ...(hasApi ? ON_BEHALF_VARIABLES : [])];
}

/** What a server has of its process. */
interface Surroundings {
  host: NodeJS.Process;
  writer: LineWriter;
  tell: (words: string) => void;
  report: (thrown: unknown) => void;
  watch: Watch | undefined;
}

async function serve(flags: FlagValues, server: ServerDefinition, surroundings: Surroundings): Promise<void> {
  const { host, writer, tell, report, watch } = surroundings;
  const settings = await readSettings(flags, host.env, server);
  const opened = await openAudit(settings, server, surroundings);
  const project = await openProject(server, settings, surroundings, undefined, opened?.audit);
  if (settings.baseUrl !== undefined) await refuseOneBaseUrl(project);
  let end: Ending | undefined;
  const open = async (definition: ServerDefinition, predecessor: Project): Promise<Project> => {
    const next = await openProject(definition, settings, surroundings, predecessor, opened?.audit);
    const nextEnd = await startOwn(next);
    await end?.();
    end = nextEnd;
    return next;
  };
  const live = { current: project };
  if (settings.mock) tell(MOCKING);
  const stop = stopRequest(host);
  end = await startOwn(project);
  watch?.(live, open);
  const started = (): void => {
    void tellWeakened(settings, tell).catch(report);
    void tellMissing(project, settings, tell).catch(report);
  };
  try {
    await transport(live, settings, { host, writer, started }, stop);
  } finally {
    await end?.();
    await opened?.flush();
  }
}

/** Undefined: no calls are written down. */
async function openAudit(
  { audit }: Settings,
  { info }: ServerDefinition,
  { host: { env, stderr }, report }: Surroundings,
): Promise<OpenAudit | undefined> {
  if (audit === undefined) return undefined;
  return (await import('../audit/open-audit.ts')).openAudit(audit, info.name, { env, stderr, report });
}

/** It would send what is meant for one API to all of them. */
async function refuseOneBaseUrl(project: Project): Promise<void> {
  const bindings = await project.bindings();
  if (bindings.upstreams === undefined) return;
  const { baseUrlVariables } = await import('./api-settings.ts');
  const names = baseUrlVariables(bindings).join(', ');
  throw new UsageError(
    `--base-url and API_BASE_URL go with one API, and this server has several. Set ${names} in the environment instead.`,
  );
}

async function startOwn(project: Project): Promise<Ending | undefined> {
  return project.tellsUpdates ? (await import('./start-own-code.ts')).startOwnCode(project) : undefined;
}

async function transport(
  live: LiveProject,
  settings: Settings,
  { host, writer, started }: StdioEnds,
  stop: Promise<void>,
): Promise<void> {
  if (settings.transport === 'http') {
    const { startHttp } = await import('./start-http.ts');
    return startHttp(live, settings, host, stop, started);
  }
  return startStdio(live, settings, { host, writer, started }, stop);
}

/** Over stdio, without files, there is nothing to weaken, and nothing is loaded. */
async function tellWeakened(settings: Settings, tell: (words: string) => void): Promise<void> {
  const { http, filesRoot, logLevel } = settings;
  if (http === undefined && filesRoot === undefined) return;
  const [{ weakened }, { isWanted }] = await Promise.all([
    import('./weakened.ts'),
    import('../core/log-level.ts'),
  ]);
  if (!isWanted('warning', logLevel)) return;
  for (const words of weakened(settings)) tell(`warning: ${words}`);
}

/** What keeps tools from being called can be mended by the one who runs the server, who reads stderr. */
async function tellMissing(
  project: Project,
  { include, exclude, logLevel, mock }: Settings,
  tell: (words: string) => void,
): Promise<void> {
  if (mock) return;
  const bindings = await project.bindings();
  if (bindings.upstream === undefined && bindings.upstreams === undefined) return;
  const [{ missing }, { isWanted }] = await Promise.all([
    import('./api-settings.ts'),
    import('../core/log-level.ts'),
  ]);
  if (!isWanted('warning', logLevel)) return;
  const isSelected = include.length + exclude.length > 0;
  const listed = isSelected ? new Set(project.catalog.items('tools').map(({ name }) => name)) : undefined;
  for (const words of missing(project, bindings, (name) => listed?.has(name) ?? true))
    tell(`warning: ${words}`);
}

/** Data that is missing or broken is found before there is a client, and so is code. */
async function openProject(
  definition: ServerDefinition,
  settings: Settings,
  { host, tell, report, watch }: Surroundings,
  predecessor: Project | undefined,
  audit: Audit | undefined,
): Promise<Project> {
  const { generated, handlers = {}, functions } = definition;
  const catalog = new CatalogStore(readGenerated(generated, 'catalog.json'));
  await checkHandlers(handlers, catalog, definition);
  if (functions !== undefined && !settings.mock)
    await (await import('./load-functions.ts')).loadFunctions(functions);
  const project = createProject({
    definition,
    catalog,
    readBindings: () => readGenerated(generated, 'bindings.json'),
    env: host.env,
    limits: DEFAULT_LIMITS,
    upstreamLimits: settings.upstreamLimits,
    baseUrl: settings.baseUrl,
    filesRoot: settings.filesRoot,
    readMock: settings.mock ? () => readGenerated(generated, 'mock.json') : undefined,
    pageSize: settings.pageSize,
    report,
    audit,
    isReplaceable: watch !== undefined,
    ...(predecessor === undefined ? {} : { bus: predecessor.bus, state: predecessor.state }),
  });
  if (settings.include.length + settings.exclude.length > 0) {
    const { selectItems } = await import('./selection.ts');
    for (const words of selectItems(catalog, await project.bindings(), settings)) tell(`warning: ${words}`);
  }
  return project;
}

function readGenerated(folder: URL, name: 'catalog.json' | 'bindings.json' | 'mock.json'): string {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`The server's data can't be read, so there is nothing to serve. ${reason}`, {
      cause: thrown,
    });
  }
}

/** Resolves when the process is asked to stop. Asked a second time, it stops at once. */
async function stopRequest(host: NodeJS.Process): Promise<void> {
  await new Promise<void>((resolve) => {
    let isAsked = false;
    const ask = (): void => {
      if (isAsked) host.exit(0);
      isAsked = true;
      resolve();
    };
    host.on('SIGTERM', ask).on('SIGINT', ask);
  });
}
