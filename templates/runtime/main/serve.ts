// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Serves a definition until the client disconnects or a signal asks to stop. */
import type { OpenAudit } from '../core/call.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { Ending, ServerDefinition } from '../definition.ts';
import type { FlagValues } from './flags.ts';
import { openProject } from './open-project.ts';
import type { ProcessContext } from './process-context.ts';
import { readSettings, type Settings, UsageError } from './settings.ts';
import { startStdio } from './start-stdio.ts';
import { warnOperator } from './start-warnings.ts';

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
    const { checkVariables } = await import('./present-features.ts');
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
