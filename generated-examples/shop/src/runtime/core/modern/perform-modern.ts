/** A request of the modern era: it says everything itself, and nothing before it counts. */
import { featuresOf } from '../../protocol/revisions.ts';
import type { RawJson } from '../answer.ts';
import type { Call, ClientRequest, Exchange } from '../call.ts';
import { declaredCapabilities } from '../capabilities.ts';
import { methodFor } from '../method-for.ts';
import type { Project } from '../project.ts';
import { openRound } from '../rounds/open-round.ts';
import { runMethod } from '../run-method.ts';
import type { Work } from '../work.ts';
import { checkHeaders } from './check-headers.ts';
import { withEnvelope } from './envelope.ts';
import { readMetadata, supportedRevision } from './metadata.ts';

/** What may be answered by questions ("Multi Round-Trip Requests", Supported Requests). */
const ASKING = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Refuses in this order: for its metadata, its headers, its version, its method. */
export function performModern(
  project: Project,
  request: ClientRequest,
  exchange: Exchange,
  work: Work,
): object | RawJson | Promise<object | RawJson> {
  const declared = project.parts.capabilities;
  if (declared === undefined)
    return declaredCapabilities(project).then(() => performModern(project, request, exchange, work));
  const { id, method, params } = request;
  const { version, clientInfo, clientCapabilities } = readMetadata(params);
  if (exchange.headers !== undefined) checkHeaders(request, version, exchange.headers, project);
  const revision = supportedRevision(version);
  const features = featuresOf(revision);
  const run = methodFor(method, declared, features, exchange.channel);
  const agreement = { revision, features, clientInfo, clientCapabilities };
  const call: Call = { project, exchange, session: undefined, agreement, id, params, work };
  if (ASKING.has(method)) openRound(call, method);
  const outcome = runMethod(call, method, run);
  if (!(outcome instanceof Promise)) return withEnvelope(outcome, call, method);
  return outcome.then((result) => withEnvelope(result, call, method));
}
