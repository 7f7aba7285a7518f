/** Questions of tools in 2026-07-28: the state that goes along, and the answer that comes with it. */
import { callOf, messageOf, outcomeOf, sendModern } from './session.mjs';

/** Yes, to what `ask` and `pay` want to know. */
export const answers = { inputResponses: { sure: { action: 'accept', content: { sure: true } } } };

/** Reads the state of a call that has asked. @param {URL} url @param {string} tool @param {Record<string, string>} own headers of its caller */
export async function stateOf(url, tool, own) {
  return messageOf(await sendModern(url, callOf(tool, {}), own)).result.requestState;
}

/** Sends the answer, and reads the result. @param {URL} url @param {string} tool @param {string} requestState @param {Record<string, string>} own */
export async function goOn(url, tool, requestState, own) {
  return outcomeOf(await sendModern(url, callOf(tool, {}, { ...answers, requestState }), own));
}
