// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Starts a server: flags, `.env`, the line of the start, signals; and stdio, one message a line, in and out. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, parseEnv } from 'node:util';
import type { Command, ServerDefinition, Transport } from './feature.ts';
import { INVALID_REQUEST, ownMember, parseBytes, RpcError, writeJson } from './json-rpc.ts';
import { errorReply, fitMessage, Server, type ServerOptions } from './server.ts';
import { Session } from './session.ts';
import { getSetting, helpText, isForFile, LIMITS, parseFlags } from './settings.ts';
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

// stdio.

export interface Pipes {
  input: Readable;
  output: Writable;
  /** The output's own `write`: what else prints to it goes elsewhere. */
  write: (text: string) => boolean;
}

/** Serves until the input ends, nobody reads the output, or `stop` resolves. Then finishes what is in flight. */
export async function serveStdio(
  server: Server,
  { input, output, write }: Pipes,
  stop: Promise<void>,
): Promise<void> {
  const session = new Session();
  session.client = 'stdio';
  session.logLevel = server.settings.logLevel;

  // Messages of one turn of the event loop leave together, since each write wakes the client.
  let waitingLines = '';
  const flush = (): void => {
    const text = waitingLines;
    waitingLines = '';
    // A client that reads slowly slows only itself.
    if (text === '' || write(text) || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  };
  const sendLine = (text: string): void => {
    if (waitingLines === '') setImmediate(flush);
    waitingLines += `${fitMessage(text)}\n`;
  };
  session.push = (message) => sendLine(writeJson(message));
  const exchange = { session, send: session.push };

  let openMessages = 0;
  const receive = async (line: Buffer): Promise<void> => {
    openMessages++;
    try {
      const reply = await server.receive(parseBytes(line), exchange);
      if (reply !== undefined) sendLine(reply.text);
    } catch (error) {
      sendLine(errorReply(undefined, error as RpcError).text);
    }
    openMessages--;
  };

  let parts: Buffer[] = [];
  let lineBytes = 0;
  const readPart = (part: Buffer, endsLine: boolean): void => {
    lineBytes += part.length;
    const isTooLong = lineBytes > LIMITS.lineBytes;
    if (isTooLong) parts = [];
    else parts.push(part);
    if (!endsLine) return;
    const line = Buffer.concat(parts);
    if (isTooLong) {
      const reason = `The message is longer than ${LIMITS.lineBytes} bytes.`;
      sendLine(errorReply(undefined, new RpcError(INVALID_REQUEST, reason)).text);
    } else if (line.some((byte) => byte > 0x20)) void receive(line);
    parts = [];
    lineBytes = 0;
  };
  const receiveChunk = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      readPart(chunk.subarray(start, end), true);
      start = end + 1;
    }
    readPart(chunk.subarray(start), false);
  };
  input.on('data', receiveChunk).once('end', () => readPart(Buffer.alloc(0), true));
  const ended = [finished(input, { writable: false }), finished(output, { readable: false })];
  await Promise.race([Promise.race(ended).catch(() => undefined), stop]);

  server.beginStopping();
  const deadline = Date.now() + LIMITS.stdioDrainMs;
  while (openMessages > 0 && Date.now() < deadline) await sleep(5);
  if (openMessages > 0) server.report(`cut off, and not answered: ${openMessages}`);
  input.off('data', receiveChunk).pause();
  flush();
  session.end();
  // A client that reads slowly gets what was answered.
  const latest = Date.now() + LIMITS.outputDrainMs;
  while (output.writableLength > 0 && !output.destroyed && Date.now() < latest) await sleep(5);
}
