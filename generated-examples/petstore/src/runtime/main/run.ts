// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Starts a server. Code that a plain start over stdio doesn't need is loaded later: each module delays the first answer. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

import type { OpenAudit } from '../core/call.ts';
import { createCore } from '../core/core.ts';
import { type LiveServer, type ServerInstance, closeFunctions, stopServer } from '../core/server-instance.ts';
import { Session } from '../core/session.ts';
import { RateLimiter } from '../core/shared-state.ts';
import type { Ending, ServerDefinition } from '../definition.ts';
import type { FeatureLoaders } from '../feature-loaders.ts';
import { LineWriter, serveStdio } from '../transports/stdio.ts';
import type { FlagValues, checkFeatureVariables } from './command-line.ts';
import {
  type JsonLog,
  type OpenContext,
  type OpenedState,
  type ProcessContext,
  type Watch,
  redirectStderrToJson,
  openProject,
  formatStack,
} from './open-project.ts';
import {
  type Environment,
  type MainFeatures,
  type Settings,
  parseChoice,
  getSetting,
  parseSettings,
} from './settings.ts';
import { UsageError } from '../contract/feature.ts';

const ENV_FILE = '.env';

export type LoadServer = () => Promise<{ server: ServerDefinition }>;

/** Timers and sockets that handlers left open may delay the exit for this time. */
const LINGER_MS = 250;

export interface RunOptions {
  /** The folder of package.json: a `.env` there is read. Default: none, unless `--dotenv` names one. */
  home?: URL;
  watch?: Watch;
}

/**
 * Serves until the client disconnects (stdio) or a signal asks to stop. Never rejects.
 * @returns the exit code: 0 fine, 1 the server failed, 2 the command line, the environment or the user's code can't be used
 */
export async function run(
  load: LoadServer,
  host: NodeJS.Process,
  { home, watch }: RunOptions = {},
): Promise<number> {
  const writer = new LineWriter(host.stdout);
  // The user's code may print, and read variables, while it loads.
  writer.divertOtherWrites(host.stderr);
  let name = 'mcp server';
  const tell = (words: string): void => void host.stderr.write(`${name}: ${words}\n`);
  const report = (thrown: unknown): void => tell(`error: ${formatStack(thrown)}`);
  logUncaughtErrors(host, report);
  const args = host.argv.slice(2);
  let jsonLog: JsonLog | undefined;
  let server: ServerDefinition | undefined;
  let isUnread = false;
  /** Waits for the server's name. */
  const early: string[] = [];
  const tellUnread = async (): Promise<void> => {
    if (!isUnread) return;
    isUnread = false;
    const [{ readFeatures }, envFile] = await Promise.all([
      import('./command-line.ts'),
      import('./env-file.ts'),
    ]);
    envFile.warnOfUnreadEnvFile(server && readFeatures(server), tell);
  };
  try {
    isUnread = await loadEnvFile(args, host.env, home, (words) => void early.push(words));
    if (isJsonLogWanted(args, host.env)) jsonLog = redirectStderrToJson(host, () => name);
    server = await loadDefinition(load);
    name = server.info.name;
    early.splice(0).forEach(tell);
    const flags: FlagValues =
      args.length === 0 ? new Map() : (await import('./command-line.ts')).parseFlags(args, server);
    if (flags.has('help')) void writer.write((await import('./command-line.ts')).helpText(server));
    else if (flags.has('version')) void writer.write(server.info.version);
    else {
      await serveTransport(flags, server, { host, writer, tell, report, watch, tellUnread, jsonLog });
      await tellUnread();
    }
    return 0;
  } catch (thrown) {
    early.forEach(tell);
    const words = thrown instanceof Error ? thrown.message : String(thrown);
    tell(jsonLog === undefined ? words : `error: ${words}`);
    // The settings that are missing may be in that file.
    await tellUnread().catch(report);
    return thrown instanceof UsageError ? 2 : 1;
  } finally {
    setTimeout(() => host.exit(), LINGER_MS).unref();
  }
}

