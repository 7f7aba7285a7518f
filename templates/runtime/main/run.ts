/** Starts a server from its definition, the command line and the environment. */
import { createProject, type Project } from '../core/project.ts';
import type { ServerDefinition } from '../definition.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { readEnvironment } from './environment.ts';
import { type FlagValues, readFlags, UsageError } from './flags.ts';
import { readGenerated } from './generated-data.ts';
import { createLog, describe, type Log } from './log.ts';
import { type Environment, readSettings, type Settings } from './settings.ts';
import { startStdio } from './start-stdio.ts';

/**
 * Serves until the client goes (stdio) or a signal asks to stop. Never rejects.
 *
 * @returns the exit code: 0 fine, 1 the server failed, 2 the command line or the environment can't be used
 */
export async function run(server: ServerDefinition, host: NodeJS.Process): Promise<number> {
  try {
    const flags = await readFlags(host.argv.slice(2));
    const text = await textFor(flags, server);
    if (text === undefined) await serve(flags, server, host);
    else host.stdout.write(text);
    return 0;
  } catch (thrown) {
    const words = thrown instanceof Error ? thrown.message : String(thrown);
    host.stderr.write(`${server.info.name}: ${words}\n`);
    return thrown instanceof UsageError ? 2 : 1;
  }
}

/** What is printed instead of serving. */
async function textFor(flags: FlagValues, { info }: ServerDefinition): Promise<string | undefined> {
  if (flags.has('help')) return (await import('./help.ts')).helpText(info);
  return flags.has('version') ? `${info.version}\n` : undefined;
}

async function serve(flags: FlagValues, server: ServerDefinition, host: NodeJS.Process): Promise<void> {
  const { name } = server.info;
  const warn = (text: string) => void host.stderr.write(`${name}: warning: ${text}\n`);
  const env = readEnvironment(host.env, '.env', warn);
  const settings = readSettings(flags, env);
  const log = createLog(name, settings.logLevel, host.stderr);
  // A promise that a handler forgot must not end the sessions of everyone.
  host.on('unhandledRejection', (reason) => log('error', describe(reason)));
  const project = await openProject(server, settings, env, log);
  if (settings.transport === 'stdio') return startStdio(project, settings, host);
  const { startHttp } = await import('./start-http.ts');
  return startHttp(project, settings, host, log);
}

/** Data that is missing or broken is found before there is a client. */
async function openProject(
  definition: ServerDefinition,
  settings: Settings,
  env: Environment,
  log: Log,
): Promise<Project> {
  const { generated } = definition;
  const project = createProject({
    definition,
    catalog: readGenerated(generated, 'catalog.json'),
    readBindings: () => readGenerated(generated, 'bindings.json'),
    env,
    limits: DEFAULT_LIMITS,
    baseUrl: settings.baseUrl,
    pageSize: settings.pageSize,
    report: (thrown) => log('error', describe(thrown)),
  });
  if (settings.include.length + settings.exclude.length > 0) {
    const { selectItems } = await import('./selection.ts');
    selectItems(project.catalog, await project.bindings(), settings);
  }
  return project;
}
