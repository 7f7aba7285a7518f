/** A question whose answer counts once: `ask` of the nodes' server. */
import { resultOf } from './raw-client.mjs';

const answer = { go: { action: 'accept', content: { go: true } } };

/**
 * Calls `ask` until it asks.
 * @param {import('./raw-client.mjs').RawModern} client
 * @param {string} id
 * @param {URL} [url] of one node
 * @returns {Promise<object | undefined>} members of the call that answers; undefined when it did not ask
 */
export async function question(client, id, url) {
  const result = resultOf(await client.call('ask', { id }, {}, { url }));
  if (result?.resultType !== 'input_required') return undefined;
  return { inputResponses: answer, requestState: result.requestState };
}

/** @param {import('./exchange.mjs').Exchanged} exchanged */
export function isTaken(exchanged) {
  return resultOf(exchanged)?.resultType === 'complete';
}
