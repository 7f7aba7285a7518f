// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Starts a server: flags, `.env`, the line of the start, signals, draining. */
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { ServerDefinition } from './feature.ts';
import { Server } from './server.ts';
import { type Flags, helpText, isForFile, parseFlags } from './settings.ts';
import { serveStdio } from './stdio.ts';
import { type Env, UsageError } from './types.ts';

export interface RunOptions {
  /** The folder of package.json: a `.env` there is read. Default: none is, unless `--dotenv` names one. */
  home?: URL;
}

/** Timers and sockets that handlers left open may delay the exit for this time. */
const LINGER_MS = 250;

/**
 * Serves until the client disconnects (stdio) or a signal asks to stop. Never rejects.
 * @returns the exit code: 0 fine, 1 the server failed, 2 the command line, the environment or the user's code can't be used
 */
export async function run(
  load: () => Promise<{ server: ServerDefinition }>,
  host: NodeJS.Process,
  { home }: RunOptions = {},
): Promise<number> {
  const { stdout, stderr, env } = host;
  // A stray `console.log` would break the stream of messages.
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  let name = 'mcp server';
  const tell = (words: string): void => void stderr.write(`${name}: ${words}\n`);
  const report = (thrown: unknown): void =>
    tell(`error: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
  // Errors that handlers don't catch must not end the sessions of all clients.
  host.on('unhandledRejection', report).on('uncaughtException', report);
  stderr.on('error', () => undefined);
  stdout.on('error', () => undefined);
  try {
    const args = host.argv.slice(2);
    readEnvFile(args, env, home, tell);
    const { server: definition } = await load();
    ({ name } = definition.info);
    const { features = [] } = definition;
    const flags = parseFlags(args, features);
    if (flags['help'] === true || flags['version'] === true) {
      write(flags['help'] === true ? helpText(definition) : `${definition.info.version}\n`);
      return 0;
    }
    const server = new Server(definition, { env, flags, report });
    await serve(server, flags, { host, write, tell });
    return 0;
  } catch (thrown) {
    if (thrown instanceof UsageError || (thrown as NodeJS.ErrnoException).syscall === 'listen')
      tell((thrown as Error).message);
    else report(thrown);
    return thrown instanceof UsageError ? 2 : 1;
  } finally {
    setTimeout(() => host.exit(), LINGER_MS).unref();
  }
}

async function serve(
  server: Server,
  flags: Flags,
  {
    host,
    write,
    tell,
  }: { host: NodeJS.Process; write: (text: string) => boolean; tell: (words: string) => void },
): Promise<void> {
  const name = String(flags['transport'] ?? 'stdio');
  const transport = server.features.flatMap(({ transports }) => transports?.[name] ?? [])[0];
  if (transport === undefined && name !== 'stdio')
    throw new UsageError(`--transport must be ${server.transportNames.join(' or ')}, not ${name}.`);
  await server.start();
  tell(server.describe());
  const { stdin: input, stdout: output } = host;
  if (transport === undefined && input.isTTY)
    tell('waits for messages on stdin: clients start it themselves. --help says more.');
  const stop = new Promise<void>((resolve) => {
    let isAsked = false;
    const onSignal = (): void => {
      if (isAsked) host.exit(0);
      isAsked = true;
      resolve();
    };
    host.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
  try {
    if (transport === undefined) await serveStdio(server, { input, output, write }, stop);
    else await transport(server, stop, tell);
  } finally {
    await server.close();
  }
  if (transport === undefined) input.destroy();
}

/**
 * The environment wins over the file. Only the project's own file is read: the folder that a client starts the server in may be
 * anyone's, and so may a package below node_modules.
 */
function readEnvFile(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  home: URL | undefined,
  tell: (words: string) => void,
): void {
  const at = args.findIndex((arg) => arg === '--dotenv' || arg.startsWith('--dotenv='));
  const named = at === -1 ? env['MCP_DOTENV'] : (args[at]?.split('=')[1] ?? args[at + 1]);
  const file = named ? resolve(named) : findOwnFile(home);
  if (file === undefined) return;
  const refused: string[] = [];
  for (const [variable, value] of Object.entries(parseEnv(readVariables(file)) as Env)) {
    if (!isForFile(variable)) refused.push(variable);
    else if (!env[variable]) env[variable] = resolvePath(value ?? '', dirname(file));
  }
  tell(`variables are also read from ${printable(file)}`);
  if (refused.length > 0)
    tell(
      `warning: ${printable(file)} can't set ${refused.map(printable).slice(0, 20).join(', ')}, so that is ignored.`,
    );
}

function findOwnFile(home: URL | undefined): string | undefined {
  if (home === undefined) return undefined;
  const folder = fileURLToPath(home);
  const isInstalled = [folder, realpathSync(folder)].some((path) =>
    /(?:^|[\\/])node_modules(?:[\\/]|$)/i.test(path),
  );
  const file = resolve(folder, '.env');
  return !isInstalled && existsSync(file) && existsSync(resolve(folder, 'package.json')) ? file : undefined;
}

const MOST_BYTES = 256 * 1024;

/** Opens without waiting, since a pipe that nobody writes to would block the start. */
function readVariables(file: string): string {
  try {
    const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(handle);
      if (!stat.isFile()) throw new Error('it is no regular file');
      if (stat.size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
      return readFileSync(handle, 'utf8').replace(/^\uFEFF/, '');
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${printable(file)} can't be read: ${printable(reason)}.`, { cause });
  }
}

/** A value that begins as a relative path starts at the folder of the file, since the client chooses the working folder. */
function resolvePath(value: string, folder: string): string {
  return /^\.{1,2}[\\/]/.test(value) ? resolve(folder, value) : value;
}

/** Control characters in a path could move the cursor of a terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '\uFFFD');
}
