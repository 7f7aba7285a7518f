// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers requests of web servers that speak Fetch (Hono, Bun, Deno, workers), by the endpoint for those of Node. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Feature, ServerDefinition } from '../feature.ts';
import { ownMember } from '../json-rpc.ts';
import { createHttpHandler, type HttpHandler } from '../http-handler.ts';
import { readHttpOptions } from '../http.ts';
import { describeThrown } from '../results.ts';
import { Server } from '../server.ts';
import { LIMITS, parseFlags } from '../settings.ts';
import { UsageError } from '../types.ts';

export function fetchHandler(): Feature {
  return { name: 'fetch' };
}

/** Answers requests of a web server that speaks Fetch. */
export interface FetchHandler {
  /** Rejects if the server can't start, as `ready` does. */
  (request: Request, peer?: FetchPeer): Promise<Response>;
  /** Starts the server, which else the first request does. Rejects if its settings or its code can't be used. */
  ready(): Promise<void>;
  /** Answers no more requests, waits for those in flight, then cuts off the rest. */
  close(): Promise<void>;
}

/** The other end of the connection. */
export interface FetchPeer {
  /** Limits count by it. Absent: clients without a token are one client. */
  address?: string | undefined;
  /** The certificate that the client showed (DER), checked by the web server. */
  clientCertificate?: Uint8Array | undefined;
}

export interface FetchOptions {
  /** Default: the environment of the process. No `.env` is read. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Default `/mcp`. */
  path?: string;
  /** Without sessions: `--stateless`. */
  stateless?: boolean;
  /** Further flags, as on the command line: `['--read-only', '--rate-limit', '600']`. */
  args?: readonly string[];
}

/** The data by import, so that bundlers take it along. */
export type ImportedDefinition = Omit<ServerDefinition, 'generated'> & {
  generated: Readonly<Record<string, () => Promise<{ default: unknown }>>>;
};

/** What listens belongs to the web server. */
const REFUSED_FLAGS = ['port', 'host', 'tls-cert', 'tls-key', 'ws', 'transport'];

export function createFetchHandler(definition: ImportedDefinition, options: FetchOptions): FetchHandler {
  const { env = process.env, path, stateless, args = [] } = options;
  const { name } = definition.info;
  const tell = (words: string): void => console.error(`${name}: ${words}`);
  const open = new Set<WebResponse>();
  let started: Promise<{ server: Server; handle: HttpHandler; drainMs: number }> | undefined;

  const start = async () => {
    const entries = Object.entries(definition.generated).map(async ([file, load]) => {
      return [file, JSON.stringify((await load()).default)] as const;
    });
    const whole = { ...definition, generated: Object.fromEntries(await Promise.all(entries)) };
    // Workers have no parser of arguments.
    const given = args.length === 0 ? {} : parseFlags(args, whole);
    const refused = REFUSED_FLAGS.find((flag) => ownMember(given, flag) !== undefined);
    if (refused !== undefined)
      throw new UsageError(`--${refused} is for the web server that calls the handler. Leave it out.`);
    const flags = { ...given, ...(path && { path }), ...(stateless && { stateless }), transport: 'http' };
    const report = (thrown: unknown): void =>
      tell(`error: ${(thrown instanceof Error && thrown.stack) || describeThrown(thrown)}`);
    const server = new Server(whole, { env, flags, report });
    const { drainMs, ...httpOptions } = readHttpOptions(server);
    const handle = createHttpHandler(server, httpOptions);
    await server.start();
    tell(server.describe());
    return { server, handle, drainMs };
  };

  const answer = async (request: Request, peer: FetchPeer = {}): Promise<Response> => {
    const { server, handle } = await (started ??= start());
    // Its features end. Probes are answered on.
    if (server.isStopping && request.method !== 'GET') return new Response(null, { status: 503 });
    const incoming = toIncoming(request, peer);
    const response = new WebResponse(incoming);
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      // The rest of a body that was refused is not read.
      incoming.destroy();
    });
    if (server.isDraining) response.shouldKeepAlive = false;
    request.signal.addEventListener('abort', () => response.destroy(), { once: true });
    void handle(incoming, response as unknown as ServerResponse);
    return response.head;
  };

  return Object.assign(answer, {
    ready: async () => void (await (started ??= start())),
    close: async () => {
      const opened = await started?.catch(() => undefined);
      if (opened === undefined) return;
      const { server, handle, drainMs } = opened;
      server.isDraining = true;
      await sleep(drainMs);
      server.beginStopping();
      handle.stop();
      const deadline = Date.now() + LIMITS.httpDrainMs;
      while (open.size + handle.countRequests() > 0 && Date.now() < deadline) await sleep(10);
      for (const response of open) response.destroy();
      handle.end();
      await server.close();
    },
  });
}

function toIncoming(request: Request, { address, clientCertificate }: FetchPeer): IncomingMessage {
  const { pathname, search, host } = new URL(request.url);
  const body = request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as never);
  const getPeerX509Certificate = () => clientCertificate && { raw: clientCertificate };
  return Object.assign(body, {
    method: request.method,
    url: pathname + search,
    httpVersion: '1.1',
    // Fetch leaves `Host` to the URL.
    headers: { host, ...Object.fromEntries(request.headers) },
    socket: Object.assign(new EventEmitter(), { remoteAddress: address, getPeerX509Certificate }),
  }) as unknown as IncomingMessage;
}

/** What the endpoint uses of Node's response, as a `Response` of Fetch. */
class WebResponse extends Writable {
  readonly req: IncomingMessage;
  readonly #headers = new Headers();
  readonly #body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #waitingWrite: (() => void) | undefined;
  #resolveHead: (response: Response) => void = () => undefined;
  /** The answer, once its status is known. */
  readonly head: Promise<Response>;
  headersSent = false;
  shouldKeepAlive = true;

  constructor(req: IncomingMessage) {
    super({ decodeStrings: true });
    this.req = req;
    this.head = new Promise((resolve) => (this.#resolveHead = resolve));
    this.#body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => {
          const resume = this.#waitingWrite;
          this.#waitingWrite = undefined;
          resume?.();
        },
        cancel: () => void this.destroy(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 65_536 }),
    );
    this.on('error', () => undefined);
  }

  setHeader(name: string, value: string): this {
    this.#headers.set(name, value);
    return this;
  }

  writeHead(status: number, headers: Record<string, string | number> = {}): this {
    for (const [name, value] of Object.entries(headers)) this.#headers.set(name, String(value));
    this.headersSent = true;
    // Fetch refuses a body for these (RFC 9110, section 15.3.5).
    const hasBody = ![204, 205, 304].includes(status) && this.req.method !== 'HEAD';
    this.#resolveHead(new Response(hasBody ? this.#body : null, { status, headers: this.#headers }));
    return this;
  }

  flushHeaders(): void {
    return undefined;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#controller?.enqueue(new Uint8Array(chunk));
    if ((this.#controller?.desiredSize ?? 1) > 0) done();
    else this.#waitingWrite = done;
  }

  override _final(done: () => void): void {
    this.#controller?.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#resolveHead(new Response(null, { status: 499 }));
    if (!this.writableFinished)
      try {
        this.#controller?.error(new Error('The connection was cut off.'));
      } catch {
        // The client has cancelled it.
      }
    done(error);
  }
}
