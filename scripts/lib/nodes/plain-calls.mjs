/** Calls of `work` by clients of both eras, one call after the other client's. */
import { RawModern, RawSession, describe, resultOf } from './raw-client.mjs';

/** Sessions of the legacy half. */
const SESSIONS = 20;

/**
 * @param {URL} url
 * @param {import('./load.mjs').Faults} faults takes what was not answered rightly
 * @returns {Promise<(index: number) => Promise<void>>} makes one call with an id of its own
 */
export async function plainCaller(url, faults, args = {}) {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => RawSession.open(url)));
  const clients = [...sessions, ...sessions.map(() => new RawModern(url))];
  return async (index) => {
    const id = `plain ${index}`;
    const exchanged = await clients[index % clients.length].call('work', { ...args, id });
    if (resultOf(exchanged)?.structuredContent?.id !== id) faults.add(describe(exchanged));
  };
}
