/** The ways for a client to talk. One rule is tried on all of them. */
import * as sseFeature from '../../../templates/runtime/transports/http/sse.ts';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, expect } from 'vitest';
import { WebSocket } from 'ws';
import { stopServer } from '../../../templates/runtime/core/server-instance.ts';
import type { ServerInstance } from '../../../templates/runtime/core/server-instance.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import {
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  NEWEST_LEGACY_REVISION,
  type Revision,
} from '../../../templates/runtime/protocol/revisions.ts';
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import { serveHttp } from '../../../templates/runtime/transports/http/serve-http.ts';
import { LineWriter, serveStdio } from '../../../templates/runtime/transports/stdio.ts';
import { WebSocketTransport } from '../../../templates/runtime/transports/websocket/websocket-transport.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { hello, type Reply, type ServerParts } from '../core/harness.ts';
import { gate, start } from '../transports/http-harness.ts';
import { Inbox } from './inbox.ts';
import { metaOf, subject, type Work } from './subject.ts';

export interface Line {
  transport: 'stdio' | 'websocket' | 'http' | 'sse';
  revision: Revision;
}

/** Each revision over stdio and Streamable HTTP; a WebSocket and HTTP+SSE in the newest that has sessions. */
export const LEGACY_LINES: Line[] = LEGACY_REVISIONS.flatMap((revision) =>
  (['stdio', 'websocket', 'http', 'sse'] as const)
    .filter((transport) => /^(?:stdio|http)$/.test(transport) || revision === NEWEST_LEGACY_REVISION)
    .map((transport) => ({ transport, revision })),
);
export const MODERN_LINES: Line[] = MODERN_REVISIONS.flatMap((revision) =>
  (['stdio', 'websocket', 'http'] as const).map((transport) => ({ transport, revision })),
);
export const LINES: Line[] = [...LEGACY_LINES, ...MODERN_LINES];
export const isModern = ({ revision }: Line): boolean => MODERN_REVISIONS.some((each) => each === revision);

export const isHttp = ({ transport }: Line): boolean => transport === 'http' || transport === 'sse';

/** The status of what is refused before it reaches the core. */
export const refused = (line: Line): number | undefined => (isHttp(line) ? 400 : undefined);

/** The status of what the core answers: over HTTP+SSE the answer is on the stream. */
export const answered = ({ transport }: Line): number | undefined =>
  ({ http: 200, sse: 202, stdio: undefined, websocket: undefined })[transport];

export const failure = (code: number, message: string, id?: unknown): object => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  error: { code, message },
});

/** Answer of the tool `x`, unless a test replaces it. */
export const done = { content: [{ type: 'text', text: 'done' }] };

/** Work that waits until it is let go. */
export function held(): { release: () => void; work: Work } {
  const { open: release, opened } = gate();
  return { release, work: () => opened.then(() => 'done') };
}

export interface Options {
  work?: Work;
  parts?: ServerParts;
  /** Of the client. */
  capabilities?: object;
  /** How far a legacy client has come: connected, answered, or ready (the default). */
  stage?: 'connected' | 'initialized' | 'ready';
}

/** A message's status over HTTP, and what the server said to it. */
export interface Heard {
  status: number | undefined;
  reply: Reply;
}

export interface Talk {
  server: ServerInstance;
  /** All that came since the line was open. */
  inbox: Inbox;
  /** How often any handler began. */
  ran: () => number;
  reported: unknown[];
  /** A request as the line's revision has it. */
  request: (id: unknown, method: string, params?: object) => object;
  /** Sends a message, or a text as it is. Over HTTP it resolves when all of the response has come. */
  tell: (message: unknown, signal?: AbortSignal) => Promise<number | undefined>;
  /** Sends what is answered by the next message that comes. */
  ask: (message: unknown) => Promise<Heard>;
  /** All that comes before the answer to a last request. */
  silence: () => Promise<unknown[]>;
}

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

type Wire = Pick<Talk, 'tell'>;

export async function open(line: Line, options: Options = {}): Promise<Talk> {
  const { work, parts = {}, capabilities = {}, stage = 'ready' } = options;
  const limits = { stdioDrainMs: 1, httpDrainMs: 1, ...parts.limits };
  const { server, ran, reported } = subject(work, { ...parts, limits });
  const inbox = new Inbox();
  const { tell } = await WIRES[line.transport](server, inbox, line);
  const meta = isModern(line) ? metaOf({ 'io.modelcontextprotocol/clientCapabilities': capabilities }) : {};
  const request: Talk['request'] = (id, method, params = {}) => {
    const own = '_meta' in params ? (params._meta as object) : {};
    const _meta = { ...meta, ...own };
    return {
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, ...(Object.keys(_meta).length > 0 ? { _meta } : {}) },
    };
  };
  const ask: Talk['ask'] = async (message) => {
    const at = inbox.messages.length;
    const status = await tell(message);
    return { status, reply: (await inbox.reach(at + 1))[at] as Reply };
  };
  let lasts = 0;
  const silence = async () => {
    const id = `last-${++lasts}`;
    await tell(request(id, 'tools/list'));
    const answer = await inbox.answerTo(id);
    return inbox.messages.filter((each) => each !== answer);
  };
  if (!isModern(line) && stage !== 'connected') {
    const { reply } = await ask(request('open', 'initialize', { ...hello(line.revision), capabilities }));
    expect(reply.result).toMatchObject({ protocolVersion: line.revision });
    if (stage === 'ready') await tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    inbox.clear();
  }
  return { server, inbox, ran, reported, request, tell, ask, silence };
}

