/** A server over HTTP on a free port of the loopback, and a client that sends what it is told to. */
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { inspect } from 'node:util';
import { afterEach } from 'vitest';
import { createServer, type ServerInstance } from '../../../templates/runtime/core/server-instance.ts';
import type { AuthDefinition, Context, ExtraTool, Handlers } from '../../../templates/runtime/definition.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../templates/runtime/contract/feature.ts';
import type { ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import {
  type HttpHandlerOptions,
  createHttpHandler,
} from '../../../templates/runtime/transports/http/http-handler.ts';
import { KeyedRateLimiters } from '../../../templates/runtime/transports/http/client-limits.ts';
import { type HttpListener, serveHttp } from '../../../templates/runtime/transports/http/serve-http.ts';
import { SignedSessionStore } from '../../../templates/runtime/transports/http/signed-session-store.ts';
import { openSessionSigning } from '../../../templates/runtime/core/signed-sessions.ts';
import { openSharedSessions } from '../../../templates/runtime/redis/shared-sessions.ts';
import type { EventBus } from '../../../templates/runtime/core/session.ts';
import type { SharedState } from '../../../templates/runtime/feature-loaders.ts';
import { SessionStore } from '../../../templates/runtime/transports/http/session-store.ts';
import type { TlsFiles } from '../../../templates/runtime/main/settings.ts';
import { answerFetch } from '../../../templates/runtime/fetch/web-parts.ts';
import { serveByFetch } from '../../support/web-server.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { canaries, planted } from '../../support/canaries.ts';
import { judge } from '../../support/complaints.ts';
import { serve } from '../../runtime-next/http.ts';
import { hello, isNext, newCatalog } from '../core/harness.ts';

/** How requests reach the handler: as those of `node:http`, or through what speaks Fetch. */
export const through: { adapter: 'node:http' | 'fetch' } = { adapter: 'node:http' };

const listeners: HttpListener[] = [];
const clients: IncomingMessage[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await Promise.all(listeners.splice(0).map(({ close }) => close()));
});

export interface Options extends Partial<
  Pick<HttpHandlerOptions, 'rules' | 'sse' | 'guard' | 'proxies' | 'documents' | 'stateless'>
> {
  /** Scopes that tokens need. */
  auth?: Pick<AuthDefinition, 'scopes' | 'implies'>;
  limits?: Partial<Limits>;
  callsPerMinute?: number | undefined;
  tls?: TlsFiles;
  /** Handler of the only tool, `x`. */
  handler?: (context: Context) => unknown;
  inputSchema?: ObjectSchema;
  /** Further members of the tool. */
  tool?: Partial<ExtraTool>;
  /** Signs sessions. */
  secret?: string;
  previous?: string;
  /** Seconds. */
  lifetime?: number;
  /** State that nodes share. */
  shared?: SharedState;
  bus?: EventBus;
  /** Further handlers. */
  handlers?: Handlers<object>;
  /** Default `test`. */
  name?: string;
  /** Instead of one that has the tool `x` alone. */
  server?: ServerInstance;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: () => { id?: unknown; result?: object; error?: { code: number; message: string } };
}

/** One event of a stream, with the members it had. */
export interface SseEvent {
  event?: string;
  id?: string;
  retry?: string;
  data?: string;
}

/** A response that is read event by event. */
export interface EventReader {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The next event; undefined at the end. Comments are left out. */
  next: () => Promise<SseEvent | undefined>;
  /** The message of the next event that has one. */
  message: () => Promise<{ method?: string; id?: unknown; params?: unknown; result?: unknown } | undefined>;
  /** All that comes until the end. */
  rest: () => Promise<SseEvent[]>;
  /** Bytes received so far. */
  text: () => string;
  /** The client goes away, or reads no further until it resumes. */
  response: IncomingMessage;
}

type Fields = Record<string, string | undefined>;

function given(headers: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => !!entry[1]));
}

