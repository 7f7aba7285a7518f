/** An API on loopback, and a tool of `templates/runtime` in front of it: a call in, a request out, an answer in, a result out. */
import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { ApiBinding, HttpBinding, SchemaObject } from '../../templates/runtime/types.ts';
import { httpServer } from '../support/loopback.ts';
import { makeClient, makeServer, type Parts } from './core.ts';

export interface Received {
  method: string;
  target: string;
  /** By lower-case name. */
  headers: Record<string, string | string[] | undefined>;
  /** One character for each byte. */
  body: string;
}
export interface Reply {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}
/** May write by itself and return undefined. */
export type Answer = (request: Received, index: number, response: ServerResponse) => Reply | undefined;

export interface ToolResult {
  content: { type: string; text?: string; [member: string]: unknown }[];
  structuredContent?: unknown;
  isError?: boolean;
}

export async function startApi(answer: Answer): Promise<{ url: string; requests: Received[] }> {
  const requests: Received[] = [];
  const { url, close } = await httpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received: Received = {
        method: request.method ?? '',
        target: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('latin1'),
      };
      const reply = answer(received, requests.push(received) - 1, response);
      if (reply !== undefined) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
    });
  });
  onTestFinished(close);
  return { url, requests };
}

export interface ApiParts extends Omit<Parts, 'bindings' | 'catalog'> {
  binding?: Partial<HttpBinding> | undefined;
  api?: Partial<ApiBinding> | undefined;
  answer?: Answer;
  input?: SchemaObject;
  output?: SchemaObject;
  revision?: string;
  operations?: object;
  /** Beside the tool's. */
  bindings?: object;
}

/** One tool, `tool`, and one resource, `x://y`, of the same operation. */
export async function openApi(parts: ApiParts = {}) {
  const {
    binding,
    api,
    answer = () => ({ status: 204 }),
    input,
    output,
    revision,
    operations,
    bindings,
    ...more
  } = parts;
  const upstream = await startApi(answer);
  const work = { kind: 'http', method: 'GET', path: '/a', parameters: [], ...binding };
  const listed = { name: 'tool', inputSchema: input ?? { type: 'object' }, outputSchema: output };
  const sent: object[] = [];
  const reported: unknown[] = [];
  const server = makeServer(
    {
      catalog: {
        tools: [listed],
        resources: [{ uri: 'x://y', name: 'y' }],
      },
      bindings: {
        ...(bindings ?? {
          upstream: { servers: [{ url: upstream.url }], securitySchemes: {}, ...api },
        }),
        tools: { tool: { do: work } },
        resources: { 'x://y': { do: work } },
        operations,
      },
      ...more,
    },
    reported,
  );
  const { send } = makeClient(server, sent);
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    const reply = (await send({ jsonrpc: '2.0', id: ++id, method, params })) as
      { result?: unknown; error?: { code: number; message: string } } | undefined;
    return reply ?? {};
  };
  await ask('initialize', {
    protocolVersion: revision ?? '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'client', version: '0' },
  });
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    ...upstream,
    server,
    sent,
    reported,
    ask,
    notify: (method: string, params: object) => send({ jsonrpc: '2.0', method, params }),
    call: async (args: object = {}, params: object = {}): Promise<ToolResult> => {
      const { result, error } = await ask('tools/call', { name: 'tool', arguments: args, ...params });
      if (result === undefined) throw new Error(error?.message ?? 'no answer');
      return result as ToolResult;
    },
    read: () => ask('resources/read', { uri: 'x://y' }),
  };
}

export const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text ?? '').join('\n');

/** What one call sends. */
export async function requestOf(parts: ApiParts, args: object = {}): Promise<Received | string> {
  const opened = await openApi(parts);
  const result = await opened.call(args);
  return opened.requests[0] ?? textOf(result);
}

/** What one call returns for an answer. */
export async function resultOf(reply: Reply, parts: ApiParts = {}, args: object = {}): Promise<ToolResult> {
  const opened = await openApi({ ...parts, answer: () => reply });
  return opened.call(args);
}

export const json = (value: unknown, more: Reply = {}): Reply => ({
  ...more,
  headers: { 'content-type': 'application/json', ...more.headers },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
