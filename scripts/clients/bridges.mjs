/** Programs that stand between a client and a server, and speak another transport on either side. */
import path from 'node:path';

import { start } from '../e2e-real/start.mjs';
import { freePort } from '../lib/free-port.mjs';

/** @typedef {{ program: 'mcp-remote' | 'supergateway', side: 'stdio' | 'http' | 'sse' }} Bridge `side`: what the client speaks */
/** @typedef {{ program?: { command: string, args: string[], env: Record<string, string> }, url?: string }} Target */

/**
 * @param {Bridge} bridge
 * @param {string} transport of the server
 * @param {Target} target the server
 * @param {{ node: string, packages: (...parts: string[]) => string, home: string }} machine
 * @returns {Promise<Target & { close: () => Promise<void> }>} what a client is given in the server's place
 */
export async function throughBridge({ program, side }, transport, target, { node, packages, home }) {
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
