/** Calls a server over kept-alive connections, one call at a time on each. */
import { spawn } from 'node:child_process';

import { HttpConnection } from './http-connection.mjs';
import { callOf, initialize, initialized, Ledger, modernCallOf } from './messages.mjs';
import { cpuOf, endOf, residentOf, urlOf } from './process.mjs';

const modernHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'add',
};

/**
 * Starts a server and opens the connections, and a session where the revision has one.
 * @param {string[]} args of node
 * @param {{ inFlight: number, isModern?: boolean, env?: Record<string, string>, token?: string }} settings `token`: sent with every call
 * @returns {Promise<import('./stdio-load.mjs').Load>}
 */
export async function startHttpLoad(args, { inFlight, isModern = false, env = {}, token }) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await urlOf(child);
  const own = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...own, ...(isModern ? modernHeaders : await openSession(url, own)) };
  const messageOf = isModern ? modernCallOf : callOf;
  return {
    run: (calls) =>
      withConnections(url, inFlight, headers, (connections) => run(connections, calls, messageOf)),
    resident: () => residentOf(child.pid),
    cpu: () => cpuOf(child.pid),
    close: async () => {
      const ended = endOf(child);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Opened for each run: servers end connections that were idle while others had their turn. */
async function withConnections(url, count, headers, work) {
  const opening = Array.from({ length: count }, () => HttpConnection.open(url, headers));
  const connections = await Promise.all(opening);
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** The headers that name the session. */
async function openSession(url, own) {
  const { headers } = await postOnce(url, own, initialize);
  const id = /^mcp-session-id: (.*)$/im.exec(headers)?.[1];
  const session = {
    'mcp-protocol-version': '2025-11-25',
    ...(id === undefined ? {} : { 'mcp-session-id': id }),
  };
  await postOnce(url, { ...own, ...session }, initialized);
  return session;
}

function postOnce(url, headers, message) {
  return withConnections(url, 1, headers, ([connection]) => connection.post(message));
}

async function run(connections, calls, messageOf) {
  const ledger = new Ledger(calls);
  const start = performance.now();
  const work = async (connection) => {
    for (let id = ledger.next(); id !== undefined; id = ledger.next()) {
      const { message } = await connection.post(messageOf(id));
      ledger.take(message);
    }
  };
  await Promise.all(connections.map(work));
  const ms = performance.now() - start;
  ledger.check();
  return ms;
}
