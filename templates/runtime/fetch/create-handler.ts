// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The server as a function of a `Request`, for web servers that speak Fetch. */
import { UsageError } from '../contract/feature.ts';
import { isSevereEnough } from '../core/call-context.ts';
import { closeFunctions, stopServer } from '../core/server-instance.ts';
import type { LogLevel, ServerDefinition } from '../definition.ts';
import type { HttpResponse } from '../feature-loaders.ts';
import { type FlagValues, parseFlags } from '../main/command-line.ts';
import { type OpenContext, formatStack } from '../main/open-project.ts';
import { openServer, startUserCode, warnOperator } from '../main/run.ts';
import type { Environment, Settings } from '../main/settings.ts';
import { type OpenHttp, applyDrainDelay, prepareHttp } from '../main/start-http.ts';
import { createUnnamedProxyWarner } from '../transports/http/client-limits.ts';
import { HttpRefusal, writeRefusal } from '../transports/http/http-answer.ts';
import {
  type HttpHandler,
  PROBES,
  type Readiness,
  describeLocalState,
  describeReadiness,
} from '../transports/http/http-handler.ts';
import { isLoopback } from '../transports/http/read-request.ts';
import { type FetchPeer, answerFetch } from './web-parts.ts';

/** Answers requests of a web server that speaks Fetch: Hono, Bun, Deno, workers. */
export interface FetchHandler {
  /** Rejects if the server can't start, as `ready` does. */
  (request: Request, peer?: FetchPeer): Promise<Response>;
  /** Starts the server, which else the first request does. Rejects if its settings or its code can't be used. */
  ready(): Promise<void>;
  /** Answers no more requests, waits for those in flight, then cuts off the rest. */
  close(): Promise<void>;
}

export interface FetchOptions {
  /** Default: the environment of the process. No `.env` is read. */
  env?: Readonly<Record<string, string | undefined>>;
  path?: string;
  /** Whether requests stand alone, without sessions (`--stateless`). */
  stateless?: boolean;
  /** Further flags, as on the command line: `['--read-only', '--rate-limit', '600']`. */
  args?: readonly string[];
}

/** `definition.generated` loads the files of `src/generated`, by name, as modules. */
export type CreateFetchHandler = (
  definition: Omit<ServerDefinition, 'generated'> & {
    generated: Readonly<Record<string, () => Promise<{ default: unknown }>>>;
  },
  options: FetchOptions,
) => FetchHandler;

interface Opened {
  handle(request: Request, peer: FetchPeer): Promise<Response>;
  close(): Promise<void>;
}

export const createFetchHandler: CreateFetchHandler = (definition, options) => {
  let opening: Promise<Opened> | undefined;
  let closing: Promise<void> | undefined;
  const openOnce = (): Promise<Opened> =>
    (opening ??= openHandler(definition, options).catch((thrown: unknown) => {
      // Forgets the failure, so that the next request tries again.
      opening = undefined;
      throw thrown;
    }));
  const handle = async (request: Request, peer: FetchPeer = {}): Promise<Response> =>
    (await openOnce()).handle(request, peer);
  return Object.assign(handle, {
    ready: async () => void (await openOnce()),
    close: () => (closing ??= Promise.resolve(opening).then((opened) => opened?.close())),
  });
};

async function openHandler(
  { generated, ...rest }: Parameters<CreateFetchHandler>[0],
  options: FetchOptions,
): Promise<Opened> {
  const writeToStderr = (words: string): void => void process.stderr.write(`${rest.info.name}: ${words}\n`);
  const reportError = (thrown: unknown): void => writeToStderr(`error: ${formatStack(thrown)}`);
  const definition: ServerDefinition = { ...rest, generated: await readDataTexts(generated) };
  const flags = readOptions(options, definition);
  const env = omitListenerVariables(options.env ?? process.env, writeToStderr);
  const context: OpenContext = {
    host: { env, stderr: process.stderr },
    tell: writeToStderr,
    report: reportError,
  };
  const { settings, instance, opened } = await openServer(flags, definition, context);
  const writeLogLine = (level: LogLevel, words: string): void => {
    if (isSevereEnough(level, settings.logLevel))
      writeToStderr(level === 'info' ? words : `${level}: ${words}`);
  };
  const writeWarning = (words: string): void => writeLogLine('warning', words);
  const live = { current: instance };
  let status: Readiness['status'] = 'ready';
  const http = await prepareHttp(live, settings, writeWarning, () => describeReadiness(status, instance));
  await opened?.start?.(live);
  const end = await startUserCode(instance);
  const local = await describeLocalState(instance, settings.http?.stateless === true);
  if (local !== undefined) writeLogLine('info', local);
  if (http.guard?.warning !== undefined) writeWarning(http.guard.warning);
  if (http.guard === undefined && isOpenToOthers(settings)) writeWarning(NOBODY_ASKS);
  void warnOperator(instance, settings, writeToStderr).catch(reportError);
  const served = new Served(http, writeWarning);
  const drainMs = applyDrainDelay(settings, http.limits);
  return {
    handle: (request, peer) => served.handle(request, peer),
    close: async () => {
      status = 'draining';
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
      stopServer(instance);
      http.sessions.endListening();
      await served.stop(http.limits.httpDrainMs);
      http.sessions.endAllSessions();
      await end?.();
      await closeFunctions(instance);
      await instance.shared.close();
      await opened?.flush();
    },
  };
}

