/**
 * Starts a server from its definition, the command line and the environment. On the way to a first answer: what a
 * plain start over stdio doesn't need is loaded when it is needed, since each module costs a start some time.
 */
import { existsSync, readFileSync } from 'node:fs';
import { CatalogStore } from '../core/catalog-store.ts';
import { createProject, type Project } from '../core/project.ts';
import type { ServerDefinition } from '../definition.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { isRecord } from '../protocol/json-rpc.ts';
import type { FlagValues } from './flags.ts';
import { type Environment, readSettings, type Settings, UsageError } from './settings.ts';
import { startStdio } from './start-stdio.ts';

/** Read in the working folder. */
const ENV_FILE = '.env';

/**
 * Serves until the client goes (stdio) or a signal asks to stop. Never rejects.
 *
 * @returns the exit code: 0 fine, 1 the server failed, 2 the command line or the environment can't be used
 */
export async function run(server: ServerDefinition, host: NodeJS.Process): Promise<number> {
  try {
    const flags = await flagsOf(host.argv.slice(2));
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

async function flagsOf(args: readonly string[]): Promise<FlagValues> {
  return args.length === 0 ? new Map() : (await import('./flags.ts')).readFlags(args);
}

/** What is printed instead of serving. */
async function textFor(flags: FlagValues, { info }: ServerDefinition): Promise<string | undefined> {
  if (flags.has('help')) return (await import('./help.ts')).helpText(info);
  return flags.has('version') ? `${info.version}\n` : undefined;
}

async function serve(flags: FlagValues, server: ServerDefinition, host: NodeJS.Process): Promise<void> {
  const env = existsSync(ENV_FILE)
    ? (await import('./env-file.ts')).addEnvFile(host.env, ENV_FILE)
    : host.env;
  const settings = await readSettings(flags, env);
  /** For the one who can mend it; a client is never told. */
  const report = (thrown: unknown): void => {
    const words = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    host.stderr.write(`${server.info.name}: error: ${words}\n`);
  };
  // A promise that a handler forgot must not end the sessions of everyone.
  host.on('unhandledRejection', report);
  const project = await openProject(server, settings, env, report);
  const stop = stopRequest(host);
  if (settings.transport === 'stdio') return startStdio(project, settings, host, stop);
  const { startHttp } = await import('./start-http.ts');
  return startHttp(project, settings, host, stop);
}

/** Data that is missing or broken is found before there is a client. */
async function openProject(
  definition: ServerDefinition,
  settings: Settings,
  env: Environment,
  report: (thrown: unknown) => void,
): Promise<Project> {
  const { generated, handlers = {} } = definition;
  const catalog = new CatalogStore(readGenerated(generated, 'catalog.json'));
  const isOwn = !isRecord(handlers) || Object.keys(handlers).length > 0;
  if (isOwn) (await import('./check-handlers.ts')).checkHandlers(handlers, catalog);
  const project = createProject({
    definition,
    catalog,
    readBindings: () => readGenerated(generated, 'bindings.json'),
    env,
    limits: DEFAULT_LIMITS,
    baseUrl: settings.baseUrl,
    pageSize: settings.pageSize,
    report,
  });
  if (settings.include.length + settings.exclude.length > 0) {
    const { selectItems } = await import('./selection.ts');
    selectItems(project.catalog, await project.bindings(), settings);
  }
  return project;
}

function readGenerated(folder: URL, name: 'catalog.json' | 'bindings.json'): string {
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
      if (isAsked) host.exit(1);
      isAsked = true;
      resolve();
    };
    host.on('SIGTERM', ask).on('SIGINT', ask);
  });
}
