/** The ways in which an emitted server is called: both official clients, each over stdio and over Streamable HTTP. */
import path from 'node:path';

import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { connectNewClient, connectOldClient } from '../lib/clients.mjs';
import { start } from './start.mjs';

const info = { name: 'mcpgen-repository', version: '1.0.0' };

/** The newest revision that both sides speak: with ours, one without sessions. */
const newest = { versionNegotiation: { mode: 'auto' } };

/**
 * @typedef {object} Connection
 * @property {string} name
 * @property {(project: string, env: Record<string, string>) => Promise<{ client: NewClient | OldClient, close: () => Promise<void> }>} open
 *   starts the emitted server too; `close` ends it
 */

/** @type {Connection[]} */
export const connections = [
  { name: 'stdio, sdk 1.x', open: (project, env) => connectOldClient(project, { env }) },
  { name: 'http, sdk 1.x', open: overHttp(() => new OldClient(info), OldHttp) },
  { name: 'stdio, client 2.x', open: (project, env) => connectNewClient(project, { env, options: newest }) },
  { name: 'http, client 2.x', open: overHttp(() => new NewClient(info, newest), NewHttp) },
];

function overHttp(newClient, Transport) {
  return async (project, env) => {
    const server = await start({
      command: process.execPath,
      args: [path.join(project, 'dist/main.js'), '--transport', 'http', '--port', '0'],
      env: { PATH: process.env.PATH ?? '', ...env },
      ready: /(http:\/\/\S+\/mcp)/,
    });
    const client = newClient();
    const close = () => client.close().finally(server.close);
    try {
      await client.connect(new Transport(new URL(server.url)));
    } catch (error) {
      await close();
      throw error;
    }
    return { client, close };
  };
}
