/** The official clients over Streamable HTTP, with their default options, and with the newest revision. */
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const info = { name: 'mcpgen-repository', version: '1.0.0' };

/** @type {Record<string, () => [client: OldClient | NewClient, transport: typeof OldTransport | typeof NewTransport]>} */
export const officialClients = {
  'SDK 1.x': () => [new OldClient(info), OldTransport],
  'SDK 2.x': () => [new NewClient(info), NewTransport],
  'SDK 2.x, 2026-07-28': () => [
    new NewClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    NewTransport,
  ],
};

/**
 * @param {keyof typeof officialClients} name
 * @param {URL} url
 */
export async function connectOfficial(name, url) {
  const [client, Transport] = officialClients[name]();
  try {
    await client.connect(new Transport(url));
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  return client;
}
