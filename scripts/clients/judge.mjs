/** Whether a client got what the server and the API behind it gave. */
import { judgeOffer } from './judge-offer.mjs';

/**
 * @typedef {object} Verdict
 * @property {string} revision
 * @property {number | undefined} listed tools that the client found
 * @property {number} called calls whose result was right
 * @property {number | undefined} offered tools that the model was offered
 * @property {number} offerBytes of the model's first request
 * @property {string[]} faults empty when all is well
 */

/** @returns {Verdict} */
export function judge(way, { api, tools }, { driven = {}, error }, model) {
  const faults = error === undefined ? [] : [error];
  const { listed, results = [], revision = '' } = driven;
  const offer = way.hasModel ? model.tools() : undefined;
  if (error === undefined && listed) faults.push(...missing('lists', tools, listed));
  const answers = way.hasModel ? model.results().map((text) => ({ text })) : results.map(answerOf);
  const wrong = api.calls.map((call, index) => wrongIn(call, answers[index]));
  if (error === undefined) faults.push(...wrong.filter((fault) => fault !== undefined));
  if (offer) {
    if (error === undefined) {
      const names = offer.map(({ name }) => name);
      faults.push(...missing('offers', tools, names));
    }
    faults.push(...judgeOffer(offer));
  }
  return {
    revision,
    listed: listed?.length,
    called: wrong.filter((fault) => fault === undefined).length,
    offered: offer?.length,
    offerBytes: model.requests.length > 0 ? Buffer.byteLength(JSON.stringify(model.requests[0].body)) : 0,
    faults,
  };
}

/** A client may put its own name for the server before a tool's. */
function missing(verb, tools, names) {
  const there = new Set(names);
  const prefix = names.length > 0 && names.every((name) => name.startsWith('api_')) ? 'api_' : '';
  const lost = tools.filter((name) => !there.has(prefix + name));
  if (lost.length === 0) return [];
  return [`${verb} ${tools.length - lost.length} of ${tools.length} tools, not ${lost[0]}`];
}

function answerOf({ content = [], structuredContent, isError }) {
  return { text: content.map(({ text }) => text ?? '').join('\n'), structuredContent, isError };
}

function wrongIn({ tool, wanted, words, structured }, answer) {
  if (answer === undefined) return `${tool} was not called`;
  const { text, structuredContent, isError } = answer;
  if (isError || !text.includes(words)) return `${tool} answered ${JSON.stringify(text.slice(0, 300))}`;
  if (structuredContent !== undefined && !holds(structuredContent, wanted))
    return `${tool} gave the structure ${JSON.stringify(structuredContent).slice(0, 300)}`;
  return structured && structuredContent === undefined && 'isError' in answer ? `${tool} gave no structure` : undefined;
}

/** Whether all of `wanted` is in `value`. */
function holds(value, wanted) {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([key, each]) => holds(value[key], each));
}