export async function start(options: Options = {}) {
  const { rules, callsPerMinute, sse, guard, auth, limits: changed, handler = () => 'done' } = options;
  const { inputSchema = { type: 'object' }, tool = {} } = options;
  const counted = { calls: 0 };
  const reported: unknown[] = [];
  const handlers: Handlers<object> = {
    ...options.handlers,
    extraTools: [
      {
        name: 'x',
        inputSchema,
        ...tool,
        handler: (_, context) => {
          counted.calls++;
          return handler(context);
        },
      },
    ],
  };
  if (isNext) {
    const info = { name: options.name ?? 'test', version: '1' };
    const next = await serve(
      {
        rules: { ...rules, proxies: options.proxies },
        callsPerMinute,
        limits: changed,
        handlers,
        info,
        server: options.server,
      },
      reported,
    );
    const { server, requests, limits, url, close } = next;
    const client = makeClient(url, Boolean(guard));
    return { ...client, counted, requests, reported, server, limits, url, listener: { url, close } } as never;
  }
  const own = {
    definition: {
      info: { name: options.name ?? 'test', version: '1' },
      features: allFeatures,
      handlers,
      ...(auth === undefined
        ? {}
        : { auth: { ...auth, runtime: () => import('../../../templates/runtime/oauth/index.ts') } }),
    },
    catalog: newCatalog({}),
    readBindings: () => '{"tools":{},"resources":{},"resourceTemplates":{},"prompts":{},"completions":[]}',
    env: planted({}),
    limits: { ...DEFAULT_LIMITS, httpDrainMs: 1_000, ...changed },
    report: (thrown: unknown) => {
      reported.push(thrown);
      canaries.hear('a report', inspect(thrown));
    },
  };
  const { shared, bus } = options;
  const server = options.server ?? createServer({ ...own, shared, bus });
  const { limits, report } = server;
  const { secret: MCP_STATE_SECRET, previous: MCP_STATE_SECRET_PREVIOUS, lifetime = 3_600 } = options;
  const env = { MCP_STATE_SECRET, MCP_STATE_SECRET_PREVIOUS };
  const signing = openSessionSigning(
    { current: Object.assign(server, { env: { ...server.env, ...env } }) },
    lifetime * 1_000,
    limits,
  );
  const nodes = shared?.isShared === true ? await openSharedSessions(server, limits) : undefined;
  const sessions =
    signing === undefined
      ? new SessionStore(limits)
      : new SignedSessionStore(limits, Date.now, signing, nodes);
  const requests: IncomingHttpHeaders[] = [];
  const handle = createHttpHandler({
    core: createCheckedCore(server),
    sessions,
    limits,
    rules: rules ?? { host: '127.0.0.1', allowedOrigins: [] },
    path: '/mcp',
    ...(sse === undefined ? {} : { sse }),
    guard,
    ...(options.documents === undefined ? {} : { documents: options.documents }),
    limiters: new KeyedRateLimiters(callsPerMinute, limits.countedAddresses),
    proxies: options.proxies,
    stateless: options.stateless ?? false,
    logLevel: 'info',
    report,
  });
  const listener = await serveHttp(
    (request, response) => {
      requests.push(request.headers);
      return through.adapter === 'fetch'
        ? serveByFetch((...parts) => answerFetch(handle, ...parts), request, response)
        : handle(request, response);
    },
    { host: '127.0.0.1', port: 0, limits, tls: options.tls, report },
  );
  listeners.push(listener);

  return {
    ...makeClient(listener.url, guard !== undefined),
    counted,
    /** The heads of those that have come. */
    requests,
    reported,
    server,
    sessions,
    limits,
    listener,
  };
}

