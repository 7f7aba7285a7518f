/** Clients of each kind that call `work`: the official ones, and plain messages of both eras. */
import { connectOfficial, officialClients } from './official-clients.mjs';
import { RawModern, RawSession, describe, resultOf } from './raw-client.mjs';

/**
 * @typedef {object} Caller
 * @property {(args: { id: string, ms?: number }) => Promise<void>} call rejects unless it was answered, with the same id
 * @property {() => Promise<void>} close
 */

/** @type {Record<string, (url: URL) => Promise<Caller>>} */
export const kinds = {
  ...Object.fromEntries(Object.keys(officialClients).map((name) => [name, (url) => openOfficial(name, url)])),
  'plain messages of 2025-11-25': async (url) => plain(await RawSession.open(url)),
  'plain messages of 2026-07-28': async (url) => plain(new RawModern(url)),
};

/**
 * So many clients of each kind, who take turns.
 * @param {URL} url
 * @param {number} each
 * @param {import('./load.mjs').Faults} faults takes what was not answered rightly
 * @param {object} [args] of each call
 */
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

async function openOfficial(name, url) {
  const client = await connectOfficial(name, url);
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
