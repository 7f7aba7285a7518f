/** One client over one way against one API: the server, what stands between, the client's process, the verdict. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { startFakeModel } from './fake-model.mjs';
import { judge } from './judge.mjs';
import { freePort } from '../lib/free-port.mjs';
import { start } from '../lib/start.mjs';

/** Milliseconds that a client has for everything. */
const PATIENCE_MS = 180_000;

export async function runWay(way, served, machine) {
  const model = await startFakeModel(served.api.calls);
  const began = performance.now();
  const opened = [];
  try {
    const target = await open(way, served, machine, opened);
    const outcome = await runDriver(way, served.api, target, model, machine);
    return { ...judge(way, served, outcome, model), ms: performance.now() - began };
  } catch (error) {
    return { ...judge(way, served, { error: String(error.message) }, model), ms: performance.now() - began };
  } finally {
    for (const { close } of opened.toReversed()) await close();
    model.close();
  }
}

async function open({ transport, bridge }, served, machine, opened) {
  const target = transport === 'stdio' ? overStdio(served) : await overHttp(transport, served);
  if (target.close) opened.push(target);
  if (bridge === undefined) return target;
  const bridged = await throughBridge(bridge, transport, target, machine);
  opened.push(bridged);
  return bridged;
}

function environment({ api, upstream }) {
  return { PATH: process.env.PATH ?? '', API_BASE_URL: upstream, ...api.env };
}

function overStdio(served) {
  const args = [served.main, ...served.api.args];
  return { program: { command: process.execPath, args, env: environment(served) } };
}

async function overHttp(transport, served) {
  const args = [served.main, ...served.api.args, '--transport', 'http', '--port', '0', '--sse', '--ws'];
  const ready = /(http:\/\/\S+)\/mcp/;
  const server = await start({ command: process.execPath, args, env: environment(served), ready });
  const urls = {
    http: `${server.url}/mcp`,
    sse: `${server.url}/sse`,
    ws: `${server.url.replace('http', 'ws')}/ws`,
  };
  return { url: urls[transport], close: server.close };
}

async function runDriver(way, api, { program, url }, model, { node, packages, home }) {
  const out = path.join(mkdtempSync(path.join(home, 'way-')), 'outcome.json');
  const task = {
    ...{
      out,
      driver: way.driver,
      transport: way.bridge?.side ?? way.transport,
      mode: way.mode,
      program,
      url,
    },
    ...{ calls: api.calls.map(({ tool, args }) => ({ tool, args })), model: model.url },
    inspector: packages('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  };
  const env = { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1', DO_NOT_TRACK: '1' };
  const { said, timedOut } = await runChild(node, path.join(import.meta.dirname, 'drive.mjs'), env, task);
  if (timedOut) return { error: `no end after ${PATIENCE_MS / 1000} s: ${said.slice(-500)}` };
  if (!existsSync(out)) return { error: `the client's process ended: ${said.slice(-500)}` };
  const outcome = JSON.parse(readFileSync(out, 'utf8'));
  const { error } = outcome;
  return error === undefined ? outcome : { error: `${error}${reasonIn(said)}` };
}

/** What the official clients' `onerror` said, once. */
function reasonIn(said) {
  const reasons = new Set(said.match(/^client: .*$/gm));
  return [...reasons].map((line) => `\n${line.slice(0, 300)}`).join('');
}

function runChild(node, program, env, task) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [program], { env, cwd: env.HOME, stdio: 'pipe' });
    let said = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, PATIENCE_MS);
    const read = (text) => (said = (said + text).slice(-20_000));
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve({ said, timedOut });
    });
    child.stdin.end(JSON.stringify(task));
  });
}

/** `transport`: of the server; `target`: the server; returns what a client is given in the server's place. */
async function throughBridge({ program, side }, transport, target, { node, packages, home }) {
  const main = packages(program, program === 'mcp-remote' ? 'dist/proxy.js' : 'dist/index.js');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    MCP_REMOTE_CONFIG_DIR: path.join(home, '.mcp-auth'),
  };
  if (side === 'stdio') {
    const args =
      program === 'mcp-remote' ? remoteArgs(transport, target.url) : gatewayArgs(transport, target.url);
    return { program: { command: node, args: [main, ...args], env }, close: async () => undefined };
  }
  return serve(node, main, side, target, env);
}

function remoteArgs(transport, url) {
  return [url, '--transport', `${transport}-only`];
}

function gatewayArgs(transport, url) {
  return [transport === 'sse' ? '--sse' : '--streamableHttp', url, '--logLevel', 'none'];
}

/** Supergateway starts the server, and listens. */
async function serve(node, main, side, { program }, env) {
  const port = String(await freePort());
  const command = [program.command, ...program.args].join(' ');
  const output = side === 'sse' ? 'sse' : 'streamableHttp';
  const { close } = await start({
    command: node,
    args: [
      main,
      '--stdio',
      command,
      '--outputTransport',
      output,
      '--port',
      port,
      '--healthEndpoint',
      '/healthz',
    ],
    env: { ...env, ...program.env },
    ready: /listening on port|Listening on port/i,
    url: '',
  });
  return { url: `http://127.0.0.1:${port}/${side === 'sse' ? 'sse' : 'mcp'}`, close };
}
