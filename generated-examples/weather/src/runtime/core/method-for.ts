/** Which method answers a request, if it may be answered. */
import { METHOD_NOT_FOUND, overLimit, ProtocolError } from '../protocol/protocol-error.ts';
import type { RevisionFeatures } from '../protocol/revisions.ts';
import type { Method } from './call.ts';
import type { Capability } from './capabilities.ts';
import type { Channel } from './channel.ts';
import { METHODS } from './methods.ts';

/** @throws {ProtocolError} `-32601` for what the revision or the project does not have; `-32603` over the rate limit. */
export function methodFor(
  name: string,
  declared: ReadonlySet<Capability>,
  features: RevisionFeatures,
  channel: Channel,
): Method {
  const entry = features.methods.has(name) ? METHODS.get(name) : undefined;
  if (entry === undefined) throw new ProtocolError(METHOD_NOT_FOUND, `Unknown method: ${name}`, 'method');
  const { capability, limited, run } = entry;
  if (capability !== undefined && !declared.has(capability))
    throw new ProtocolError(METHOD_NOT_FOUND, `This server has no ${capability}.`, 'method');
  if (limited === true) spendCall(channel);
  return run;
}

function spendCall({ limiter }: Channel): void {
  if (limiter === undefined || limiter.take()) return;
  throw overLimit('Too many calls.', limiter.waitSeconds);
}
