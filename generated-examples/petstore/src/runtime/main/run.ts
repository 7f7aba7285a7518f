/**
 * Starts a server from its definition, the command line and the environment. On the way to a first answer: what a
 * plain start over stdio doesn't need is loaded when it is needed, since each module costs a start some time.
 */
import { existsSync } from 'node:fs';
import type { Bindings } from '../bindings.ts';
import type { AuthDefinition, ServerDefinition } from '../definition.ts';
import { LineWriter } from '../transports/line-writer.ts';
import type { EnvironmentVariable } from './environment-variable.ts';
import type { FlagValues } from './flags.ts';
import { readGenerated } from './generated-data.ts';
import { serve } from './serve.ts';
import { UsageError } from './settings.ts';
import { stackOf } from './stack-of.ts';
import type { Watch } from './surroundings.ts';

/** Read in the working folder, as Node reads such files. The real environment wins. */
const ENV_FILE = '.env';

/** Imports the definition of the server, and with it the user's own code. */
export type LoadServer = () => Promise<{ server: ServerDefinition }>;

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