/**
 * Reads the file of variables, if there is one.
 * @returns whether the working folder has another, which is not read: clients start servers in folders that others wrote
 */
async function loadEnvFile(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  home: URL | undefined,
  tell: (words: string) => void,
): Promise<boolean> {
  const isGiven = args.some((each) => each.startsWith('--dotenv'));
  const isNamed = isGiven || Boolean(env['MCP_DOTENV']);
  const isBeside = home !== undefined && existsSync(new URL(ENV_FILE, home));
  const isHere = !isNamed && existsSync(ENV_FILE);
  if (!isNamed && !isBeside) return isHere;
  const { applyEnvFile, hasUnreadEnvFile } = await import('./env-file.ts');
  const read = applyEnvFile(env, findFlag(args, 'dotenv'), home, tell);
  return isHere && hasUnreadEnvFile(read);
}

/** Finds a flag that is needed before the server, and so its other flags, are known. */
function findFlag(args: readonly string[], name: string): FlagValues {
  const [flag, start] = [`--${name}`, `--${name}=`];
  const [at = -1, ...others] = args.flatMap((each, index) =>
    each === flag || each.startsWith(start) ? [index] : [],
  );
  const value = args[at] === flag ? args[at + 1] : args[at]?.slice(start.length);
  return new Map(value === undefined || others.length > 0 ? [] : [[name, [value]]]);
}

export function isJsonLogWanted(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const [name, format = 'text'] = getSetting(
    findFlag(args, 'log-format'),
    env,
    'log-format',
    'MCP_LOG_FORMAT',
  );
  return parseChoice(name, format, ['text', 'json']) === 'json';
}

/** Errors that the user's code doesn't catch must not end the sessions of all clients. */
function logUncaughtErrors(host: NodeJS.Process, report: (thrown: unknown) => void): void {
  host.on('unhandledRejection', report).on('uncaughtException', report);
  host.stderr.on('error', () => undefined);
}

async function loadDefinition(load: LoadServer): Promise<ServerDefinition> {
  try {
    return (await load()).server;
  } catch (thrown) {
    if (thrown instanceof SyntaxError && thrown.message.includes("export named 'handlers'"))
      throw new UsageError(
        'src/handlers/index.ts must export `handlers`: `export const handlers = {};` at least.',
      );
    const words = `The server's code can't be loaded, so there is nothing to serve. ${formatStack(thrown)}`;
    throw new Error(words, { cause: thrown });
  }
}

const FEATURE_VARIABLE = /^(?:MCP_|https?_proxy$|OTEL_EXPORTER_OTLP_)/i;

export async function serveTransport(
  flags: FlagValues,
  definition: ServerDefinition,
  context: ProcessContext,
): Promise<void> {
  const { host, writer, tell, report, watch, tellUnread } = context;
  const { settings, instance, opened } = await openServer(flags, definition, context);
  let end: Ending | undefined;
  const openNext = async (next: ServerDefinition, predecessor: ServerInstance): Promise<ServerInstance> => {
    const successor = await openProject(next, settings, context, predecessor, opened?.audit);
    await successor.loadModules?.();
    const nextEnd = await startUserCode(successor);
    await end?.();
    end = nextEnd;
    return successor;
  };
  const live = { current: instance };
  await opened?.start?.(live);
  if (settings.mock)
    tell('No API and no function is called (--mock): answers are made up from examples and schemas.');
  const stop = waitForSignal(host);
  end = await startUserCode(instance);
  watch?.(live, openNext);
  const started = (): void => {
    void tellUnread().catch(report);
    void warnOperator(instance, settings, tell).catch(report);
  };
  try {
    const http =
      settings.transport === 'http' ? await (instance.features as MainFeatures).http?.() : undefined;
    if (http === undefined) await startStdio(live, settings, { host, writer, started }, stop);
    else await http.startHttp(live, settings, host, stop, started);
  } finally {
    await end?.();
    await closeFunctions(live.current);
    await instance.shared.close();
    await opened?.flush();
  }
}