const textOf = (message: unknown) => (typeof message === 'string' ? message : JSON.stringify(message));

const WIRES: Record<Line['transport'], (server: ServerInstance, inbox: Inbox, line: Line) => Promise<Wire>> =
  {
    stdio: openStdio,
    websocket: openWebSocket,
    http: openHttp,
    sse: openSse,
  };

/** stdio, to which bytes can be written as they are, and whose lines can be seen. */
export interface StdioWire extends Wire {
  write: (bytes: string | Uint8Array) => void;
  lines: string[];
}

export async function openStdio(server: ServerInstance, inbox: Inbox): Promise<StdioWire> {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines: string[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const whole = (rest + chunk.toString()).split('\n');
    rest = whole.pop() ?? '';
    lines.push(...whole);
    for (const line of whole) inbox.put(JSON.parse(line));
  });
  const served = serveStdio({
    core: createCheckedCore(server),
    session: new Session(),
    input,
    writer: new LineWriter(output),
    limits: server.limits,
    stop: new Promise(() => undefined),
    finish: () => stopServer(server),
  });
  stops.push(async () => {
    input.end();
    await served;
  });
  const write = (bytes: string | Uint8Array) => void input.write(bytes);
  const tell = async (message: unknown) => write(`${textOf(message)}\n`);
  return { tell, write, lines };
}

async function openWebSocket(server: ServerInstance, inbox: Inbox): Promise<Wire> {
  const { limits } = server;
  const transport = new WebSocketTransport({
    core: createCheckedCore(server),
    limits,
    rules: { host: '127.0.0.1', allowedOrigins: [], path: '/ws' },
    openSession: () => new Session(),
    report: server.report,
  });
  const { url, close } = await serveHttp(async () => undefined, {
    host: '127.0.0.1',
    port: 0,
    limits,
    upgrade: transport.upgrade,
  });
  const client = new WebSocket(`${url.replace('http', 'ws')}/ws`, 'mcp');
  client.on('message', (data) => inbox.put(JSON.parse(String(data))));
  stops.push(async () => {
    client.terminate();
    await Promise.all([transport.stop(), close()]);
  });
  await once(client, 'open');
  const tell = async (message: unknown) => void client.send(textOf(message));
  return { tell };
}

async function openHttp(server: ServerInstance, inbox: Inbox, line: Line): Promise<Wire> {
  const { stream } = await start({ server });
  let session: Record<string, string> = {};
  const tell: Talk['tell'] = async (message, signal) => {
    const headers = isModern(line) ? modernHeaders(message, line) : session;
    const { status, headers: got, message: next, text } = await stream(message, headers, signal);
    if ('mcp-session-id' in got) session = { 'mcp-session-id': String(got['mcp-session-id']) };
    for (let each = await next(); each !== undefined; each = await next()) inbox.put(each);
    if (got['content-type'] === 'application/json') inbox.put(JSON.parse(text()));
    return status;
  };
  return { tell };
}

function modernHeaders(message: unknown, { revision }: Line): Record<string, string | undefined> {
  const { method, params } = isRecord(message) ? message : {};
  const { name, uri } = isRecord(params) ? params : {};
  const named = { 'tools/call': name, 'prompts/get': name, 'resources/read': uri }[String(method)];
  return {
    'mcp-protocol-version': revision,
    'mcp-method': typeof method === 'string' ? method : undefined,
    'mcp-name': typeof named === 'string' ? named : undefined,
  };
}

async function openSse(instance: ServerInstance, inbox: Inbox): Promise<Wire> {
  const server = await start({
    server: instance,
    sse: { path: '/sse', messagesPath: '/messages', ...sseFeature },
  });
  const stream = await server.listen({}, '/sse');
  const endpoint = (await stream.next())?.data ?? '';
  void (async () => {
    for (let each = await stream.message(); each !== undefined; each = await stream.message())
      inbox.put(each);
  })();
  const tell = async (message: unknown) => {
    const head = { 'content-type': 'application/json' };
    const { status, text } = await server.send('POST', endpoint, head, textOf(message));
    if (text !== '') inbox.put(JSON.parse(text));
    return status;
  };
  return { tell };
}
