/** Servers under load, called as cheaply as will do, so that it is the server that is measured. */
import { spawn } from 'node:child_process';

import { takeTurns } from '../bench/figures.mjs';
import { RawSession } from '../nodes/raw-client.mjs';
import { HttpConnection } from './http-connection.mjs';
import { callOf, initialize, initialized, Ledger, modernCallOf } from './messages.mjs';
import { endOf, memoryOf, urlOf } from './process.mjs';

/** Calls at a time. */
const IN_FLIGHT = 64;

/** Calls that a server answers before it is measured. */
const WARM_UP = 12_000;

/**
 * The times of all rounds: `calls` of each server in each of the `rounds`. All servers start anew for each of the `sets`:
 * two processes of one program differ by some percent as long as they live, since each compiles its code in another order.
 */
export async function takeTurnsOfLoads(starts, { calls, rounds, sets }) {
  const turns = Object.fromEntries(Object.keys(starts).map((name) => [name, []]));
  const resident = Object.fromEntries(Object.keys(starts).map((name) => [name, []]));
  for (let set = 0; set < sets; set++) {
    const loads = {};
    try {
      for (const [name, start] of Object.entries(starts)) loads[name] = await start();
      for (const load of Object.values(loads)) await load.run(WARM_UP);
      const runs = Object.entries(loads).map(([name, load]) => [name, () => load.run(calls)]);
      const times = await takeTurns(rounds, Object.fromEntries(runs));
      for (const [name, load] of Object.entries(loads)) {
        turns[name].push(...times[name]);
        resident[name].push(load.resident());
      }
    } finally {
      await Promise.all(Object.values(loads).map((load) => load.close()));
    }
  }
  return { turns, resident };
}

/** Starts a server over its pipes and opens a session. */
export async function startStdioLoad(args, { inFlight = IN_FLIGHT, env = process.env } = {}) {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  let [pending, take, fail] = ['', () => undefined, () => undefined];
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop();
    if (lines.length > 0) take(lines);
  });
  child.on('exit', (code) => fail(new Error(`The server ended with ${code}.`)));
  child.stdin.on('error', (error) => fail(error));
  await new Promise((resolve, reject) => {
    [take, fail] = [resolve, reject];
    child.stdin.write(`${initialize}\n`);
  });
  child.stdin.write(`${initialized}\n`);
  const run = async (calls) => {
    const ledger = new Ledger(calls);
    // Written before the clock starts.
    const messages = Array.from({ length: calls }, (_, index) => `${callOf(index + 1)}\n`);
    const send = (count) => {
      const ids = Array.from({ length: count }, () => ledger.next()).filter((id) => id !== undefined);
      if (ids.length > 0) child.stdin.write(ids.map((id) => messages[id - 1]).join(''));
    };
    const start = performance.now();
    await new Promise((resolve, reject) => {
      fail = reject;
      take = (answers) => {
        for (const answer of answers) ledger.take(answer);
        if (ledger.isDone) resolve();
        else send(answers.length);
      };
      send(inFlight);
    });
    const ms = performance.now() - start;
    ledger.check();
    return ms;
  };
  const close = async () => {
    [take, fail] = [() => undefined, () => undefined];
    const ended = endOf(child);
    child.stdin.end();
    await ended;
  };
  return { run, close, resident: () => memoryOf(child.pid) };
}

const modernHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'add',
};

/** Starts a server, to be called over kept-alive connections, one call at a time on each. `token` is sent with every call. */
export async function startHttpLoad(args, { isModern = false, env = {}, token } = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await urlOf(child);
  const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { headers } = isModern
    ? { headers: { ...credentials, ...modernHeaders } }
    : await RawSession.open(url, credentials);
  const messageOf = isModern ? modernCallOf : callOf;
  // Opened for each run: servers end connections that were idle while others had their turn.
  const run = (calls) =>
    withConnections(url, IN_FLIGHT, headers, async (connections) => {
      const ledger = new Ledger(calls);
      const start = performance.now();
      const work = async (connection) => {
        for (let id = ledger.next(); id !== undefined; id = ledger.next())
          ledger.take((await connection.post(messageOf(id))).message);
      };
      await Promise.all(connections.map(work));
      const ms = performance.now() - start;
      ledger.check();
      return ms;
    });
  const close = async () => {
    const ended = endOf(child);
    child.kill('SIGTERM');
    await ended;
  };
  return { run, close, resident: () => memoryOf(child.pid) };
}

async function withConnections(url, count, headers, work) {
  const opening = Array.from({ length: count }, () => HttpConnection.open(url, headers));
  const connections = await Promise.all(opening);
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}