/** Reads the settings, and makes a server that nothing serves yet. */
export async function openServer(
  flags: FlagValues,
  definition: ServerDefinition,
  context: OpenContext,
): Promise<{ settings: Settings; instance: ServerInstance; opened: OpenAudit | undefined }> {
  const { warnings, env } = await checkEnvironment(flags, context.host.env, definition);
  const settings = await parseSettings(flags, env, definition);
  for (const each of warnings) context.tell(`warning: ${each}`);
  const opened = await openAuditAndTelemetry(settings, definition, context);
  const state = await openSharedState(settings, definition, context);
  const instance = await openProject(definition, settings, context, undefined, opened?.audit, state);
  if (settings.baseUrl !== undefined) await refuseSharedBaseUrl(instance);
  // Over stdio they load when the server answers. Over HTTP a balancer would send it requests.
  if (settings.transport === 'http') await instance.loadModules?.();
  return { settings, instance, opened };
}

/** The checks are loaded only if a variable may be that of a missing feature. */
async function checkEnvironment(
  flags: FlagValues,
  env: Environment,
  definition: ServerDefinition,
): Promise<ReturnType<typeof checkFeatureVariables>> {
  const { hasApi = true } = definition;
  const mayBelongToMissingFeature = (name: string): boolean =>
    FEATURE_VARIABLE.test(name) || (!hasApi && name.startsWith('API_'));
  if (!Object.keys(env).some(mayBelongToMissingFeature)) return { warnings: [], env };
  return (await import('./command-line.ts')).checkFeatureVariables(definition, env, flags);
}

/** Opens the audit log, and around it what else watches requests. */
async function openAuditAndTelemetry(
  { audit, transport }: Settings,
  { info, features }: ServerDefinition,
  { host: { env, stderr }, tell, report, jsonLog }: OpenContext,
): Promise<OpenAudit | undefined> {
  const { audit: load, metrics, traces } = (features ?? {}) as MainFeatures;
  let opened: OpenAudit | undefined;
  if (audit !== undefined && load !== undefined)
    opened = await (await load()).openAudit(audit, info.name, { env, stderr, report });
  const options = { info, env, tell, isHttp: transport === 'http', isTracedLog: jsonLog !== undefined };
  if (metrics !== undefined) opened = await (await metrics()).openMetrics(options, opened);
  // Wraps the other observers, so that they are told the trace of each call.
  if (traces !== undefined) opened = await (await traces()).openTraces(options, opened);
  if (jsonLog !== undefined) jsonLog.trace = opened?.audit.trace;
  return opened;
}

interface StateFeatures extends FeatureLoaders {
  redis?: () => Promise<RedisFeature>;
}

interface RedisFeature {
  openRedis(
    env: NodeJS.ProcessEnv,
    server: string,
    tell: (words: string) => void,
  ): Promise<OpenedState | undefined>;
}

/** Over stdio a process has one client, with whom nobody shares it. */
async function openSharedState(
  { transport }: Settings,
  { info, features }: ServerDefinition,
  { host: { env }, tell }: OpenContext,
): Promise<OpenedState | undefined> {
  if (transport !== 'http' || !(env['MCP_REDIS_URL'] || env['MCP_NODES'])) return undefined;
  const { redis } = (features ?? {}) as StateFeatures;
  return (await redis?.())?.openRedis(env, info.name, tell);
}

/** One base URL would send the requests for one API to all of them. */
async function refuseSharedBaseUrl(server: ServerInstance): Promise<void> {
  const bindings = await server.bindings();
  const { apiSettings } = server.features as MainFeatures;
  if (bindings.upstreams === undefined || apiSettings === undefined) return;
  const names = (await apiSettings()).listBaseUrlVariableNames(bindings).join(', ');
  throw new UsageError(
    `--base-url and API_BASE_URL go with one API, and this server has several. Set ${names} in the environment instead.`,
  );
}

export async function startUserCode(server: ServerInstance): Promise<Ending | undefined> {
  if (!server.tellsUpdates) return undefined;
  await server.loadModules?.();
  return (await import('./own-code.ts')).startOwnCode(server);
}

