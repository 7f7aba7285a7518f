/** A server of functions: a message in, the function's parameters and the reply out. */
import type { FunctionBinding } from '../../templates/runtime/features/functions/binding.ts';
import { Session } from '../../templates/runtime/session.ts';
import { makeClient, makeServer, type Parts } from './core.ts';
import type { ToolResult } from './api.ts';

export interface Reply {
  result?: Record<string, unknown> & Partial<ToolResult>;
  error?: { code: number; message: string };
}
export interface ProgramParts extends Omit<Parts, 'bindings'> {
  /** Tools, each with what its binding says beside module and export. */
  tools?: Record<string, Partial<FunctionBinding>>;
  bindings?: Record<string, unknown>;
}

export const MODULE = 'app/a.ts';

export function bind(name: string, more: Partial<FunctionBinding> = {}): FunctionBinding {
  return { kind: 'function', module: MODULE, export: name, parameters: [], ...more };
}

/** @param exports of the one module */
export async function openProgram(exports: object, { tools = {}, ...parts }: ProgramParts = {}) {
  const reported: unknown[] = [];
  const sent: { method?: string; params?: Record<string, unknown> }[] = [];
  const names = Object.keys(tools);
  const server = makeServer(
    {
      functions: { modules: { [MODULE]: () => Promise.resolve(exports) } },
      ...parts,
      catalog: { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })), ...parts.catalog },
      bindings: {
        tools: Object.fromEntries(names.map((name) => [name, { do: bind(name, tools[name]) }])),
        ...parts.bindings,
      },
    },
    reported,
  );
  const connect = async (session = new Session()) => {
    const { send } = makeClient(server, sent, session);
    let id = 0;
    const ask = async (method: string, params: object = {}): Promise<Reply> =>
      (await send({ jsonrpc: '2.0', id: ++id, method, params })) as Reply;
    const clientInfo = { name: 'client', version: '0' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const call = async (name: string, args: object = {}, more: object = {}) =>
      (await ask('tools/call', { name, arguments: args, ...more })).result as ToolResult;
    return { ask, call, send, session };
  };
  return { server, reported, sent, connect, ...(await connect()) };
}

export const textOf = ({ content }: ToolResult): string => content.map(({ text = '' }) => text).join('\n');
