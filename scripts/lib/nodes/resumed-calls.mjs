/** Calls whose clients come back for the rest of a stream that broke off. */
import { pause } from './load.mjs';
import { describe, isUnknown } from './raw-client.mjs';

/** Milliseconds that a client tries to get its answer. */
const TRY_MS = 15_000;
/** Milliseconds between two tries. */
const RETRY_MS = 100;
/** Milliseconds after the API's answer, by which a result is stored surely. */
const STORED_MS = 1_000;

/** @typedef {{ session: import('./raw-client.mjs').RawSession & { name: string }, id: string, ledger: import('./ledger.mjs').Ledger }} Named */

/** A call of so many ms, whose client returns until it has an answer. @param {Named} call @param {number} ms */
export async function work(call, ms) {
  const { ledger } = call;
  const begun = await begin(call, ms);
  if (begun.answers.length > 0) return ledger.plain(outcomeOf(begun));
  const wasKilled = ledger.fleet.killed.has(begun.first.node);
  if (begun.last === undefined) {
    if (wasKilled) return ledger.early();
    return ledger.plain(describe(begun.first));
  }
  const outcome = await resume(call, begun);
  if (wasKilled) ledger.inFlight(outcome, begun.resumedMs);
  else ledger.plain(outcome);
}

/** Breaks off after the first message, lets the node end its work and be killed, and returns. @param {Named} call */
export async function vanishAndReturn(call, { goesOn }) {
  const { id, ledger } = call;
  const { api, fleet } = ledger;
  const begun = await begin(call, 20, (stop) => stop());
  if (begun.answers.length > 0) return ledger.plain(outcomeOf(begun));
  const { node } = begun.first;
  if (begun.last === undefined) {
    if (fleet.killed.has(node)) return ledger.early();
    return ledger.plain(describe(begun.first));
  }
  while (goesOn() && !fleet.killed.has(node)) await pause(50);
  const outcome = await resume(call, begun);
  const killedAt = fleet.killed.get(node);
  if (killedAt === undefined) return ledger.plain(outcome);
  if (!(api.answered.get(id) + STORED_MS < killedAt)) return ledger.inFlight(outcome, begun.resumedMs);
  const copies = begun.answers.filter(({ result }) => result !== undefined).length;
  const again = await call.session.listen(begun.last, { signal: AbortSignal.timeout(200) });
  ledger.stored(
    outcome,
    copies,
    again.messages.some((message) => message.id === begun.request.id),
  );
}

/** @param {Named} call @param {(stop: () => void) => void} [whenTold] */
async function begin({ session, id, ledger }, ms, whenTold = () => undefined) {
  ledger.begin();
  const request = session.request('tools/call', {
    name: 'work',
    arguments: { id, session: session.name, ms },
  });
  const begun = { request, answers: [], last: undefined, first: undefined, resumedMs: 0 };
  const take = (message, state, stop) => {
    ledger.see(message, session.name, id);
    if (message.id === request.id) begun.answers.push(message);
    else whenTold(stop);
  };
  begun.first = await session.exchange({ message: request, take });
  begun.last = begun.first.last;
  return begun;
}

/** Tries until there is an answer, or too long. */
async function resume({ session, id, ledger }, begun) {
  const began = performance.now();
  const spent = () => performance.now() - began;
  let seen = 'no answer';
  const take = (message) => {
    ledger.see(message, session.name, id);
    if (message.id !== begun.request.id) return;
    begun.answers.push(message);
    begun.resumedMs = spent();
  };
  while (begun.answers.length === 0 && spent() < TRY_MS) {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(TRY_MS - spent())));
    const state = await session.listen(begun.last, { take, signal });
    begun.last = state.last ?? begun.last;
    seen = state.status === 200 ? 'no answer' : describe(state);
    // A client gives up what is refused; what is not there now may be there later.
    if ([204, 400, 404, 410].includes(state.status)) break;
    if (begun.answers.length === 0) await pause(RETRY_MS);
  }
  return begun.answers.length === 0 ? seen : outcomeOf(begun);
}

function outcomeOf({ answers: [{ result, error }] }) {
  if (error !== undefined)
    return isUnknown(error.message) ? 'unknown' : `error ${error.code}: ${error.message}`;
  return result.isError === true ? `tool error: ${result.content[0]?.text}` : 'result';
}
