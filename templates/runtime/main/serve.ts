/** Serves a definition until the client goes or a signal asks to stop. */
import type { OpenAudit } from '../core/call.ts';
import type { LiveServer, ServerInstance } from '../core/server-instance.ts';
import type { Ending, ServerDefinition } from '../definition.ts';
import type { FlagValues } from './flags.ts';
import { openProject } from './open-project.ts';
import { type Environment, readSettings, type Settings, UsageError } from './settings.ts';
import { startStdio, type StdioEnds } from './start-stdio.ts';
import { tellMissing, tellWeakened } from './start-warnings.ts';
import type { ProcessContext } from './process-context.ts';

const MOCKING = 'No API and no function is called (--mock): answers are made up from examples and schemas.';

export async function serve(
  flags: FlagValues,
  server: ServerDefinition,
  surroundings: ProcessContext,
): Promise<void> {
  const { host, writer, tell, report, watch, tellUnread } = surroundings;
  const settings = await readSettings(flags, host.env, server);
  const ignored = await ignoredVariables(server, host.env, settings);
  if (ignored !== undefined) tell(`warning: ${ignored}`);
  const opened = await openAudit(settings, server, surroundings);
  const instance = await openProject(server, settings, surroundings, undefined, opened?.audit);
  if (settings.baseUrl !== undefined) await refuseOneBaseUrl(instance);
  let end: Ending | undefined;
  const open = async (definition: ServerDefinition, predecessor: ServerInstance): Promise<ServerInstance> => {
    const next = await openProject(definition, settings, surroundings, predecessor, opened?.audit);
    const nextEnd = await startOwn(next);
    await end?.();
    end = nextEnd;
    return next;
  };
  const live = { current: instance };
  if (settings.mock) tell(MOCKING);
  const stop = stopRequest(host);
  end = await startOwn(instance);
  watch?.(live, open);
  const started = (): void => {
    void tellUnread().catch(report);
    void tellWeakened(settings, instance, tell).catch(report);
    void tellMissing(instance, settings, tell).catch(report);
  };
  try {
    await transport(live, settings, { host, writer, started }, stop);
  } finally {
    await end?.();
    await opened?.flush();
  }
}

/** Variables of any feature begin so, or are those of proxies. */
const MAY_BELONG = /^(?:MCP_|https?_proxy$)/i;

/** @throws {UsageError} if a set variable belongs to a feature that the server lacks, and concerns safety or state */
async function ignoredVariables(
  server: ServerDefinition,
  env: Environment,
  { transport }: Settings,
): Promise<string | undefined> {
  if (!Object.keys(env).some((name) => MAY_BELONG.test(name))) return undefined;
  return (await import('./present-features.ts')).checkVariables(server, env, transport);
}

/** Undefined: no calls are written down. */
async function openAudit(
  { audit }: Settings,
  { info, features }: ServerDefinition,
  { host: { env, stderr }, report }: ProcessContext,
): Promise<OpenAudit | undefined> {
  if (audit === undefined || features?.audit === undefined) return undefined;
  return (await features.audit()).openAudit(audit, info.name, { env, stderr, report });
}

/** It would send what is meant for one API to all of them. */
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

async function transport(
  live: LiveServer,
  settings: Settings,
  { host, writer, started }: StdioEnds,
  stop: Promise<void>,
): Promise<void> {
  const { http } = live.current.features;
  if (settings.transport === 'http' && http !== undefined)
    return (await http()).startHttp(live, settings, host, stop, started);
  return startStdio(live, settings, { host, writer, started }, stop);
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
