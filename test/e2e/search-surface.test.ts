// An emitted project with the search surface: over stdio, and over HTTP by the endpoint's `?surface=`.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SURFACE_TOOLS } from '../../src/model/listed-items.ts';
import { petstore } from '../emit/models.ts';
import { emit, placeProject, removeProject } from '../emit/render-project.ts';
import { type FakeApi, startApi } from '../runtime/upstream-fake.ts';

let api: FakeApi;
let project: string;
beforeAll(async () => {
  api = await startApi((target) => ({ json: { target } }));
  project = placeProject(
    await emit(
      { ...petstore, surface: 'search' },
      { features: ['stdio', 'http', 'sse', 'websocket'], publish: [] },
    ),
  );
});
afterAll(async () => {
  removeProject(project);
  await api.close();
});

const all = petstore.tools.map(({ name }) => name);
const env = () => ({ PATH: process.env['PATH'] ?? '', API_BASE_URL: api.url, API_KEY_KEY: 'k' });

async function listed(transport: Transport): Promise<string[]> {
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

function stdio(...args: string[]): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [join(project, 'dist/main.js'), ...args],
    env: env(),
  });
}

test.each<[string[], string[]]>([
  [[], [...SURFACE_TOOLS]],
  [
    ['--pin', 'method:get', '--pin', 'op:add*', '--exclude', 'op:addPet'],
    [...SURFACE_TOOLS, 'getPet'],
  ],
])('over stdio with %j', { timeout: 20_000 }, async (args, want) => {
  expect(await listed(stdio(...args))).toEqual(want);
});

async function serve(...args: string[]): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [join(project, 'dist/main.js'), '--transport', 'http', '--port', '0', ...args],
    { env: env() },
  );
  const url = await new Promise<string>((resolve) => {
    child.stderr.on('data', (text: Buffer) => {
      const found = /serving (http:\/\/[\d.]+:\d+)/.exec(text.toString())?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { url, child };
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

async function current(transport: Transport): Promise<AnyClient> {
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(transport);
  return client;
}

async function older(transport: OldTransport): Promise<AnyClient> {
  const client = new OldClient({ name: 'tests', version: '1' });
  await client.connect(transport);
  return {
    // Its own `listTools` refuses the schema `true`, which is an argument's in this model.
    listTools: async () =>
      (await client.request({ method: 'tools/list' }, ResultSchema)) as unknown as Awaited<
        ReturnType<AnyClient['listTools']>
      >,
    callTool: (params) => client.callTool(params),
    close: () => client.close(),
  };
}

const clients: Record<string, (endpoint: (path: string) => URL, query: string) => Promise<AnyClient>> = {
  'streamable HTTP': (endpoint, query) =>
    current(new StreamableHTTPClientTransport(endpoint(`/mcp${query}`))),
  'HTTP+SSE': (endpoint, query) => current(new SSEClientTransport(endpoint(`/sse${query}`))),
  WebSocket: (endpoint, query) => {
    const url = endpoint(`/ws${query}`);
    url.protocol = 'ws:';
    return older(new WebSocketClientTransport(url));
  },
};

test.each(Object.entries(clients))(
  'over %s a surface is listed by its endpoint, and a tool is called as by name',
  { timeout: 30_000 },
  async (_what, connect) => {
    vi.stubGlobal('WebSocket', WebSocket);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { url, child } = await serve('--sse', '--ws', '--surface', 'search,tools,both');
    onTestFinished(() => void child.kill());
    const endpoint = (path: string): URL => new URL(`${url}${path}`);
    const lists = {
      '': [...SURFACE_TOOLS],
      '?surface=tools': all,
      '?surface=both': [...SURFACE_TOOLS, ...all],
    };
    for (const [query, want] of Object.entries(lists)) {
      const client = await connect(endpoint, query);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(want);
      const target = { name: 'addPet', arguments: {} };
      const named = await client.callTool(target);
      expect(JSON.stringify(named)).toContain('POST /pets');
      expect(await client.callTool({ name: 'call_destructive_tool', arguments: target })).toEqual(named);
      const refused = await client.callTool({ name: 'call_read_tool', arguments: target });
      expect(refused['isError']).toBe(true);
      await client.close();
    }
    const listNone = async () => (await connect(endpoint, '?surface=none')).listTools();
    await expect(listNone()).rejects.toThrow();
  },
);

test('a project that lists all tools has neither the index nor the modules', async () => {
  const files = await emit(petstore, { features: ['stdio'], publish: [] });
  expect(files.filter(({ path }) => /search/.test(path))).toEqual([]);
});
