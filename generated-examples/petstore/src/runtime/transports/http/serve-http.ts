// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Listens for HTTP, with limits of connections and TLS, and closes without cutting off requests in flight. Also the documents that
 * describe the server.
 */
import { createHash } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions as HttpServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { type AddressInfo, type BlockList, type Socket, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import type { Limits } from '../../contract/feature.ts';
import { omitUndefined } from '../../contract/json-value.ts';
import type { ServerInstance } from '../../core/server-instance.ts';
import type { HttpRequest, OpenDocument, OpenDocuments } from '../../feature-loaders.ts';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../protocol/revisions.ts';
import { HttpRefusal, writeRefusal } from './http-answer.ts';
import { type ConnectionLimit, KeyCounter, peerAddress } from './client-limits.ts';
import type { TlsFiles } from '../../main/settings.ts';

const SWEEP_MS = 50;
const UNUSED_MS = 500;

type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface ServeOptions {
  host: string;
  port: number;
  limits: Limits;
  /** Takes requests for a WebSocket. Without it their `Upgrade` is ignored. */
  upgrade?: UpgradeHandler | undefined;
  connections?: ConnectionLimit | undefined;
  look?: ((request: IncomingMessage) => void) | undefined;
  tls?: TlsFiles | undefined;
  report?: ((thrown: unknown) => void) | undefined;
}

export interface HttpListener {
  url: string;
  /** For some time more requests are taken, and every answer closes its connection, so that clients connect elsewhere. */
  drain: (ms: number) => Promise<void>;
  /** Stops listening, waits for requests in flight, then cuts off the rest. */
  close: () => Promise<void>;
}

/** Port 0 is any free one. Rejects if the address is not available, or the certificate can't be used. */
export async function serveHttp(
  handler: (...plain: Parameters<RequestListener>) => Promise<void>,
  options: ServeOptions,
): Promise<HttpListener> {
  const { host, port, limits, upgrade, connections, look, tls } = options;
  let isDraining = false;
  const latest: LatestAnswers = new WeakMap();
  const listener = ignoreAfterClose(latest, (request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
    look?.(request);
    if (tls !== undefined) response.setHeader('strict-transport-security', TLS_ALONE);
    if (isMisframed(request)) writeRefusal(response, MISFRAMED);
    else if (server.listening) void handler(request, response);
    else writeRefusal(response, new HttpRefusal(503, 'The server is stopping.', { connection: 'close' }));
  });
  const settings = nodeServerOptions(limits);
  const server =
    tls === undefined ? createServer(settings, listener) : createTls(settings, listener, options, tls);
  // Node would silently drop headers beyond a count; their bytes are bounded.
  server.maxHeadersCount = 0;
  if (connections !== undefined) limitConnections(server, connections);
  if (upgrade !== undefined) serveUpgrades(server, upgrade, look);
  const closeUnused = watchUnused(server, latest, tls === undefined ? 'connection' : 'secureConnection');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    url: listenerUrl(server, scheme, host),
    drain: async (ms) => {
      isDraining = true;
      await new Promise((resolve) => setTimeout(resolve, ms));
    },
    close: async () => closeServer(server, limits.httpDrainMs, closeUnused),
  };
}

