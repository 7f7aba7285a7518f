// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The parts that the handler of HTTP uses, over a `Request` and a `Response` of the web (Fetch). */
import { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { Readable, Writable } from 'node:stream';

import type { HttpRequest, HttpResponse } from '../feature-loaders.ts';
import type { HttpHandler } from '../transports/http/http-handler.ts';

/** The other end of the connection. */
export interface FetchPeer {
  /** Address by which clients are limited. Absent: all clients without a token count as one. */
  address?: string | undefined;
  /** The certificate that the client showed (DER), checked by the web server. */
  clientCertificate?: Uint8Array | undefined;
}

class WebRequest extends Readable implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The web server has dealt with older and newer versions. */
  readonly httpVersion = '1.1';
  readonly socket: HttpRequest['socket'];
  complete = false;
  readonly #body: ReadableStream<Uint8Array> | null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor({ method, url, headers, body }: Request, { address, clientCertificate }: FetchPeer) {
    super();
    const { protocol, host, pathname, search } = new URL(url);
    this.method = method;
    this.url = `${pathname}${search}`;
    this.headers = { host, ...Object.fromEntries(headers) };
    this.#body = body;
    this.socket = {
      remoteAddress: address,
      ...(protocol === 'https:' && { encrypted: true }),
      ...(clientCertificate !== undefined && {
        getPeerX509Certificate: () => new X509Certificate(clientCertificate),
      }),
    };
  }

  override _read(): void {
    this.#reader ??= this.#body?.getReader();
    if (this.#reader === undefined) return this.#endBody();
    this.#reader.read().then(
      ({ done, value }) => (done ? this.#endBody() : void this.push(value)),
      () => this.destroy(),
    );
  }

  /** The rest of a refused body is not read. */
  override _destroy(_: Error | null, callback: () => void): void {
    const rest = this.#reader ?? this.#body;
    if (!this.complete) rest?.cancel().catch(() => undefined);
    callback();
  }

  #endBody(): void {
    this.complete = true;
    this.push(null);
  }
}

/** Longer bodies are handed over as they are read, so that they count as unread until then. */
const SHORT = 64 * 1024;

/** Statuses of responses without a body (Fetch, "null body status"). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Headers that belong to one connection, which the web server keeps. */
const ITS_OWN: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Status for a client that is gone; nobody reads it. */
const GONE = 499;

class WebResponse extends Writable implements HttpResponse {
  /** The connection stands for the response alone. */
  readonly req = { socket: { destroy: () => this.destroy() } };
  readonly socket = null;
  /** Resolves when the head is known. Never rejects. */
  readonly response: Promise<Response>;
  headersSent = false;
  shouldKeepAlive = true;
  readonly #isHead: boolean;
  readonly #headers = new Headers();
  #status = 200;
  #answer: ((response: Response) => void) | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Whether the reader waits for a chunk. */
  #isWanted = false;
  #isGone = false;
  /** Called when the last chunk was read. */
  #written: (() => void) | undefined;

  constructor(method: string) {
    super();
    this.#isHead = method === 'HEAD';
    this.response = new Promise((resolve) => (this.#answer = resolve));
    // A write after the client is gone fails, which is no error of the server.
    this.on('error', () => undefined);
  }

  /** Ends the response because the client has gone, which is no failure for the web server. */
  leave(): void {
    this.#isGone = true;
    this.destroy();
  }

  setHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): this {
    this.headersSent = true;
    this.#status = status;
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined && !ITS_OWN.has(name)) this.#headers.set(name, String(value));
    return this;
  }

  flushHeaders(): void {
    if (this.#answer === undefined) return;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (stream) => void (this.#stream = stream),
        pull: () => this.#pullChunk(),
        cancel: () => void this.destroy(),
      },
      // A chunk waits here until it is read, and counts as unread meanwhile.
      { highWaterMark: 0 },
    );
    this.#resolveResponse(body);
  }

  /** A short answer that is whole needs no stream. */
  override end(...last: unknown[]): this {
    const [body = ''] = last;
    const isWhole = this.#answer !== undefined && this.writableLength === 0;
    if (!isWhole || typeof body !== 'string' || body.length > SHORT) return super.end(...(last as []));
    this.#resolveResponse(this.#isHead || WITHOUT_BODY.has(this.#status) ? null : body || null);
    return super.end();
  }

  override _write(chunk: Uint8Array, _: BufferEncoding, callback: () => void): void {
    this.flushHeaders();
    const isWanted = this.#isWanted;
    this.#isWanted = false;
    if (!isWanted) this.#written = callback;
    this.#stream?.enqueue(chunk);
    if (isWanted) callback();
  }

  override _final(callback: () => void): void {
    this.#stream?.close();
    callback();
  }

  /** A reader must see that something is missing. */
  override _destroy(thrown: Error | null, callback: (thrown: Error | null) => void): void {
    if (!this.writableFinished) {
      this.#status = this.headersSent ? this.#status : GONE;
      this.#resolveResponse(null);
      if (this.#isGone) this.#closeStream();
      else this.#stream?.error(new Error('The answer broke off.'));
    }
    callback(thrown);
  }

  /** Closes the stream, which its reader may have closed. */
  #closeStream(): void {
    try {
      this.#stream?.close();
    } catch {
      // Nobody reads on.
    }
  }

  #pullChunk(): void {
    const written = this.#written;
    this.#written = undefined;
    this.#isWanted = written === undefined;
    written?.();
  }

  #resolveResponse(body: ReadableStream<Uint8Array> | string | null): void {
    this.#answer?.(new Response(body, { status: this.#status, headers: this.#headers }));
    this.#answer = undefined;
  }
}

/** Calls `handler`, and ends what it does when the client goes. */
export function answerFetch(handler: HttpHandler, request: Request, peer: FetchPeer): Promise<Response> {
  const { signal } = request;
  const plain = new WebRequest(request, peer);
  const response = new WebResponse(request.method);
  const leave = (): void => response.leave();
  response.once('close', () => {
    signal.removeEventListener('abort', leave);
    plain.destroy();
  });
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave);
  void handler(plain, response);
  return response.response;
}
