/** Emitted servers, started; and what the official clients list and call, for tests that take either. */
import { spawn } from 'node:child_process';
import path from 'node:path';

import type { Client as NewClient } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import type { JsonObject } from '../../../src/util/json-schema.ts';
import { overhear, planted } from '../../support/canaries.ts';
import { judged } from '../../support/conversation.ts';
import { serverNode } from './command.ts';

/** A client of either SDK. */
type AnyClient = OldClient | NewClient;

const info = { name: 'mcpgen-tests', version: '1.0.0' };

export interface ServerSettings {
  env?: Record<string, string>;
  args?: string[];
  /** Default: a free one. */
  port?: number;
}

export interface StartedClient {
  client: OldClient;
  /** What the server has said on standard error. */
  said: () => string;
}

/** Starts `node <args>` as a server over stdio, for the client of SDK 1.x; the caller closes the client. */
export async function startClient(
  args: string[],
  place: { cwd?: string; env?: Record<string, string> } = {},
): Promise<StartedClient> {
  const client = new OldClient(info);
  const transport = new OldStdio({ command: serverNode, args, stderr: 'pipe', ...place });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await client.connect(judged(transport));
  return { client, said: () => said };
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
