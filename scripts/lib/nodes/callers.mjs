/** Clients of each kind that call `work`: the official ones, and plain messages of both eras. */
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { describe, RawModern, RawSession, resultOf } from './raw-client.mjs';

const info = { name: 'mcpgen-repository', version: '1.0.0' };
const newest = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

/** Each opens a client, whose `call` rejects unless it was answered, with the same id. */
export const kinds = {
  'SDK 1.x': (url) => official(new OldClient(info), OldTransport, url),
  'SDK 2.x': (url) => official(new NewClient(info), NewTransport, url),
  'SDK 2.x, 2026-07-28': (url) => official(new NewClient(info, newest), NewTransport, url),
  'plain messages of 2025-11-25': async (url) => plain(await RawSession.open(url)),
  'plain messages of 2026-07-28': async (url) => plain(new RawModern(url)),
};

/** So many clients of each kind, who take turns. `faults`: takes what was not answered rightly; `args`: of each call. */
export async function openCallers(url, each, faults, args) {
  const opening = Object.values(kinds).flatMap((open) => Array.from({ length: each }, () => open(url)));
  const callers = await Promise.all(opening);
  return {
    call: (index) =>
      callers[index % callers.length]
        .call({ ...args, id: `call ${index}` })
        .catch((error) => faults.add(reasonOf(error))),
    close: () => Promise.all(callers.map((caller) => caller.close())),
  };
}

/** `fetch` hides its reason. */
function reasonOf({ message, cause }) {
  return cause === undefined ? message : `${message}: ${cause.code ?? cause.message}`;
}

async function official(client, Transport, url) {
  await client.connect(new Transport(url));
  return {
    call: async (args) => check(await client.callTool({ name: 'work', arguments: args }), args),
    close: () => client.close(),
  };
}

function plain(client) {
  return {
    call: async (args) => {
      const exchanged = await client.call('work', args);
      check(resultOf(exchanged) ?? { wrong: describe(exchanged) }, args);
    },
    close: async () => undefined,
  };
}

function check(result, { id }) {
  if (result.structuredContent?.id === id) return;
  throw new Error(result.wrong ?? `A wrong answer: ${JSON.stringify(result).slice(0, 200)}`);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Pieces at once: a machine that cannot keep the pace does fewer, else they would wait until they time out. */
const MOST_OPEN = 200;

/**
 * Begins so many pieces a second until `until` resolves, as far as the machine keeps up. Resolves when all have
 * ended. `work`: never rejects; returns how many there were, and how many a second.
 */
export async function atPace(perSecond, until, work) {
  const began = performance.now();
  const open = new Set();
  let goesOn = true;
  let [count, skipped] = [0, 0];
  const ended = until.finally(() => (goesOn = false));
  while (goesOn) {
    const due = Math.floor(((performance.now() - began) / 1_000) * perSecond);
    while (count + skipped < due) {
      if (open.size >= MOST_OPEN) {
        skipped++;
        continue;
      }
      const piece = work(count++).finally(() => open.delete(piece));
      open.add(piece);
    }
    await pause(5);
  }
  const pace = (1_000 * count) / (performance.now() - began);
  await Promise.all(open);
  await ended;
  return { count, pace };
}

/** Counts how often each fault was seen, for people. */
export class Faults {
  #counts = new Map();

  add(text) {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  get count() {
    return [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
  }

  /** The most frequent. */
  toString() {
    const [most] = [...this.#counts].toSorted(([, a], [, b]) => b - a);
    return most === undefined ? '' : `${most[1]} × ${most[0].slice(0, 110)}`;
  }
}
