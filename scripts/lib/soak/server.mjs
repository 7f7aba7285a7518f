/** The emitted server that has to stand it: `add`, a tool that streams, and one that says how much memory is in use. */
import { spawn } from 'node:child_process';

import { HttpConnection } from '../bench-runtime/http-connection.mjs';
import { initialize, initialized } from '../bench-runtime/messages.mjs';
import { endOf, urlOf } from '../bench-runtime/process.mjs';

/** Messages that a call of `stream` sends before its result. */
export const streamed = 8;

export const handlers = `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';

const collect = Reflect.get(globalThis, 'gc') as () => void;

export const handlers: Handlers<Tools> = {
  tools: { add: ({ a, b }) => ({ sum: a + b }) },
  extraTools: [
    {
      name: 'stream',
      inputSchema: { type: 'object' },
      handler: async (_, context) => {
        for (let step = 1; step <= ${streamed}; step++) {
          await context.log('info', step);
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        return 'done';
      },
    },
    {
      name: 'memory',
      inputSchema: { type: 'object' },
      handler: async () => {
        for (let round = 0; round < 3; round++) {
          collect();
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        const { heapUsed, external } = process.memoryUsage();
        return String(heapUsed + external);
      },
    },
  ],
};
`;

/** The text of a call without arguments. */
export function callText(id, name) {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${name}","arguments":{}}}`;
}

/** The bytes that are alive, from the answer to a call of `memory`. */
export function bytesIn(answer) {
  const bytes = Number(JSON.parse(answer).result?.content[0]?.text);
  if (Number.isFinite(bytes)) return bytes;
  throw new Error(`The server does not say how much memory it uses: ${answer}`);
}

/**
 * Starts it over HTTP.
 * @param {string} main
 * @param {string[]} flags
 */
export async function startHttp(main, flags) {
  const args = ['--expose-gc', main, '--transport', 'http', '--port', '0', '--rate-limit', 'off', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  // A soak that fails leaves nothing behind.
  process.once('exit', () => child.kill('SIGKILL'));
  const said = watch(child);
  const url = await urlOf(child);
  return {
    url,
    memory: async () => {
      const session = await openSession(url);
      const connection = await HttpConnection.open(url, session);
      const { message } = await connection.post(callText('memory', 'memory'));
      connection.close();
      await endSession(url, session);
      return bytesIn(message);
    },
    close: async () => {
      const ended = endOf(child);
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${said()}`);
    },
  };
}

/** The server's last line on standard error. */
export function watch(child) {
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (said = `${said}${chunk}`.slice(-4_000)));
  return () => said;
}

/** Opens a session, and returns the headers that name it. */
export async function openSession(url) {
  const opening = await HttpConnection.open(url, {});
  const { headers } = await opening.post(initialize);
  opening.close();
  const id = /^mcp-session-id: (.*)$/im.exec(headers)?.[1];
  if (id === undefined) throw new Error(`No session was opened: ${headers}`);
  const session = { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': id };
  const ready = await HttpConnection.open(url, session);
  await ready.post(initialized);
  ready.close();
  return session;
}

export async function endSession(url, headers) {
  const { status } = await fetch(url, { method: 'DELETE', headers });
  if (status !== 204) throw new Error(`A session was not ended: ${status}`);
}
