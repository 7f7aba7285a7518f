/** Whether a client got what the server and the API behind it gave. */
import { judgeOffer } from './judge-offer.mjs';

/** Older revisions know no `structuredContent`. */
const FIRST_WITH_STRUCTURES = '2025-06-18';

export function judge(way, { api, tools: served, pages }, { driven = {}, error }, model) {
  const faults = error === undefined ? [] : [error];
  const { listed, results = [], revision = '' } = driven;
  const offer = way.hasModel ? model.tools() : undefined;
  if (error === undefined) faults.push(...otherRevision(way.mode, revision));
  const expected = expectedOf(way, pages).map(({ name }) => name);
  if (error === undefined && listed) faults.push(...missing('lists', expected, listed));
  if (error === undefined && expected.length < (listed?.length ?? 0))
    faults.push('reads all pages: its mark in ways.mjs is out of date');
  const answers = way.hasModel ? model.results().map((text) => ({ text })) : results.map(answerOf);
  const typed = way.bridge ? (driven.typed ?? []) : typedOf(served, revision);
  const wrong = api.calls.map((call, index) =>
    wrongIn(call, answers[index], !way.hasModel && typed.includes(call.tool)),
  );
  if (error === undefined) faults.push(...wrong.filter((fault) => fault !== undefined));
  if (offer) {
    if (error === undefined) {
      const names = offer.map(({ name }) => name);
      faults.push(...missing('offers', expected, names));
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

/** Tools whose results have a structure in this revision. A bridge may speak an older one to the server than to the client. */
function typedOf(tools, revision) {
  if (revision !== '' && revision < FIRST_WITH_STRUCTURES) return [];
  return tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name);
}

/** All tools, or those of the pages that the client is known to read. */
function expectedOf({ readsUntil = Infinity }, pages) {
  const read = [];
  for (const page of pages) if (read.length < readsUntil) read.push(...page);
  return read;
}

/** Clients may rename: some put their name for the server before a tool's, others replace what a model's API refuses. */
function missing(verb, tools, names) {
  const distinct = new Set(names);
  if (distinct.size >= tools.length) return [];
  const bare = new Set([...distinct].map((name) => name.replace(/^api_/, '')));
  return [`${verb} ${distinct.size} of ${tools.length} tools, not ${tools.find((name) => !bare.has(name))}`];
}

/** `legacy 2025-06-18` and `pin 2026-07-28` name the one that must be spoken. */
function otherRevision(mode, revision) {
  const [, wanted] = /^(?:legacy|pin) (\d.*)/.exec(mode) ?? [];
  return wanted === undefined || wanted === revision ? [] : [`speaks ${revision} in place of ${wanted}`];
}

function answerOf({ content = [], structuredContent, isError }) {
  return { text: content.map(({ text }) => text ?? '').join('\n'), structuredContent, isError };
}

/** `isTyped`: the tool lists a schema of its results, and the client hands on the structure. */
function wrongIn({ tool, wanted, words }, answer, isTyped) {
  if (answer === undefined) return `${tool} was not called`;
  const { text, structuredContent, isError } = answer;
  if (isError || !text.includes(words)) return `${tool} answered ${JSON.stringify(text.slice(0, 300))}`;
  if (structuredContent !== undefined && !holds(structuredContent, wanted))
    return `${tool} gave the structure ${JSON.stringify(structuredContent).slice(0, 300)}`;
  return isTyped && structuredContent === undefined ? `${tool} gave no structure` : undefined;
}

/** Whether all of `wanted` is in `value`. */
function holds(value, wanted) {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([key, each]) => holds(value[key], each));
}
