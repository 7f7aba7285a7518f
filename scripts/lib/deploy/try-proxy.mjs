/** Two servers behind a proxy, and their clients. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { programCalled } from '../../e2e-real/servers/debian.mjs';
import { freePort } from '../free-port.mjs';
import { describe, RawModern, resultOf } from '../nodes/raw-client.mjs';
import { run } from '../run.mjs';
import { start } from '../start.mjs';

const CALLS = 40;
/** Proxies that ask `/readyz` once a second: a server that is draining gets nothing more. */
const ASKING = ['caddy', 'haproxy'];

/** Complaints. */
export async function tryProxy(name, text, project, folder) {
  const secret = randomBytes(32).toString('base64');
  const ports = [await freePort(), await freePort()];
  const servers = [];
  let proxy;
  try {
    for (const port of ports) servers.push(await startServer(project, port, secret));
    proxy = await startProxy(name, text, ports, folder);
    const url = new URL(proxy.url);
    return [
      ...(await complaintOf('both eras', () => callAsClients(url))),
      ...(await complaintOf('a stream', () => openStream(url))),
      ...(ASKING.includes(name)
        ? await complaintOf('a server that is replaced', () =>
            replaceOne(url, servers, project, ports, secret),
          )
        : []),
    ];
  } finally {
    await proxy?.close();
    for (const server of servers) await server.close();
  }
}

function startServer(project, port, secret) {
  const env = {
    PATH: process.env.PATH,
    MCP_STATE_SECRET: secret,
    MCP_TRUSTED_PROXIES: '127.0.0.1',
    MCP_DRAIN_DELAY_MS: '4000',
  };
  const args = [path.join(project, 'dist/main.js'), '--transport', 'http', '--port', String(port), '--mock'];
  const health = `http://127.0.0.1:${port}/healthz`;
  return start({ command: process.execPath, args, env, health, endMs: 20_000 });
}

async function complaintOf(what, work) {
  try {
    await work();
    return [];
  } catch (error) {
    return [`${what}: ${String(error.stack)}`];
  }
}

/** Both official clients with default options. Their sessions go to either server. */
async function callAsClients(url) {
  const about = { name: 'mcpgen-deploy', version: '1.0.0' };
  for (const [client, transport] of [
    [new OldClient(about), new OldHttp(url)],
    [new NewClient(about), new NewHttp(url)],
  ]) {
    await client.connect(transport);
    for (let call = 0; call < CALLS; call++) {
      const { isError } = await client.callTool({ name: 'getPet', arguments: { petId: call + 1 } });
      if (isError) throw new Error(`call ${call} failed`);
    }
    await client.close();
  }
}

const settings = () => ({ isAlone: true, signal: AbortSignal.timeout(15_000) });

/** The first event of a subscription arrives while the stream is open: nothing keeps it back. */
async function openStream(url) {
  const params = { notifications: { toolsListChanged: true } };
  const take = (_event, _state, stop) => stop();
  const stream = await new RawModern(url).ask('subscriptions/listen', params, { take, ...settings() });
  if (stream.messages[0]?.method !== 'notifications/subscriptions/acknowledged')
    throw new Error(describe(stream));
}

/** The server ends and starts again during calls: none may fail. */
async function replaceOne(url, servers, project, ports, secret) {
  let isDone = false;
  const replaced = (async () => {
    await sleep(500);
    await servers[0].close();
    servers[0] = await startServer(project, ports[0], secret);
    await sleep(2_500);
  })().finally(() => (isDone = true));
  const failed = [];
  while (!isDone) {
    const called = await new RawModern(url).call('getPet', { petId: 1 }, {}, settings());
    if (resultOf(called) === undefined) failed.push(describe(called));
    await sleep(10);
  }
  await replaced;
  if (failed.length > 0) throw new Error(`${failed.length} calls failed, the first with ${failed[0]}`);
}

/** By Debian's name: the file of the page, and how it is checked and run. */
export const PROXIES = {
  'nginx-light': {
    program: 'nginx',
    file: 'nginx.conf',
    check: (file, folder) => ['-t', ...nginxArgs(file, folder)],
    serve: (file, folder) => [...nginxArgs(file, folder), '-g', `daemon off; pid ${folder}/nginx.pid;`],
  },
  caddy: {
    program: 'caddy',
    file: 'Caddyfile',
    check: (file) => ['validate', '--adapter', 'caddyfile', '--config', file],
    serve: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  haproxy: {
    program: 'haproxy',
    file: 'haproxy.cfg',
    check: (file) => ['-c', '-f', file],
    serve: (file) => ['-db', '-f', file],
  },
};

function nginxArgs(file, folder) {
  return ['-p', folder, '-e', 'stderr', '-c', file];
}

/** The command that installs it, where it is missing. */
export function missingProxy(name) {
  return programCalled(PROXIES[name].program) === undefined ? `apt-get install ${name}` : undefined;
}

/** What the program has against the file. */
export async function checkConfiguration(name, file, folder) {
  const { program, check } = PROXIES[name];
  const env = { ...process.env, HOME: folder };
  const { code, stdout, stderr } = await run(programCalled(program), check(path.join(folder, file), folder), {
    env,
  });
  return code === 0 ? [] : [`${program} refuses ${file}:\n${stdout}\n${stderr}`];
}

/**
 * Starts one with the text of the page, where ports and the host are changed alone. `ports`: of two servers;
 * `folder`: where it may write.
 */
async function startProxy(name, text, ports, folder) {
  const { file, serve, program } = PROXIES[name];
  const port = await freePort();
  const changed = text
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${ports[1]}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(
      /^mcp\.example\.com \{/,
      `{\n  admin off\n  auto_https off\n  grace_period 1s\n}\nhttp://127.0.0.1:${port} {`,
    );
  const written = path.join(folder, file);
  await writeFile(written, changed);
  const refused = await checkConfiguration(name, file, folder);
  if (refused.length > 0) throw new Error(refused[0]);
  const command = programCalled(program);
  const env = { ...process.env, HOME: folder };
  const health = `http://127.0.0.1:${port}/healthz`;
  const { close } = await start({ command, args: serve(written, folder), env, health });
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}
