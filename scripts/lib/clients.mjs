/** The two official clients, connected to an emitted server by stdio. */
import path from 'node:path';

import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';

const info = { name: 'mcpgen-repository', version: '1.0.0' };

/** Large APIs list more than the clients' default buffer of 10 MB. */
const maxBufferSize = 512 * 1024 * 1024;

/**
 * Starts `node dist/main.js` of an emitted project and connects the client of `@modelcontextprotocol/client` 2.x. `close`
 * ends the server too; `stderr` tells what it said so far.
 */
export function connectNewClient(project, { options, ...settings } = {}) {
  return connect(new NewClient(info, options), NewStdio, project, settings);
}

/** The same with `@modelcontextprotocol/sdk` 1.x. */
export function connectOldClient(project, settings = {}) {
  return connect(new OldClient(info), OldStdio, project, settings);
}

async function connect(client, Transport, project, { env = {}, args = [] }) {
  const transport = new Transport({
    command: process.execPath,
    args: [path.join(project, 'dist/main.js'), ...args],
    cwd: project,
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
    maxBufferSize,
  });
  const said = [];
  transport.stderr?.on('data', (chunk) => said.push(chunk));
  const stderr = () => Buffer.concat(said).toString('utf8');
  try {
    await client.connect(transport);
  } catch (error) {
    await client.close().catch(() => undefined);
    throw new Error(`The server did not answer the client: ${String(error)}\n${stderr()}`, { cause: error });
  }
  return { client, stderr, close: () => client.close() };
}

/** The four lists of MCP: client method, result key, and the capability that offers it. */
const lists = [
  ['listTools', 'tools', 'tools'],
  ['listResources', 'resources', 'resources'],
  ['listResourceTemplates', 'resourceTemplates', 'resources'],
  ['listPrompts', 'prompts', 'prompts'],
];

/** Pages through everything the server lists. What it has no capability for is an empty list. */
export async function listAll(client) {
  const found = {};
  for (const [method, key, capability] of lists) {
    found[key] = client.getServerCapabilities()?.[capability] ? await everyPage(client, method, key) : [];
  }
  return found;
}

async function everyPage(client, method, key) {
  const items = [];
  let cursor;
  do {
    const page = await client[method](cursor === undefined ? undefined : { cursor });
    items.push(...page[key]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}
