/** A client over HTTP that sends what it is told to: `fetch` would set and forbid headers of its own. */
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Context } from '../../templates/runtime/types.ts';
import { type HttpParts, serve } from './http.ts';

export type Fields = Record<string, string | undefined>;

/** One event of a stream, with the members it had. */
export interface SseEvent {
  event?: string;
  id?: string;
  retry?: string;
  data?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: { id?: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } };
}

export const MODERN = '2026-07-28';
export const META = 'io.modelcontextprotocol/';
export const meta = { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: {} };
export const hello = (protocolVersion = '2025-11-25') => ({
  jsonrpc: '2.0',
  id: 'open',
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'client', version: '0' } },
});
export const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
export const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
export const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x' } };
export const failure = (code: number, message: unknown, id?: unknown) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code, message },
});
export const modern = (method: string, params: object = {}, id: unknown = 7) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: meta },
});
export const modernHead = (method: string, name?: string) => ({
  'mcp-protocol-version': MODERN,
  'mcp-method': method,
  'mcp-name': name,
});
export const modernCall = modern('tools/call', { name: 'x' });
export const callHead = modernHead('tools/call', 'x');
const POST_HEAD = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** What a test opens when it is time. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

export function makeHttpClient(base: string) {
  const begin = (
    method: string,
    path: string,
    headers: Fields,
    body?: string | Uint8Array,
    signal?: AbortSignal,
  ) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const fields = Object.entries(headers).filter(([, value]) => value !== undefined);
      const options = { method, headers: Object.fromEntries(fields) as Record<string, string>, agent: false };
      const request = httpRequest(base + path, { ...options, ...(signal && { signal }) }, resolve);
      request.on('error', reject).end(body);
    });
  const send = async (
    method: string,
    path: string,
    headers: Fields,
    body?: string | Uint8Array,
  ): Promise<Answer> => {
    const response = await begin(method, path, headers, body);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    const json = (
      text !== '' && response.headers['content-type'] === 'application/json' ? JSON.parse(text) : {}
    ) as Answer['json'];
    return { status: response.statusCode ?? 0, headers: response.headers, text, json };
  };
  const textOf = (message: unknown) =>
    typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message);
  const post = (message: unknown, headers: Fields = {}) =>
    send('POST', '/mcp', { ...POST_HEAD, ...headers }, textOf(message));
  /** A session of a legacy revision: its headers. */
  const open = async (revision?: string, headers: Fields = {}): Promise<Fields> => {
    const opened = await post(hello(revision), headers);
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    await post(ready, { ...session, ...headers });
    return session;
  };
  /** A response that is read while it comes. */
  const read = async (...parts: Parameters<typeof begin>) => {
    const response = await begin(...parts);
    onTestFinished(() => void response.destroy());
    const seen = { text: '', isOver: false, isWhole: false };
    response.setEncoding('utf8').on('data', (chunk: string) => (seen.text += chunk));
    response
      .on('error', () => undefined)
      .on('close', () => {
        seen.isOver = true;
        seen.isWhole = response.complete;
      });
    const messages = () =>
      [...seen.text.matchAll(/^data: (.+)\n/gm)].map(
        ([, data = '']) => JSON.parse(data) as Record<string, unknown>,
      );
    /** Comments are left out. */
    const events = (): SseEvent[] =>
      seen.text
        .split('\n\n')
        .slice(0, -1)
        .filter((block) => !block.startsWith(':'))
        .map((block) =>
          Object.fromEntries([...block.matchAll(/^(\w+): ?(.*)$/gm)].map(([, ...field]) => field)),
        );
    let taken = 0;
    /** The next event; undefined at the end. */
    const next = async (): Promise<SseEvent | undefined> => {
      while (events().length <= taken && !seen.isOver)
        await new Promise((resolve) => response.once('data', resolve).once('close', resolve));
      return events()[taken++];
    };
    /** All that comes until the end. */
    const rest = async (): Promise<SseEvent[]> => {
      const first = taken;
      while ((await next()) !== undefined);
      return events().slice(first);
    };
    /** The message of the next event that has one. */
    const message = async (): Promise<Record<string, unknown> | undefined> => {
      for (let event = await next(); event !== undefined; event = await next())
        if (event.data) return JSON.parse(event.data) as Record<string, unknown>;
      return undefined;
    };
    const { statusCode: status = 0, headers } = response;
    return { status, headers, response, seen, messages, next, rest, message };
  };
  const stream = (message: unknown, headers: Fields, signal?: AbortSignal) =>
    read('POST', '/mcp', { ...POST_HEAD, ...headers }, textOf(message), signal);
  const listen = (headers: Fields, path = '/mcp') =>
    read('GET', path, { accept: 'text/event-stream', ...headers });
  return { begin, send, post, open, stream, listen };
}

export interface StartParts extends HttpParts {
  handler?: (context: Context, args: object) => unknown;
  inputSchema?: object;
  /** Further members of the tool. */
  tool?: object;
}

/** A server with the tool `x`, and a client of it. */
export async function start({
  handler = () => 'done',
  inputSchema = { type: 'object' },
  tool: more = {},
  ...parts
}: StartParts = {}) {
  const counted = { calls: 0 };
  const reported: unknown[] = [];
  const tool = {
    name: 'x',
    inputSchema,
    ...more,
    handler: (args: object, context: Context) => {
      counted.calls++;
      return handler(context, args);
    },
  };
  const handlers = { ...parts.handlers, extraTools: [tool] };
  const served = await serve({ ...parts, handlers }, reported);
  return { ...served, ...makeHttpClient(served.url), counted, reported };
}