/** HTTP/1.0 has no chunks: a proxy in front may have read them as another request (RFC 9112, section 6.1). */
function isMisframed({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

const MISFRAMED = new HttpRefusal(400, '`Transfer-Encoding` needs HTTP/1.1.', { connection: 'close' });

/** Browsers ask for this host by TLS alone for a year (RFC 6797). */
const TLS_ALONE = 'max-age=31536000';

function nodeServerOptions(limits: Limits): HttpServerOptions {
  return {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    // Node's default of five seconds would close connections that clients are about to use.
    keepAliveTimeout: limits.idleConnectionMs,
    connectionsCheckingInterval: limits.headersTimeoutMs / 2,
    // Without this the first of two `Host` or `Authorization` fields would be used here, maybe the last by a proxy.
    joinDuplicateHeaders: true,
    // Node's own refusal would still serve the requests sent behind it, so `http-handler.ts` refuses instead.
    requireHostHeader: false,
  };
}

function createTls(
  settings: HttpServerOptions,
  listener: RequestListener,
  { limits, report = () => undefined }: ServeOptions,
  files: TlsFiles,
): TlsServer {
  const handshakeTimeout = limits.headersTimeoutMs;
  // TLS proves the client's key, and tokens name the certificate: an authority that signed it would add nothing.
  const clients = files.asksClients ? { requestCert: true, rejectUnauthorized: false } : {};
  const server = createTlsServer(
    { ...settings, ...readTlsFiles(files), ...clients, handshakeTimeout },
    listener,
  );
  const use = server.setSecureContext.bind(server);
  server.once('close', watchTlsFiles(files, limits.certificateLookMs, use, report));
  return server;
}

type LatestAnswers = WeakMap<object, ServerResponse>;

/** No request behind an answer that closes its connection is served (RFC 9112, section 9.6), though Node reads it. */
function ignoreAfterClose(latest: LatestAnswers, listener: RequestListener): RequestListener {
  return (request, response) => {
    if (latest.get(request.socket)?.shouldKeepAlive === false) return;
    latest.set(request.socket, response);
    listener(request, response);
  };
}

/**
 * Clients open connections ahead of their requests, and Node takes those for busy ones.
 * @returns closes connections on which nothing was sent
 */
function watchUnused(server: Server, latest: LatestAnswers, event: string): () => void {
  /** Connections without a request, with the bytes of their handshakes. */
  const unused = new Map<Socket, number>();
  server.on(event, (socket: Socket) => {
    unused.set(socket, socket.bytesRead);
    socket.once('close', () => unused.delete(socket));
  });
  // With a listener for `upgrade`, Node emits no request for such a connection.
  if (server.listenerCount('upgrade') > 0) server.on('upgrade', ({ socket }) => unused.delete(socket));
  return () => {
    for (const [socket, bytes] of unused)
      if (socket.bytesRead === bytes && !latest.has(socket)) socket.destroy();
  };
}

function serveUpgrades(server: Server, upgrade: UpgradeHandler, look: ServeOptions['look']): void {
  server.on('upgrade', (request, socket, head) => {
    look?.(request);
    if (/\bwebsocket\b/i.test(request.headers.upgrade ?? '')) upgrade(request, socket, head);
    else ignoreUpgrade(server, request, socket, head);
  });
}

/**
 * A server may ignore `Upgrade` (RFC 9110, section 7.8), and clients that try `h2c` count on it. Node takes the request for the
 * last one on its connection, so it is read again without that header.
 */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
}

function listenerUrl(server: Server, scheme: string, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function closeServer(server: Server, drainMs: number, closeUnused: () => void): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  // Requests may be on the way to connections that have just been opened.
  const cutUnused = setTimeout(closeUnused, UNUSED_MS);
  // A connection that was busy when listening stopped becomes idle later, and would stay open.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(sweep);
  clearTimeout(cutUnused);
  clearTimeout(cut);
}

/** Explains an error of `listen` by its code, and says what helps. */
export function explainFailure(code: string, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use, maybe by another copy of this server. Stop that, or choose another by --port; 0 is any free one.`;
    case 'EACCES':
      return `Port ${port} needs rights that this process lacks. Choose one of 1024 or more by --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} is no address of this machine. Choose another by --host: 127.0.0.1 for this machine alone, 0.0.0.0 for every interface.`;
    default:
      return undefined;
  }
}

export function limitConnections(server: Server, { most, proxies, closed }: ConnectionLimit): void {
  const counts = new KeyCounter();
  // A connection whose upgrade is ignored is emitted a second time.
  const seen = new WeakSet<Socket>();
  server.prependListener('connection', (socket) => {
    const address = peerAddress(socket, proxies);
    if (address === undefined || seen.has(socket)) return;
    seen.add(socket);
    if (counts.getCount(address) >= most) {
      socket.destroy();
      return closed(address);
    }
    counts.countUp(address);
    socket.once('close', () => counts.countDown(address));
  });
}

export function readTlsFiles({ cert, key, passphrase }: TlsFiles): SecureContextOptions {
  const options = {
    cert: readFileSync(cert),
    key: readFileSync(key),
    ...omitUndefined({ passphrase }),
  };
  createSecureContext(options);
  return options;
}

/**
 * Calls `use` with a renewed pair. A pair that can't be used goes to `refuse`, and the old one stays: one of the two files
 * changes first. Polls, since a renewal may replace a folder or a link.
 * @returns a function that ends the watch
 */
function watchTlsFiles(
  files: TlsFiles,
  everyMs: number,
  use: (options: SecureContextOptions) => void,
  refuse: (thrown: unknown) => void,
): () => void {
  const paths = [...new Set([files.cert, files.key])];
  const reloadTlsFiles = (): void => {
    try {
      use(readTlsFiles(files));
    } catch (thrown) {
      refuse(thrown);
    }
  };
  for (const path of paths) watchFile(path, { interval: everyMs, persistent: false }, reloadTlsFiles);
  return () => {
    for (const path of paths) unwatchFile(path, reloadTlsFiles);
  };
}

type Described = Pick<ServerInstance, 'info' | 'card' | 'meta'>;

const CARD_TYPE = 'application/mcp-server-card+json';

interface DescribedPlaces {
  path: string;
  catalogPath: string;
  proxies?: BlockList | undefined;
  /** Texts by which directories check who runs the server. */
  wellKnown?: readonly (readonly [path: string, text: string])[] | undefined;
}

/** For clients and directories that look for servers: the server's card, a catalog that names it, and the texts of `wellKnown`. */
export function makeServerDocuments(
  server: Described,
  { path, catalogPath, proxies, wellKnown = [] }: DescribedPlaces,
): OpenDocuments {
  const cardPath = `${path.replace(/\/$/, '')}/server-card`;
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return new Map<string, (request: HttpRequest) => OpenDocument>([
    ...wellKnown.map(([place, body]): [string, () => OpenDocument] => [
      place,
      () => ({ status: 200, headers, body }),
    ]),
    [
      cardPath,
      (request) => makeDocument(request, CARD_TYPE, makeCard(server, requestOrigin(request, proxies), path)),
    ],
    [
      catalogPath,
      (request) => {
        const origin = requestOrigin(request, proxies);
        const identifier = `urn:air:${toServerIdentifier(serverCardName(server, origin))}`;
        const entries = [{ identifier, type: CARD_TYPE, url: `${origin.origin}${cardPath}` }];
        return makeDocument(request, 'application/ai-catalog+json', { specVersion: '1.0', entries });
      },
    ],
  ]);
}

/** The registry and cards allow so many characters for a title and a description. */
const LONGEST = 100;

function makeCard(server: Described, origin: URL, path: string): object {
  const { info, card = {}, meta } = server;
  const { version, title, websiteUrl, icons } = info;
  const url = `${origin.origin}${path}`;
  return omitUndefined({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: serverCardName(server, origin),
    version,
    title: title && shortenText(title),
    description: shortenText(card.description ?? (info.description || `MCP server ${info.name}`)),
    websiteUrl: card.websiteUrl ?? websiteUrl,
    repository: card.repository,
    icons,
    remotes: [
      {
        type: 'streamable-http',
        url,
        supportedProtocolVersions: [...LEGACY_REVISIONS.slice(1), ...MODERN_REVISIONS],
      },
    ],
    _meta: meta,
  });
}

function shortenText(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A namespace in reverse DNS and a name: `com.example.mcp/pets-mcp`. */
function serverCardName({ info, card }: Described, { hostname }: URL): string {
  if (card?.name !== undefined) return card.name;
  const host = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
  return `${host.split('.').reverse().join('.')}/${info.name.split('/').at(-1)}`;
}

/** `com.example/pets` → `example.com:mcp:pets` */
function toServerIdentifier(name: string): string {
  const [namespace = '', own = ''] = name.split('/');
  return `${namespace.split('.').reverse().join('.')}:mcp:${own}`;
}

/** The server's origin as clients write it. A trusted proxy says whether they speak HTTPS with it. */
function requestOrigin({ socket, headers }: HttpRequest, proxies: BlockList | undefined): URL {
  const isDirect = peerAddress(socket, proxies) !== undefined;
  const said = isDirect ? undefined : headers['x-forwarded-proto'];
  const isTls = said === undefined ? 'encrypted' in socket : said === 'https';
  const origin = `${isTls ? 'https' : 'http'}://${headers.host ?? 'localhost'}`;
  if (!URL.canParse(origin)) throw new HttpRefusal(400, '`Host` is no host.');
  return new URL(origin);
}

function makeDocument({ headers: asked }: HttpRequest, type: string, value: object): OpenDocument {
  const body = JSON.stringify(value);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const isKnown = asked['if-none-match']?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
  const headers = {
    etag,
    'cache-control': 'public, max-age=3600',
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': 'Content-Type, If-None-Match',
    'access-control-expose-headers': 'ETag',
  };
  if (isKnown === true) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, 'content-type': type }, body };
}
