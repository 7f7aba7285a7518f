// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Starts a server: flags, `.env`, the line of the start, signals, draining. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, parseEnv } from 'node:util';
import type { Command, ServerDefinition, Transport } from './feature.ts';
import { ownMember } from './json-rpc.ts';
import { Server, type ServerOptions } from './server.ts';
import { getSetting, helpText, isForFile, parseFlags } from './settings.ts';
import { serveStdio } from './stdio.ts';
import { describeThrown } from './results.ts';
import { type Env, ToolError, UsageError } from './types.ts';

/** Timers and sockets that handlers left open may delay the exit for this time. */
const LINGER_MS = 250;

/**
 * Serves until the client disconnects (stdio) or a signal asks to stop. Never rejects.
 * @param options.home the folder of package.json, whose `.env` is read unless `--dotenv` names another
 * @returns the exit code: 0 fine, 1 the server failed, 2 the command line, the environment or the user's code can't be used
 */
export async function run(
  load: () => Promise<{ server: ServerDefinition }>,
  host: NodeJS.Process,
  {
    home,
    open = (definition, options) => new Server(definition, options),
  }: { home?: URL; open?: (definition: ServerDefinition, options: ServerOptions) => Server } = {},
): Promise<number> {
  const { stdin: input, stdout: output, stderr, env } = host;
  // A stray `console.log` would break the stream of messages.
  const write = output.write.bind(output);
  output.write = ((chunk: string, ...rest: []) => stderr.write(chunk, ...rest)) as typeof output.write;
  let name = 'mcp server';
  const tell = (text: string): void => void stderr.write(`${name}: ${text}\n`);
  const report = (thrown: unknown): void =>
    tell(`error: ${(thrown instanceof Error && thrown.stack) || describeThrown(thrown)}`);
  // Errors that handlers don't catch must not end the sessions of all clients.
  host.on('unhandledRejection', report).on('uncaughtException', report);
  for (const stream of [output, stderr]) stream.on('error', () => undefined);
  try {
    const args = host.argv.slice(2);
    readEnvFile(args, env, home, tell);
    const { server: definition } = await load();
    ({ name } = definition.info);
    const commands = Object.assign({}, ...(definition.features ?? []).map((feature) => feature.commands));
    const command = ownMember(commands as Record<string, Command>, args[0] ?? '');
    const flags = parseFlags(command === undefined ? args : args.slice(1), definition);
    if (flags['help'] === true || flags['version'] === true) {
      write(flags['help'] === true ? helpText(definition) : `${definition.info.version}\n`);
      return 0;
    }
    const server = open(definition, { env, flags, report });
    const transports: Record<string, Transport> = {
      stdio: (_, stop) => serveStdio(server, { input, output, write }, stop),
    };
    for (const feature of server.features) Object.assign(transports, feature.transports);
    const { value: transport = 'stdio' } = getSetting(flags, env, 'transport', '');
    const serve = Object.hasOwn(transports, transport) ? transports[transport] : undefined;
    if (serve === undefined)
      throw new UsageError(`--transport must be ${Object.keys(transports).join(' or ')}, not ${transport}.`);
    await server.start();
    const stop = untilSignal(host);
    try {
      if (command !== undefined) {
        await command.run(server, { write, stop });
        return 0;
      }
      tell(server.describe());
      if (transport === 'stdio' && input.isTTY)
        tell('waits for messages on stdin: clients start it themselves. --help says more.');
      await serve(server, stop, tell);
    } finally {
      await server.close();
    }
    input.destroy();
    return 0;
  } catch (thrown) {
    const { syscall, message } = (thrown ?? {}) as NodeJS.ErrnoException;
    if (thrown instanceof UsageError || thrown instanceof ToolError || syscall === 'listen') tell(message);
    else report(thrown);
    return thrown instanceof UsageError ? 2 : 1;
  } finally {
    setTimeout(() => host.exit(), LINGER_MS).unref();
  }
}

/** A second signal ends the process at once. */
function untilSignal(host: NodeJS.Process): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const receiveSignal = (): void => {
      if (isStopping) host.exit(0);
      isStopping = true;
      resolve();
    };
    host.on('SIGTERM', receiveSignal).on('SIGINT', receiveSignal);
  });
}

/** Reads variables that the environment doesn't set. The file that a flag or variable names is read instead of the project's. */
function readEnvFile(
  args: string[],
  env: NodeJS.ProcessEnv,
  home: URL | undefined,
  tell: (text: string) => void,
): void {
  // Before the code is loaded, which brings the other flags: it may read variables as it loads.
  const { dotenv } = parseArgs({ args, options: { dotenv: { type: 'string' } }, strict: false }).values;
  const path = typeof dotenv === 'string' ? dotenv : env['MCP_DOTENV'];
  const file = path ? resolve(path) : findProjectFile(home);
  if (file === undefined) return;
  let variables: Env;
  try {
    // Reading a pipe would block the start.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
    variables = parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as Env;
  } catch (cause) {
    throw new UsageError(`${file} can't be read: ${(cause as Error).message}.`, { cause });
  }
  tell(`variables are also read from ${file}`);
  for (const [variable, value = ''] of Object.entries(variables))
    if (!isForFile(variable))
      tell(`warning: ${file} can't set ${JSON.stringify(variable)}, so that is ignored.`);
    // A relative path starts at the folder of the file, since the client chooses the working folder.
    else if (!env[variable])
      env[variable] =
        /^\.{1,2}[\\/]/.test(value) && !/^API_/.test(variable) ? resolve(dirname(file), value) : value;
}

/** Only the project's own file is read: the folder that a client starts the server in may be anyone's, and so may a package below node_modules. */
function findProjectFile(home: URL | undefined): string | undefined {
  if (home === undefined) return undefined;
  const folder = realpathSync(fileURLToPath(home));
  const isProject = existsSync(join(folder, 'package.json')) && !/[\\/]node_modules(?:[\\/]|$)/i.test(folder);
  const file = join(folder, '.env');
  return isProject && existsSync(file) ? file : undefined;
}
