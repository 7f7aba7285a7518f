// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Starts a server from its definition, the command line and the environment. Code that a plain start over stdio doesn't
 * need is loaded later, since each module delays the first answer.
 */
import { existsSync } from 'node:fs';
import type { ServerDefinition } from '../definition.ts';
import { LineWriter } from '../transports/stdio.ts';
import type { FlagValues } from './command-line.ts';
import { readStack, type Watch } from './process-context.ts';
import { serve } from './serve.ts';
import { UsageError } from './settings.ts';

const ENV_FILE = '.env';

/** Imports the definition of the server, and with it the user's own code. */
export type LoadServer = () => Promise<{ server: ServerDefinition }>;

/** Timers and sockets that handlers left open may delay the exit for this time. */
const LINGER_MS = 250;

export interface RunOptions {
  /** The project's own folder, where package.json is: a `.env` there is read. Default: none is, unless `--dotenv` names one. */
  home?: URL;
  /** Another definition may take the place of the first while there are clients. */
  watch?: Watch;
}

/**
 * Serves until the client disconnects (stdio) or a signal asks to stop. Never rejects.
 *
 * @returns the exit code: 0 fine, 1 the server failed, 2 the command line, the environment or the user's own code
 *   can't be used
 */
export async function run(
  load: LoadServer,
  host: NodeJS.Process,
  { home, watch }: RunOptions = {},
): Promise<number> {
  const writer = new LineWriter(host.stdout);
  // The user's own code may print while it loads.
  writer.divert(host.stderr);
  let name = 'mcp server';
  const tell = (words: string): void => void host.stderr.write(`${name}: ${words}\n`);
  const report = (thrown: unknown): void => tell(`error: ${readStack(thrown)}`);
  surviveErrors(host, report);
  const args = host.argv.slice(2);
  let server: ServerDefinition | undefined;
  let isUnread = false;
  const tellUnread = async (): Promise<void> => {
    if (!isUnread) return;
    isUnread = false;
    const [{ listVariables }, envFile] = await Promise.all([
      import('./command-line.ts'),
      import('./env-file.ts'),
    ]);
    envFile.tellUnread(server === undefined ? [] : await listVariables(server), tell);
  };
  try {
    // The user's own code may read variables while it loads.
    isUnread = await readEnvironment(args, host.env, home, tell);
    server = await loadDefinition(load);
    name = server.info.name;
    const flags: FlagValues =
      args.length === 0 ? new Map() : (await import('./command-line.ts')).readFlags(args, server);
    if (flags.has('help')) void writer.write(await (await import('./command-line.ts')).helpText(server));
    else if (flags.has('version')) void writer.write(server.info.version);
    else {
      await serve(flags, server, { host, writer, tell, report, watch, tellUnread });
      // The client may have disconnected before the warning was due.
      await tellUnread();
    }
    return 0;
  } catch (thrown) {
    tell(thrown instanceof Error ? thrown.message : String(thrown));
    // The settings that are missing may be in that file.
    await tellUnread().catch(report);
    return thrown instanceof UsageError ? 2 : 1;
  } finally {
    setTimeout(() => host.exit(), LINGER_MS).unref();
  }
}

/**
 * Reads the file of variables, if there is one.
 *
 * @returns whether the working folder has another, which is not read: clients start servers in folders that others wrote
 */
async function readEnvironment(
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
  const { readEnvFile, isAnother } = await import('./env-file.ts');
  const read = readEnvFile(env, findEnvFileFlag(args), home, tell);
  return isHere && isAnother(read);
}

/** Finds `--dotenv`: the file is read before the server, and so its other flags, are known. */
function findEnvFileFlag(args: readonly string[]): FlagValues {
  const [at = -1, ...others] = args.flatMap((each, index) => (/^--dotenv(?:=|$)/.test(each) ? [index] : []));
  const value = args[at] === '--dotenv' ? args[at + 1] : args[at]?.slice('--dotenv='.length);
  return new Map(value === undefined || others.length > 0 ? [] : [['dotenv', [value]]]);
}

/** Errors that the user's own code doesn't catch must not end the sessions of all clients. */
function surviveErrors(host: NodeJS.Process, report: (thrown: unknown) => void): void {
  host.on('unhandledRejection', report).on('uncaughtException', report);
  // The reader of stderr may have gone.
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
    const words = `The server's code can't be loaded, so there is nothing to serve. ${readStack(thrown)}`;
    throw new Error(words, { cause: thrown });
  }
}
