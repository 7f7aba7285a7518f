/** Clients that take memory and give nothing back: bodies that never end, and answers that nobody reads. Another client is served meanwhile. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import path from 'node:path';

import { mebibytes } from '../bench/figures.mjs';
import { HttpConnection } from '../bench-runtime/http-connection.mjs';
import { endOf, residentOf, urlOf } from '../bench-runtime/process.mjs';
import { root } from '../repository.mjs';
import { mcpgen } from '../run.mjs';
import { openSession, watch } from './server.mjs';

const MOST_BYTES = 250 * 1024 * 1024;
const BODIES = 200;
const BODY_BYTES = 4 * 1024 * 1024;
const READERS = 400;
/** More than the system's own buffers hold of one connection. */
const LISTS = 8;
/** Milliseconds that the other client goes on for, behind the last of them. */
const AFTER_MS = 20_000;
const MOST_LATE_MS = 2_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/** @typedef {{ url: URL, session: Record<string, string> }} Target */

/** @type {Record<string, (target: Target) => Promise<import('node:net').Socket[]>>} */
const SCENARIOS = {
  [`${BODIES} bodies of 4 MiB that never end`]: (target) => many(BODIES, () => unfinished(target)),
  [`${READERS} readers of tools/list who read nothing`]: (target) => many(READERS, () => unread(target, 1)),
  [`${READERS} readers of ${LISTS} lists each who read nothing`]: (target) =>
    many(READERS, () => unread(target, LISTS)),
};

/**
 * Measures each scenario on a server of its own.
 * @param {string} document
 * @param {string} folder
 * @param {import('../bench/figures.mjs').Figures} figures
 */
export async function soakMemory(document, folder, figures) {
  const project = path.join(folder, 'memory-mcp');
  const args = ['openapi', path.resolve(document), '-o', project, '--feature', 'mock'];
  const { code, stderr } = await mcpgen(args, { cwd: root });
  if (code !== 0) throw new Error(`mcpgen failed:\n${stderr}`);
  for (const [what, attack] of Object.entries(SCENARIOS)) {
    console.error(`${what} …`);
    note(figures, what, await measure(path.join(project, 'dist/main.js'), attack));
  }
}

async function measure(main, attack) {
  const args = [main, '--transport', 'http', '--port', '0', '--mock'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const said = watch(child);
  const url = await urlOf(child);
  const target = { url, session: await openSession(url) };
  const before = residentOf(child.pid) ?? 0;
  const peak = watchMemory(child.pid);
  const other = watchOther(target);
  const sockets = await attack(target);
  await pause(AFTER_MS);
  const [most, served] = [peak.stop(), await other.stop()];
  for (const socket of sockets) socket.destroy();
  child.kill('SIGKILL');
  await endOf(child);
  return { before, most, ...served, said: said() };
}

/** @param {number} pid */
function watchMemory(pid) {
  let most = 0;
  const look = () => (most = Math.max(most, residentOf(pid) ?? 0));
  const timer = setInterval(look, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return look();
    },
  };
}

/** Another client, on a new connection each time: how often it was answered, and how late at most. @param {Target} target */
function watchOther({ url, session }) {
  const outcome = { served: 0, failed: 0, latest: 0 };
  let goesOn = true;
  const ask = async () => {
    const start = performance.now();
    try {
      const connection = await HttpConnection.open(url, session);
      const { status } = await connection.post('{"jsonrpc":"2.0","id":"other","method":"ping"}');
      connection.close();
      outcome[status === 200 ? 'served' : 'failed']++;
    } catch {
      outcome.failed++;
    }
    outcome.latest = Math.max(outcome.latest, performance.now() - start);
  };
  const asking = (async () => {
    while (goesOn) {
      await ask();
      await pause(20);
    }
  })();
  return {
    stop: async () => {
      goesOn = false;
      await Promise.race([asking, pause(10_000)]);
      return outcome;
    },
  };
}

/** Opens a few at a time, so that the server's queue of connections holds them. */
async function many(count, open) {
  const sockets = [];
  for (let at = 0; at < count; at += 20)
    sockets.push(...(await Promise.all(Array.from({ length: 20 }, (_, more) => open(at + more)))));
  return sockets;
}

/** @param {Target} target */
function headOf({ url, session }, length) {
  const fields = { host: url.host, accept: 'application/json, text/event-stream', ...session };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${url.pathname} HTTP/1.1\r\n${lines.join('')}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
}

/** Sends all of a body but its end. Resolves when it is sent, or the server has closed the connection. @param {Target} target */
function unfinished(target) {
  return new Promise((resolve) => {
    const socket = connect(Number(target.url.port), target.url.hostname);
    socket.on('error', () => undefined).on('close', () => resolve(socket));
    socket.write(headOf(target, BODY_BYTES));
    socket.write(Buffer.alloc(BODY_BYTES - 1, ' '), () => resolve(socket));
  });
}

/** Asks for so many lists, and reads nothing of the answers. @param {Target} target @param {number} lists */
function unread(target, lists) {
  return new Promise((resolve) => {
    const socket = connect(Number(target.url.port), target.url.hostname);
    socket.on('error', () => undefined).on('close', () => resolve(socket));
    socket.pause();
    socket.write((headOf(target, list.length) + list).repeat(lists), () => resolve(socket));
  });
}

/** @param {import('../bench/figures.mjs').Figures} figures */
function note(figures, what, { before, most, served, failed, latest, said }) {
  const ms = (value) => `${Math.round(value)} ms`;
  const outcome = `${served} of another client's ${served + failed} requests served`;
  figures.atMost({
    what,
    ours: mebibytes(most),
    other: `${mebibytes(before)} before`,
    figure: most,
    limit: MOST_BYTES,
    unit: mebibytes,
  });
  figures.atMost({ what: outcome, figure: failed, limit: 0, unit: (count) => `${count} failed` });
  figures.atMost({ what: 'the latest of them', figure: latest, limit: MOST_LATE_MS, unit: ms });
  if (failed > 0) console.error(said);
}