/** A client that sends what it is told to. */
function makeClient(base: string, isGuarded: boolean) {
  // What clients show of themselves. Where tokens are asked for, those of the test are.
  const secret = canaries.plant(true);
  const secrets = { cookie: `sid=${secret}`, ...(isGuarded ? {} : { authorization: `Bearer ${secret}` }) };

  /** `fetch` would hide what is under test: it sets and forbids headers of its own. */
  const begin = (method: string, path: string, headers: Fields, body?: string, signal?: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = httpRequest(
        `${base}${path}`,
        {
          method,
          headers: { ...secrets, ...given(headers) },
          agent: false,
          ...(signal === undefined ? {} : { signal }),
        },
        (response) => {
          canaries.hear('the head of an answer', inspect(response.rawHeaders));
          resolve(response);
        },
      );
      request.on('error', reject).end(body);
    });
  const send = async (method: string, path: string, headers: Fields, body?: string): Promise<Answer> => {
    const response = await begin(method, path, headers, body);
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response) text += chunk;
    canaries.hear('an answer', text);
    const { statusCode: status = 0, headers: fields } = response;
    if (text !== '' && fields['content-type'] === 'application/json' && path === '/mcp') judgeEnvelopes(text);
    return { status, headers: fields, text, json: () => JSON.parse(text) };
  };
  const postHead = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const textOf = (message: unknown) => (typeof message === 'string' ? message : JSON.stringify(message));
  const post = (message: unknown, headers: Fields = {}) =>
    send('POST', '/mcp', { ...postHead, ...headers }, textOf(message));
  const open = async (revision = '2025-11-25', capabilities: object = {}, more: Fields = {}) => {
    const params = { ...hello(revision), capabilities };
    const { headers } = await post({ jsonrpc: '2.0', id: 'i', method: 'initialize', params }, more);
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    return session;
  };
  const read = async (...request: Parameters<typeof begin>): Promise<EventReader> => {
    const response = await begin(...request);
    clients.push(response);
    return readEvents(response);
  };
  return {
    send,
    post,
    open,
    url: base,
    /** POST, its answer read as a stream. */
    stream: (message: unknown, headers: Fields, signal?: AbortSignal) =>
      read('POST', '/mcp', { ...postHead, ...headers }, textOf(message), signal),
    /** GET. */
    listen: (headers: Fields, path = '/mcp') =>
      read('GET', path, { accept: 'text/event-stream', ...headers }),
  };
}

function readEvents(response: IncomingMessage): EventReader {
  const { statusCode: status = 0, headers } = response;
  let all = '';
  const events = eventsOf(response, (chunk) => (all += chunk));
  canaries.hearAll('a stream', () => all);
  const next = async () => {
    const { value, done } = await events.next();
    return done === true ? undefined : value;
  };
  const rest = async () => {
    const read: SseEvent[] = [];
    for (let event = await next(); event !== undefined; event = await next()) read.push(event);
    return read;
  };
  const message = async () => {
    for (let event = await next(); event !== undefined; event = await next())
      if (event.data) return JSON.parse(event.data) as object;
    return undefined;
  };
  return { status, headers, next, message, rest, text: () => all, response };
}

/** Ends with the response, also when that breaks off. */
async function* chunksOf(response: IncomingMessage): AsyncGenerator<string> {
  try {
    for await (const chunk of response.setEncoding('utf8')) yield String(chunk);
  } catch {
    return;
  }
}

async function* eventsOf(response: IncomingMessage, seen: (chunk: string) => void): AsyncGenerator<SseEvent> {
  let text = '';
  for await (const chunk of chunksOf(response)) {
    seen(chunk);
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const event of blocks.filter((block) => !block.startsWith(':')).map(fieldsOf)) {
      if (event.event === 'message') judgeEnvelopes(event.data ?? '');
      yield event;
    }
  }
}

/** The core's messages are judged there; here those that the transport makes itself. */
function judgeEnvelopes(text: string): void {
  for (const message of [JSON.parse(text)].flat()) judge({ revision: undefined, message });
}

function fieldsOf(block: string): SseEvent {
  return Object.fromEntries(
    block.split('\n').map((line) => {
      const [, name, value] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
      return [name ?? line, value ?? ''];
    }),
  ) as SseEvent;
}

export const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
export const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x' } };

export const error = (code: number, message: string, id?: unknown) => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  error: { code, message },
});

/** What a test opens when it is time. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
