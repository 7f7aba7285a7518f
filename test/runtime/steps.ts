/** A server with the feature `steps`, and tools that are functions of the test. */
import { onTestFinished } from 'vitest';
import type { Steps } from '../../templates/runtime/features/steps/program.ts';
import { makeIndex } from '../../templates/runtime/features/search/search-index.ts';
import type { ToolInfo } from '../../templates/runtime/types.ts';
import { hello, ready } from './client.ts';
import { makeClient, makeServer, type Parts } from './core.ts';

export type { Steps };

const HINTS = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { destructiveHint: true },
};
const text = { type: 'string' };
const SCHEMAS: Readonly<Record<string, { input: object; output?: object }>> = {
  list_issues: {
    input: { type: 'object', properties: { state: text }, additionalProperties: false },
    output: {
      type: 'object',
      properties: {
        total: { type: 'integer' },
        next: { type: ['string', 'null'] },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              ...{ id: { type: 'integer' }, state: text, title: text, votes: { type: 'integer' } },
              labels: { type: 'array', items: text },
            },
          },
        },
      },
      required: ['items'],
    },
  },
  get_issue: {
    input: {
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
      additionalProperties: false,
    },
    output: { type: 'object', properties: { id: { type: 'integer' }, body: text } },
  },
};

export function defineTool(name: string, access: keyof typeof HINTS | undefined): ToolInfo {
  const { input = { type: 'object' }, output } = SCHEMAS[name] ?? {};
  return {
    name,
    inputSchema: input as ToolInfo['inputSchema'],
    ...(output !== undefined && { outputSchema: output as NonNullable<ToolInfo['outputSchema']> }),
    ...(access !== undefined && { annotations: HINTS[access] }),
  };
}

type Work = (args: Record<string, unknown>, context: never) => unknown;
interface Tools {
  tools: ToolInfo[];
  handlers: Record<string, Work>;
}
interface Result {
  content: { type: string; text?: string; uri?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Functions alone are tools that read. */
export async function open(
  given: Tools | Record<string, Work>,
  { aroundCall, ...parts }: Parts & { aroundCall?: unknown } = {},
) {
  const { tools, handlers } = Array.isArray(given['tools'])
    ? (given as Tools)
    : {
        tools: Object.keys(given).map((name) => defineTool(name, 'read')),
        handlers: given as Record<string, Work>,
      };
  const called: [name: string, args: unknown][] = [];
  const sent: object[] = [];
  const request = { kind: 'http', method: 'GET', path: '/', parameters: [] };
  const works = Object.entries(handlers).map(([name, work]) => [
    name,
    (args: Record<string, unknown>, context: never) => {
      called.push([name, args]);
      return work(args, context);
    },
  ]);
  const server = makeServer(
    {
      hasSteps: true,
      search: makeIndex(tools, []).print(),
      ...parts,
      catalog: { tools, ...parts.catalog },
      bindings: {
        tools: Object.fromEntries(tools.map(({ name }) => [name, { do: request }])),
        ...parts.bindings,
      },
      handlers: {
        tools: Object.fromEntries(works) as object,
        ...(aroundCall !== undefined && { aroundCall }),
      },
    },
    [],
  );
  await server.start();
  onTestFinished(() => server.close());
  const { send } = makeClient(server, sent);
  await send(hello());
  await send(ready);
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<unknown> => {
    const reply = await send({ jsonrpc: '2.0', id: ++id, method, params });
    const { result, error } = (reply ?? {}) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const call = async (name: string, args: object): Promise<unknown> =>
    ask('tools/call', { name, arguments: args });
  const run = async (program: Partial<Steps>, name = 'run_read_steps'): Promise<Result> =>
    (await call(name, program)) as Result;
  return { ask, call, run, called, sent };
}
