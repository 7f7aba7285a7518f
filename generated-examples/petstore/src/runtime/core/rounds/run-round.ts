/**
 * Runs what may ask its client ("Multi Round-Trip Requests"). Where a question has no answer yet, the run is left, the
 * questions go to the client, and when they come back with answers everything is run again.
 */
import type { RawJson } from '../answer.ts';
import type { Call, Method } from '../call.ts';
import { readState, writeState } from './request-state.ts';
import { readResponses } from './responses.ts';
import { Round } from './round.ts';

/** @throws {ProtocolError} `-32602` when the state is not ours, not of this request, too old, or an answer is none. */
export function runRound(call: Call, method: string, run: Method): Promise<object | RawJson> {
  const before = readState(call, method);
  const responses = readResponses(call.params);
  return new Promise((resolve, reject) => {
    const leave = (round: Round): void => resolve(leftRound(call, method, round));
    // Most calls ask nothing.
    call.newAsker = () => new Round(before, responses, { leave, refuse: reject });
    // Once the run is left, nobody hears what it still comes to.
    Promise.resolve(run(call)).then(resolve, reject);
  });
}

/** Rejects when what the round knows can't be written. */
async function leftRound(call: Call, method: string, { requests, state }: Round): Promise<object> {
  call.work.abandon('The handler is run again when the client has answered.');
  return {
    resultType: 'input_required',
    inputRequests: requests,
    requestState: writeState(call, method, state),
  };
}
