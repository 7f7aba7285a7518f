/** The ways for a client to talk. One rule is tried on all of them. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { isRecord, LEGACY_REVISIONS, MODERN_REVISIONS } from '../../../templates/runtime/json-rpc.ts';
import type { Server } from '../../../templates/runtime/server.ts';
import { serveStdio } from '../../../templates/runtime/run.ts';
import { gate, makeHttpClient } from '../client.ts';
export { failure } from '../client.ts';
import { serve } from '../http.ts';
import { hello, type Reply, type ServerParts } from '../harness.ts';
import { Inbox } from './inbox.ts';
import { isModernRevision, NEWEST_LEGACY } from './speaking.ts';
import { metaOf, subject, type Work } from './subject.ts';

export interface Line {
  transport: 'stdio' | 'websocket' | 'http';
  revision: string;
}

/** Each revision over stdio and Streamable HTTP; a WebSocket in the newest that has sessions. */
export const LEGACY_LINES: Line[] = LEGACY_REVISIONS.flatMap((revision) =>
  (['stdio', 'websocket', 'http'] as const)
    .filter((transport) => transport !== 'websocket' || revision === NEWEST_LEGACY)
    .map((transport) => ({ transport, revision })),
);
export const MODERN_LINES: Line[] = MODERN_REVISIONS.flatMap((revision) =>
  (['stdio', 'websocket', 'http'] as const).map((transport) => ({ transport, revision })),
);
export const LINES: Line[] = [...LEGACY_LINES, ...MODERN_LINES];
export const isModern = ({ revision }: Line): boolean => isModernRevision(revision);

export const isHttp = ({ transport }: Line): boolean => transport === 'http';

/** The status of what is refused before it reaches the core. */
export const refused = (line: Line): number | undefined => (isHttp(line) ? 400 : undefined);

/** The status of what the core answers. */
export const answered = ({ transport }: Line): number | undefined => (transport === 'http' ? 200 : undefined);

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
  server: Server;
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

type Wire = Pick<Talk, 'tell'>;

export async function open(line: Line, options: Options = {}): Promise<Talk> {
  const { work, parts = {}, capabilities = {}, stage = 'ready' } = options;
  const limits = { stdioDrainMs: 1, httpDrainMs: 1, ...parts.limits };
  const flags = { transport: 'http', 'rate-limit': 'off', ws: true, ...parts.flags };
  const { server, ran, reported } = subject(work, { ...parts, limits, flags });
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

const WIRES: Record<Line['transport'], (server: Server, inbox: Inbox, line: Line) => Promise<Wire>> = {
  stdio: openStdio,
  websocket: openWebSocket,
  http: openHttp,
};

async function openStdio(server: Server, inbox: Inbox): Promise<Wire> {
  const input = new PassThrough();
  const output = new PassThrough();
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) inbox.put(JSON.parse(line));
  });
  const streams = { input, output, write: (text: string) => output.write(text) };
  const served = serveStdio(server, streams, new Promise(() => undefined));
  onTestFinished(async () => {
    input.end();
    await served;
  });
  return { tell: async (message) => void input.write(`${textOf(message)}\n`) };
}

async function openWebSocket(server: Server, inbox: Inbox): Promise<Wire> {
  const { url } = await serve({ server }, []);
  const client = new WebSocket(`${url.replace('http', 'ws')}/ws`, 'mcp');
  client.on('message', (data) => inbox.put(JSON.parse(String(data))));
  onTestFinished(() => client.terminate());
  await once(client, 'open');
  const tell = async (message: unknown) => void client.send(textOf(message));
  return { tell };
}

async function openHttp(server: Server, inbox: Inbox, line: Line): Promise<Wire> {
  const { url } = await serve({ server }, []);
  const { stream } = makeHttpClient(url);
  let session: Record<string, string> = {};
  const tell: Talk['tell'] = async (message, signal) => {
    const headers = isModern(line) ? modernHeaders(message, line) : session;
    const { status, headers: got, response, seen, messages } = await stream(message, headers, signal);
    if ('mcp-session-id' in got) session = { 'mcp-session-id': String(got['mcp-session-id']) };
    const isStream = got['content-type'] === 'text/event-stream';
    let taken = 0;
    const take = (): void => {
      for (const each of isStream ? messages().slice(taken) : []) inbox.put(each);
      taken = isStream ? messages().length : 0;
    };
    response.on('data', take);
    if (!seen.isOver) await once(response, 'close');
    take();
    if (got['content-type'] === 'application/json') inbox.put(JSON.parse(seen.text));
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