/** Resolves at the first signal; the second one ends the process at once. */
async function waitForSignal(host: NodeJS.Process): Promise<void> {
  await new Promise<void>((resolve) => {
    let isAsked = false;
    const handleSignal = (): void => {
      if (isAsked) host.exit(0);
      isAsked = true;
      resolve();
    };
    host.on('SIGTERM', handleSignal).on('SIGINT', handleSignal);
  });
}

/** Warnings wait this long after the first message, so that they don't delay the first answers. */
const STARTED_AFTER_MS = 1_000;

/** Loading functions keeps the server from answering, so it begins when a client has had time to ask for the lists. */
const LOAD_AFTER_MS = 100;

/** Loads modules ahead of the first call, and resolves only if loading fails. */
async function loadModulesInBackground({ loadModules }: ServerInstance): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(() => void loadModules?.().catch(() => resolve()), LOAD_AFTER_MS).unref();
  });
}

interface StdioEnds {
  host: NodeJS.Process;
  writer: LineWriter;
  started: () => void;
}

async function startStdio(
  live: LiveServer,
  { guards, logLevel }: Settings,
  { host, writer, started }: StdioEnds,
  stop: Promise<void>,
): Promise<void> {
  const { stdin: input, stderr } = host;
  const server = live.current;
  const { name } = server.info;
  if (input.isTTY) {
    stderr.write(
      `${name}: an MCP server, waiting for messages on stdin: clients start it themselves. ` +
        '--transport http serves over HTTP, --help says more.\n',
    );
  }
  const { callsPerMinute = Infinity } = guards.limits;
  const limiter = callsPerMinute === Infinity ? undefined : new RateLimiter(callsPerMinute);
  const session = new Session(logLevel, limiter);
  let isStopped = false;
  void stop.then(() => (isStopped = true));
  // Listening makes the input flow, so `serveStdio` must listen in the same turn.
  input.once('data', () => setTimeout(started, STARTED_AFTER_MS).unref());
  await serveStdio({
    core: createCore(live),
    session,
    input,
    writer,
    limits: server.limits,
    stop: Promise.race([stop, loadModulesInBackground(server)]),
    finish: () => stopServer(server),
  });
  input.destroy();
  // A client that left early is no reason to hide that a module can't be loaded.
  if (!isStopped) await Promise.race([stop, server.loadModules?.()]);
}

export async function warnOperator(
  server: ServerInstance,
  settings: Settings,
  tell: (words: string) => void,
): Promise<void> {
  const warnings = [
    ...(await listInsecureSettings(settings, server.features)),
    ...(await listMissingSettings(server, settings)),
  ];
  if (warnings.length === 0) return;
  const { isSevereEnough: isWanted } = await import('../core/call-context.ts');
  if (isWanted('warning', settings.logLevel)) for (const each of warnings) tell(`warning: ${each}`);
}

export async function listInsecureSettings(settings: Settings, features: FeatureLoaders): Promise<string[]> {
  const { filesRoot, http } = settings;
  const isWholeDisk = filesRoot !== undefined && dirname(filesRoot) === filesRoot;
  const words =
    `--files is ${filesRoot}: calls may send every file that this process can read, keys and tokens among them. ` +
    'Name a folder that holds nothing else.';
  return [
    ...(isWholeDisk ? [words] : []),
    ...((http && (await (features as MainFeatures).http?.())?.insecureHttpSettings(settings)) ?? []),
  ];
}

async function listMissingSettings(server: ServerInstance, { guards, mock }: Settings): Promise<string[]> {
  if (mock) return [];
  const bindings = await server.bindings();
  if (bindings.upstream === undefined && bindings.upstreams === undefined) return [];
  const api = await (server.features as MainFeatures).apiSettings?.();
  const listed = guards.selectors.length > 0 ? new Set(server.catalog.keys('tools')) : undefined;
  return api?.describeMissingSettings(server, bindings, (name) => listed?.has(name) ?? true) ?? [];
}
