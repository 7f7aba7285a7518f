// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Serves a definition until the client disconnects or a signal asks to stop. */
import { dirname } from 'node:path';

import type { OpenAudit } from '../core/call.ts';
import { createCore } from '../core/core.ts';
import { type LiveServer, type ServerInstance, stopServer } from '../core/server-instance.ts';
import { Session } from '../core/session.ts';
import type { Ending, ServerDefinition } from '../definition.ts';
import type { FeatureLoaders } from '../feature-loaders.ts';
import { type LineWriter, serveStdio } from '../transports/stdio.ts';
import type { FlagValues } from './command-line.ts';
import { openProject } from './open-project.ts';
import type { ProcessContext } from './process-context.ts';
import { type Settings, UsageError, readSettings } from './settings.ts';

/** Variables of features begin with MCP_, or are those of proxies. */
const FEATURE_VARIABLE = /^(?:MCP_|https?_proxy$)/i;

export async function serve(
  flags: FlagValues,
  definition: ServerDefinition,
  context: ProcessContext,
): Promise<void> {
  const { host, writer, tell, report, watch, tellUnread } = context;
  const settings = await readSettings(flags, host.env, definition);
  if (Object.keys(host.env).some((name) => FEATURE_VARIABLE.test(name))) {
    const { checkVariables } = await import('./command-line.ts');
    const ignored = checkVariables(definition, host.env, settings.transport);
    if (ignored !== undefined) tell(`warning: ${ignored}`);
  }
  const opened = await openAudit(settings, definition, context);
  const instance = await openProject(definition, settings, context, undefined, opened?.audit);
  if (settings.baseUrl !== undefined) await refuseOneBaseUrl(instance);
  let end: Ending | undefined;
  const open = async (next: ServerDefinition, predecessor: ServerInstance): Promise<ServerInstance> => {
    const successor = await openProject(next, settings, context, predecessor, opened?.audit);
    const nextEnd = await startOwn(successor);
    await end?.();
    end = nextEnd;
    return successor;
  };
  const live = { current: instance };
  if (settings.mock)
    tell('No API and no function is called (--mock): answers are made up from examples and schemas.');
  const stop = waitForSignal(host);
  end = await startOwn(instance);
  watch?.(live, open);
  const started = (): void => {
    void tellUnread().catch(report);
    void warnOperator(instance, settings, tell).catch(report);
  };
  try {
    const http = settings.transport === 'http' ? await instance.features.http?.() : undefined;
    if (http === undefined) await startStdio(live, settings, { host, writer, started }, stop);
    else await http.startHttp(live, settings, host, stop, started);
  } finally {
    await end?.();
    await opened?.flush();
  }
}

async function openAudit(
  { audit }: Settings,
  { info, features }: ServerDefinition,
  { host: { env, stderr }, report }: ProcessContext,
): Promise<OpenAudit | undefined> {
  if (audit === undefined || features?.audit === undefined) return undefined;
  return (await features.audit()).openAudit(audit, info.name, { env, stderr, report });
}

/** One base URL would send the requests for one API to all of them. */
async function refuseOneBaseUrl(server: ServerInstance): Promise<void> {
  const bindings = await server.bindings();
  const { apiSettings } = server.features;
  if (bindings.upstreams === undefined || apiSettings === undefined) return;
  const names = (await apiSettings()).baseUrlVariables(bindings).join(', ');
  throw new UsageError(
    `--base-url and API_BASE_URL go with one API, and this server has several. Set ${names} in the environment instead.`,
  );
}

async function startOwn(server: ServerInstance): Promise<Ending | undefined> {
  return server.tellsUpdates ? (await import('./start-own-code.ts')).startOwnCode(server) : undefined;
}

/** Resolves at the first signal; the second one ends the process at once. */
async function waitForSignal(host: NodeJS.Process): Promise<void> {
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

/** Warnings wait this long after the first message, so that they don't delay the first answers. */
const STARTED_AFTER_MS = 1_000;

interface StdioEnds {
  host: NodeJS.Process;
  writer: LineWriter;
  /** Called once after the first answers, unless the client disconnects before. */
  started: () => void;
}

/** Serves one client on stdin and `writer`, which is stdout, until it disconnects. */
async function startStdio(
  live: LiveServer,
  { rateLimit, logLevel }: Settings,
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
  const limited = typeof rateLimit === 'number' ? await import('../core/rate-limiter.ts') : undefined;
  const session = new Session(logLevel, limited && new limited.RateLimiter(Number(rateLimit)));
  // Listening makes the input flow, so `serveStdio` must listen in the same turn.
  input.once('data', () => setTimeout(started, STARTED_AFTER_MS).unref());
  await serveStdio({
    core: createCore(live),
    session,
    input,
    writer,
    limits: server.limits,
    stop,
    finish: () => stopServer(server),
  });
  input.destroy();
}

/** Warnings at the start of a server, for its operator, who reads stderr. */

async function warnOperator(
  server: ServerInstance,
  settings: Settings,
  tell: (words: string) => void,
): Promise<void> {
  const warnings = [
    ...(await insecureSettings(settings, server.features)),
    ...(await missingSettings(server, settings)),
  ];
  if (warnings.length === 0) return;
  const { isWanted } = await import('../core/call-context.ts');
  if (isWanted('warning', settings.logLevel)) for (const each of warnings) tell(`warning: ${each}`);
}

/** Warns about settings that weaken the server's protection. */
export async function insecureSettings(settings: Settings, features: FeatureLoaders): Promise<string[]> {
  const { filesRoot, http } = settings;
  const words =
    `--files is ${filesRoot}: calls may send every file that this process can read, keys and tokens among them. ` +
    'Name a folder that holds nothing else.';
  return [
    ...(filesRoot !== undefined && dirname(filesRoot) === filesRoot ? [words] : []),
    ...((http && (await features.http?.())?.insecureHttpSettings(settings)) ?? []),
  ];
}

/** Warns about settings without which tools can't be called. */
async function missingSettings(
  server: ServerInstance,
  { include, exclude, mock }: Settings,
): Promise<string[]> {
  if (mock) return [];
  const bindings = await server.bindings();
  if (bindings.upstream === undefined && bindings.upstreams === undefined) return [];
  const api = await server.features.apiSettings?.();
  const isSelected = include.length + exclude.length > 0;
  const listed = isSelected ? new Set(server.catalog.items('tools').map(({ name }) => name)) : undefined;
  return api?.missing(server, bindings, (name) => listed?.has(name) ?? true) ?? [];
}
