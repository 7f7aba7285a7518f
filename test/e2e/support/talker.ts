/** The official clients, told which revision to speak, behind the little that a conversation needs. */
import {
  Client as NewClient,
  SSEClientTransport as NewSse,
  StreamableHTTPClientTransport as NewHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as OldSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport as OldWebSocket } from '@modelcontextprotocol/sdk/client/websocket.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { judged } from '../../support/conversation.ts';
import { MODERN_REVISION } from '../../support/message-checks.ts';

export type TransportName = 'stdio' | 'http' | 'sse' | 'ws';

/** One client of one kind, over one transport, in one revision. */
export interface Line {
  generation: 'sdk 1.x' | 'client 2.x';
  transport: TransportName;
  revision: string;
}

export interface Target {
  /** Starts the server over stdio. */
  stdio: { command: string; args: string[]; env: Record<string, string>; cwd: string };
  /** URL of the running server: `http://127.0.0.1:…`. */
  origin: string;
}

export interface CallOptions {
  meta?: Record<string, unknown>;
  onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
  signal?: AbortSignal;
}

export interface Talker {
  client: OldClient | NewClient;
  /** Gives the result's text, led by `error: ` when it is one. */
  call: (name: string, args?: Record<string, unknown>, options?: CallOptions) => Promise<string>;
  /** Lines that the server logged. */
  logged: unknown[];
  /** Forms that the user was shown, each answered by the color green. */
  forms: string[];
}

const info = { name: 'mcpgen-tests', version: '1.0.0' };
const reply = { action: 'accept' as const, content: { color: 'green' } };

/** Shows a page. */
type Show = (url: string) => void;

/** The client ends with the test. Without `show` it has forms alone. */
export async function connect(line: Line, target: Target, show?: Show): Promise<Talker> {
  const talker = await (line.generation === 'sdk 1.x' ? connectOld : connectNew)(line, target, show);
  onTestFinished(() => talker.client.close());
  return talker;
}

function capabilitiesOf(show: Show | undefined) {
  return { elicitation: show === undefined ? {} : { form: {}, url: {} } };
}

async function connectOld({ transport, revision }: Line, target: Target, show?: Show): Promise<Talker> {
  const client = new OldClient(info, { capabilities: capabilitiesOf(show) });
  const [logged, forms]: [unknown[], string[]] = [[], []];
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void logged.push(params.data),
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    forms.push(params.message);
    if (params.mode !== 'url') return reply;
    show?.(params.url);
    return { action: 'accept' as const };
  });
  await client.connect(asking(revision, judged(oldTransport(transport, target))));
  return {
    client,
    logged,
    forms,
    call: async (name, args = {}, { meta = {}, ...options } = {}) =>
      textOf(await client.callTool({ name, arguments: args, _meta: meta }, CallToolResultSchema, options)),
  };
}

function oldTransport(name: TransportName, { stdio, origin }: Target): OldTransport {
  switch (name) {
    case 'stdio':
      return new OldStdio({ ...stdio, stderr: 'inherit' });
    case 'http':
      // Its accessors may be undefined, which exact optional types refuse.
      return new OldHttp(new URL(`${origin}/mcp`)) as OldTransport;
    case 'sse':
      return new OldSse(new URL(`${origin}/sse`));
    case 'ws':
      // The client was written for browsers; Node has its own WebSocket since 22.
      vi.stubGlobal('WebSocket', WebSocket);
      onTestFinished(() => void vi.unstubAllGlobals());
      return new OldWebSocket(new URL(`${origin.replace('http', 'ws')}/ws`));
  }
}

/** The old client always asks for its newest revision, so the words are put in its mouth. */
function asking<T extends Pick<OldTransport, 'send'>>(revision: string, transport: T): T {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const opens = 'method' in message && message.method === 'initialize';
    const params = opens ? { ...message.params, protocolVersion: revision } : undefined;
    return send(params === undefined ? message : { ...message, params }, options);
  };
  return transport;
}

async function connectNew({ transport, revision }: Line, target: Target, show?: Show): Promise<Talker> {
  const isModern = revision === MODERN_REVISION;
  const client = new NewClient(info, {
    capabilities: capabilitiesOf(show),
    supportedProtocolVersions: [revision],
    versionNegotiation: { mode: isModern ? { pin: revision } : 'legacy' },
  });
  const [logged, forms]: [unknown[], string[]] = [[], []];
  client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params.data));
  client.setRequestHandler('elicitation/create', ({ params }) => {
    forms.push(params.message);
    if (params.mode !== 'url') return reply;
    show?.(params.url);
    return { action: 'accept' as const };
  });
  await client.connect(judged(newTransport(transport, target)));
  return {
    client,
    logged,
    forms,
    call: async (name, args = {}, { meta = {}, ...options } = {}) =>
      textOf(await client.callTool({ name, arguments: args, _meta: meta }, options)),
  };
}

function newTransport(name: TransportName, { stdio, origin }: Target): NewStdio | NewHttp | NewSse {
  switch (name) {
    case 'stdio':
      return new NewStdio({ ...stdio, stderr: 'inherit' });
    case 'http':
      return new NewHttp(new URL(`${origin}/mcp`));
    case 'sse':
      return new NewSse(new URL(`${origin}/sse`));
    case 'ws':
      throw new Error('This client has no WebSocket.');
  }
}

function textOf(result: object): string {
  const { content, isError } = result as { content: { text?: string }[]; isError?: boolean };
  return `${isError === true ? 'error: ' : ''}${content.map(({ text }) => text).join('\n')}`;
}
