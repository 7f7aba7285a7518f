/**
 * One server from its start to its end: compiled from its own document, and driven through its steps by both official
 * clients, each over stdio and over Streamable HTTP.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { connectNewClient, connectOldClient, listAll } from '../lib/clients.mjs';
import { mcpgenOrThrow } from '../lib/run.mjs';
import { textOf } from './answer.mjs';
import { direct } from './direct.mjs';
import { start } from '../lib/start.mjs';

const info = { name: 'mcpgen-repository', version: '1.0.0' };

/** The newest revision that both sides speak: with ours, one without sessions. */
const newest = { versionNegotiation: { mode: 'auto' } };

/** Each starts the emitted server too; `close` ends it. */
const connections = {
  'stdio, sdk 1.x': (project, env) => connectOldClient(project, { env }),
  'http, sdk 1.x': overHttp(() => new OldClient(info), OldHttp),
  'stdio, client 2.x': (project, env) => connectNewClient(project, { env, options: newest }),
  'http, client 2.x': overHttp(() => new NewClient(info, newest), NewHttp),
};

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

/** Returns a row of results for each connection: how many tools, and what is wrong by the names of steps. `folder` is empty. */
export async function runServer({ start, steps, workflows = {} }, folder, settings) {
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
  for (const one of [home, project]) mkdirSync(one);
  const running = await start(home, settings);
  try {
    const configuration = { source: running.document, workflows };
    writeFileSync(path.join(project, 'mcpgen.config.json'), JSON.stringify(configuration));
    await mcpgenOrThrow(['generate', project]);
    const rows = [];
    for (const [connection, open] of Object.entries(connections)) {
      const { client, close } = await open(project, running.env ?? {});
      try {
        const { tools } = await listAll(client);
        rows.push({ connection, tools: tools.length, faults: await runSteps(client, running, steps) });
      } finally {
        await close();
      }
    }
    return rows;
  } finally {
    await running.close();
  }
}

/**
 * Steps get `call`, the result of a call that has to succeed; `refused`, the words of a call that has to fail; `ask`, the
 * server itself; and `kept`, what earlier steps of the same connection left behind. Those after a failed one run too.
 */
async function runSteps(client, { url, headers }, steps) {
  const callTool = (name, args, onprogress) => {
    const options = onprogress && { onprogress };
    return client instanceof OldClient
      ? client.callTool({ name, arguments: args }, undefined, options)
      : client.callTool({ name, arguments: args }, options);
  };
  const hands = {
    call: async (tool, args = {}, onprogress = undefined) => {
      const result = await callTool(tool, args, onprogress);
      assert.ok(!result.isError, `${tool} failed: ${textOf(result)}`);
      return result;
    },
    refused: async (tool, args = {}) => {
      const result = await callTool(tool, args);
      assert.ok(result.isError, `${tool} did not fail: ${textOf(result)}`);
      return textOf(result);
    },
    ask: (path, how = {}) => direct(url + path, { ...how, headers: { ...headers, ...how.headers } }),
    kept: {},
  };
  const faults = [];
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step(hands);
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return faults;
}