/** The texts of data files that modules hold, but answers for `--mock`, which few servers need: they load with the others. */
async function readDataTexts(
  modules: Parameters<CreateFetchHandler>[0]['generated'],
): Promise<Record<string, string>> {
  const texts = Object.entries(modules).map(async ([name, load]): Promise<[string, string]> => {
    return [name, `${printDataFile((await load()).default)}\n`];
  });
  return Object.fromEntries(await Promise.all(texts));
}

/** The depth to which each member has a line of its own, as the compiler writes data files: readers cut them there. */
const DEEPEST = 3;

/** A text of a data file's value. The pool has a text a line. */
export function printDataFile(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const items = isList
    ? value.map((item) => printDataFile(item, depth + 1))
    : Object.entries(value).map(([name, member]: [string, unknown]) => {
        const text = printDataFile(member, depth === 0 && name === 'pool' ? DEEPEST - 1 : depth + 1);
        return `${JSON.stringify(name)}:${text}`;
      });
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join(',\n')}\n${close}`;
}

/** Flags that concern listening, which the web server decides. */
const OF_LISTENERS = ['port', 'tls-cert', 'tls-key', 'connections', 'ws', 'dotenv', 'help', 'version'];
const VARIABLES_OF_LISTENERS = ['MCP_TLS_CERT', 'MCP_TLS_KEY', 'MCP_CONNECTIONS'];

function readOptions({ path, stateless, args = [] }: FetchOptions, definition: ServerDefinition): FlagValues {
  const own = [
    ...(path === undefined ? [] : ['--path', path]),
    ...(stateless === true ? ['--stateless'] : []),
  ];
  const flags = parseFlags(['--transport', 'http', ...own, ...args], definition);
  const foreign = OF_LISTENERS.find((name) => flags.has(name));
  if (foreign === undefined) return flags;
  throw new UsageError(
    `--${foreign} is not for a handler of requests: the web server that calls it decides that.`,
  );
}

function omitListenerVariables(env: Environment, tell: (words: string) => void): Environment {
  const set = VARIABLES_OF_LISTENERS.filter((name) => env[name]);
  if (set.length === 0) return env;
  tell(
    `warning: ignored: ${set.join(', ')}. The web server that calls the handler decides what it listens to.`,
  );
  return { ...env, ...Object.fromEntries(set.map((name) => [name, undefined])) };
}

function isOpenToOthers({ host, http }: Settings): boolean {
  return !isLoopback(host) || (http?.allowedHosts ?? []).some((name) => !isLoopback(name));
}

const NOBODY_ASKS =
  'whoever can reach this handler may call every tool, with the credentials this server has for the API. ' +
  'Nothing asks callers who they are: have the web server that calls the handler ask.';

const NO_ADDRESS =
  'requests come without the address of their client. Calls a minute and sessions count by the subject of the token, and without tokens ' +
  'as those of one client; requests in flight and bytes count as those of one client in any case. ' +
  'Give it to the handler: handler(request, { address }).';

class Served {
  readonly #http: OpenHttp;
  readonly #warn: (words: string) => void;
  readonly #look: ReturnType<typeof createUnnamedProxyWarner>;
  readonly #open = new Set<HttpResponse>();
  #isStopping = false;
  #idle: (() => void) | undefined;
  #isWarned = false;

  constructor(http: OpenHttp, warn: (words: string) => void) {
    this.#http = http;
    this.#warn = warn;
    this.#look = createUnnamedProxyWarner(http.proxies, warn);
  }

  async handle(request: Request, peer: FetchPeer): Promise<Response> {
    if (request.bodyUsed)
      throw new TypeError('The body has been read already: call the handler before what reads bodies.');
    return answerFetch(this.#serveRequest, request, peer);
  }

  readonly #serveRequest: HttpHandler = async (request, response) => {
    // A stopping server still answers probes, since balancers go on asking for its readiness.
    if (this.#isStopping && !PROBES.has(request.url?.split('?')[0] ?? ''))
      return writeRefusal(response, new HttpRefusal(503, 'The server is stopping.'));
    if (request.socket.remoteAddress !== undefined) this.#look(request);
    else this.#warnMissingAddressOnce();
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.#idle?.();
    });
    await this.#http.handler(request, response);
  };

  #warnMissingAddressOnce(): void {
    if (!this.#isWarned) this.#warn(NO_ADDRESS);
    this.#isWarned = true;
  }

  /** Waits for the requests in flight, then cuts off the rest. */
  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    if (this.#open.size === 0) return;
    const late = setTimeout(() => this.#open.forEach((response) => response.destroy()), ms);
    await new Promise<void>((resolve) => (this.#idle = resolve));
    clearTimeout(late);
  }
}
