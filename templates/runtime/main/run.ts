/**
 * Starts a server from its definition, the command line and the environment. On the way to a first answer: what a
 * plain start over stdio doesn't need is loaded when it is needed, since each module costs a start some time.
 */
import { existsSync } from 'node:fs';
import type { Bindings } from '../contract/bindings.ts';
import type { ServerDefinition } from '../definition.ts';
import { LineWriter } from '../transports/stdio.ts';
import type { EnvironmentVariable } from '../contract/environment-variable.ts';
import type { FlagValues } from './flags.ts';
import { readGenerated } from './generated-data.ts';
import { serve } from './serve.ts';
import { UsageError } from './settings.ts';
import { stackOf } from './stack-of.ts';
import type { Watch } from './process-context.ts';

const ENV_FILE = '.env';

/** Imports the definition of the server, and with it the user's own code. */
export type LoadServer = () => Promise<{ server: ServerDefinition }>;

/** How long what a handler left behind, such as a timer, may keep the process when there is nothing more to do. */
const LINGER_MS = 250;

export interface RunOptions {
  /** The project's own folder, where package.json is: a `.env` there is read. Default: none is, unless `--dotenv` names one. */
  home?: URL;
  /** Another definition may take the place of the first while there are clients. */
  watch?: Watch;
}

/**
 * Serves until the client goes (stdio) or a signal asks to stop. Never rejects.
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
  // Before the user's own code is there: it may print as it loads.
  writer.divert(host.stderr);
  let name = 'mcp server';
  const tell = (words: string): void => void host.stderr.write(`${name}: ${words}\n`);
  /** For the one who can mend it; a client is never told. */
  const report = (thrown: unknown): void => tell(`error: ${stackOf(thrown)}`);
  outlive(host, report);
  const args = host.argv.slice(2);
  let server: ServerDefinition | undefined;
  let isUnread = false;
  const tellUnread = async (): Promise<void> => {
    if (!isUnread) return;
    isUnread = false;
    (await import('./env-file.ts')).tellUnread(await variablesOf(server), tell);
  };
  try {
    // Before the user's own code too: it may look for a variable as it loads.
    isUnread = await readEnvironment(args, host.env, home, tell);
    server = await definitionOf(load);
    name = server.info.name;
    const flags = await flagsOf(args, server);
    const text = await textFor(flags, server);
    if (text === undefined) {
      await serve(flags, server, { host, writer, tell, report, watch, tellUnread });
      // A client may have gone too soon for it.
      await tellUnread();
    } else void writer.write(text);
    return 0;
  } catch (thrown) {
    tell(thrown instanceof Error ? thrown.message : String(thrown));
    // The settings that are missing may stand in that file.
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
  const read = readEnvFile(env, { given: envFileFlag(args), home }, tell);
  return isHere && isAnother(read);
}

/** The value of `--dotenv`, which counts before the server is there that knows its flags. */
function envFileFlag(args: readonly string[]): string | undefined {
  const [at = -1, ...others] = args.flatMap((each, index) => (/^--dotenv(?:=|$)/.test(each) ? [index] : []));
  if (others.length > 0) return undefined;
  return args[at] === '--dotenv' ? args[at + 1] : args[at]?.slice('--dotenv='.length);
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
  if (args.length === 0) return new Map();
  const [{ readFlags }, { readFeatures }] = await Promise.all([
    import('./flags.ts'),
    import('./present-features.ts'),
  ]);
  return readFlags(args, readFeatures(server));
}

/** What is printed instead of serving. */
async function textFor(flags: FlagValues, server: ServerDefinition): Promise<string | undefined> {
  const { info } = server;
  if (!flags.has('help')) return flags.has('version') ? info.version : undefined;
  const [{ helpText }, { readFeatures }] = await Promise.all([
    import('./help.ts'),
    import('./present-features.ts'),
  ]);
  return helpText(info, { features: readFeatures(server), variables: await variablesOf(server) });
}

/** Every variable that the server reads. */
async function variablesOf(server: ServerDefinition | undefined): Promise<EnvironmentVariable[]> {
  if (server === undefined) return [];
  const { generated, features } = server;
  const bindings: Bindings = JSON.parse(readGenerated(generated, 'bindings.json'));
  const [ofApi, { variablesFor }, { readFeatures }] = await Promise.all([
    features?.apiSettings?.(),
    import('./server-variables.ts'),
    import('./present-features.ts'),
  ]);
  return [...(ofApi?.apiVariables(bindings) ?? []), ...variablesFor(readFeatures(server))];
}
