/**
 * Lets what runs ask its client ("Multi Round-Trip Requests"). Where a question has no answer yet, the run is left, the
 * questions go to the client, and when they come back with answers everything is run again.
 */
import type { Call } from '../call.ts';
import { withEnvelope } from '../modern/envelope.ts';
import { readState, writeState } from './request-state.ts';
import { readResponses } from './responses.ts';
import { Round } from './round.ts';

/** @throws {ProtocolError} `-32602` when the state is not ours, not of this request, too old, or an answer is none. */
export function openRound(call: Call, method: string): void {
  const before = readState(call, method);
  const responses = readResponses(call.params);
  const { inFlight } = call;
  // Most calls ask nothing.
  call.newAsker = () =>
    new Round(before, responses, {
      leave: (round) => inFlight.leave(leftRound(call, method, round)),
      refuse: (error) => inFlight.leave(Promise.reject(error)),
    });
}

/** Rejects when what the round knows can't be written. */
async function leftRound(call: Call, method: string, { requests, state }: Round): Promise<object> {
  call.inFlight.abandon('The handler is run again when the client has answered.');
  const result = {
    resultType: 'input_required',
    inputRequests: requests,
    requestState: writeState(call, method, state),
  };
  return withEnvelope(result, call, method);
}
