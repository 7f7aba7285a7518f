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
export async function runRound(call: Call, method: string, run: Method): Promise<object | RawJson> {
  const before = readState(call, method);
  const round = new Round(before, readResponses(call.params));
  const result = (async () => run({ ...call, asker: round }))();
  const asked = await Promise.race([result, round.left]);
  if (asked !== round) return result;
  // Whatever it still comes to, nobody waits for it.
  result.catch(() => undefined);
  call.work.abandon('The handler is run again when the client has answered.');
  return {
    resultType: 'input_required',
    inputRequests: round.requests,
    requestState: writeState(call, method, round.state),
  };
}
