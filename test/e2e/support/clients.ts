/** Both official clients behind one small interface, so that each test runs with either. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';

import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import type { JsonObject } from '../../../src/util/json-schema.ts';
import { overhear, planted } from '../../support/canaries.ts';
import { judged } from '../../support/conversation.ts';
import { serverNode } from './command.ts';

/** A client of either SDK. */
export type AnyClient = OldClient | NewClient;

export const generations = ['sdk 1.x', 'client 2.x'] as const;
export type Generation = (typeof generations)[number];

const info = { name: 'mcpgen-tests', version: '1.0.0' };

export interface ServerSettings {
  env?: Record<string, string>;
  args?: string[];
  /** Default: a free one. */
  port?: number;
}

/** Starts an emitted server over stdio; it ends with the test. */
export async function connectStdio(
  generation: Generation,
  project: string,
  { env = {}, args = [] }: ServerSettings = {},
): Promise<AnyClient> {
  const start = {
    command: serverNode,
    args: [path.join(project, 'dist/main.js'), ...args],
    cwd: project,
    env: { PATH: process.env['PATH'] ?? '', ...planted(env, project) },
    stderr: 'pipe' as const,
  };
  const client = generation === 'sdk 1.x' ? new OldClient(info) : new NewClient(info);
  onTestFinished(() => client.close());
  if (client instanceof OldClient) await client.connect(judged(heard(new OldStdio(start))));
  else await client.connect(judged(heard(new NewStdio(start))));
  return client;
}

function heard<T extends OldStdio | NewStdio>(transport: T): T {
  // Of either SDK, a stream that is read.
  if (transport.stderr instanceof Readable) overhear('standard error', transport.stderr);
  return transport;
}

/** Connects to an MCP endpoint over Streamable HTTP. */
export async function connectHttp(generation: Generation, url: string): Promise<AnyClient> {
  const client = generation === 'sdk 1.x' ? new OldClient(info) : new NewClient(info);
  onTestFinished(() => client.close());
  if (client instanceof OldClient) {
    const transport: OldTransport = looseTransport(judged(new OldHttp(new URL(url))));
    await client.connect(transport);
  } else await client.connect(judged(new NewHttp(new URL(url))));
  return client;
}

/** The old client's types were not written for `exactOptionalPropertyTypes`. */
function looseTransport(transport: unknown): OldTransport {
  return transport as OldTransport;
}

/** Starts an emitted server in HTTP mode on a free port; it ends with the test. Gives its origin. */
export async function startHttp(project: string, settings: ServerSettings = {}): Promise<string> {
  const { origin, stop } = await startServer(project, settings);
  onTestFinished(stop);
  return origin;
}

export interface StartedServer {
  /** `http://127.0.0.1:…` */
  origin: string;
  stop: () => void;
}

/** Starts an emitted server in HTTP mode on a free port; the caller stops it. */
export async function startServer(
  project: string,
  { env = {}, args = [], port: chosen }: ServerSettings = {},
): Promise<StartedServer> {
  const port = chosen ?? (await freePort());
  const all = [path.join(project, 'dist/main.js'), '--transport', 'http', '--port', String(port), ...args];
  const child = spawn(serverNode, all, {
    cwd: project,
    env: { PATH: process.env['PATH'] ?? '', ...planted(env, project) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  overhear('standard error', child.stderr);
  const stop = () => void child.kill('SIGKILL');
  const origin = `http://127.0.0.1:${String(port)}`;
  await untilHealthy(origin, () => child.exitCode).catch((thrown: unknown) => {
    stop();
    throw thrown;
  });
  return { origin, stop };
}

async function untilHealthy(origin: string, exitCode: () => number | null): Promise<void> {
  for (;;) {
    const healthy = await fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return;
    if (exitCode() !== null) throw new Error(`The server ended with ${String(exitCode())}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Embedded {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

/** A tool's result, as far as tests look at it. */
export interface Called {
  isError: boolean;
  /** The first text block. */
  text: string | undefined;
  structured: JsonObject | undefined;
  content: { type: string; text?: string; data?: string; mimeType?: string; resource?: Embedded }[];
}

export async function call(client: AnyClient, name: string, args: JsonObject = {}): Promise<Called> {
  const result: JsonObject = JSON.parse(JSON.stringify(await client.callTool({ name, arguments: args })));
  const content = result['content'] as unknown as Called['content'];
  return {
    isError: result['isError'] === true,
    text: content.find(({ type }) => type === 'text')?.text,
    structured: result['structuredContent'] as JsonObject | undefined,
    content,
  };
}

/** Every tool, over all pages. */
export async function toolsOf(
  client: AnyClient,
): Promise<{ name: string; inputSchema: object; outputSchema?: object | undefined }[]> {
  const tools = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}
